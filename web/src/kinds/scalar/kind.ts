// Numbers, drawn as lines over steps or time.
import type { Kind } from '../../board/kind';
import { SCALAR as name, specOfChart, specOfTag } from './card-spec';
import ScalarCard from './ScalarCard.svelte';

export const SCALAR: Kind = {
  name,
  order: 10,
  words: { one: 'chart', many: 'charts' },
  dashboard: { name: 'scalars', label: 'Scalars' },
  own: {
    Card: ScalarCard,
    loadFullScreen: () => import('./FullScreenCard.svelte'),
    specOf: specOfTag,
    madeIn: ({ charts }) => charts.map(specOfChart),
  },
};
