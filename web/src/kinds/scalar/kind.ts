// Numbers, drawn as lines over steps or time.
import type { Kind } from '../../board/kind';
import { SCALAR as name, specOfChart, specOfTag } from './card-spec';
import ScalarCard from './ScalarCard.svelte';

export const SCALAR: Kind = {
  name,
  order: 10,
  words: { one: 'chart', many: 'charts' },
  dashboard: { name: 'scalars', label: 'Scalars' },
  howTo: {
    title: 'Log numbers',
    text: 'One chart per tag, one line per run. The part of a tag before the first “/” becomes its group.',
    lines: [
      'for step in range(1000):',
      '    loss = 1 / (1 + step)',
      '    writer.add_scalar("train/loss", loss, step)',
      'writer.close()',
    ],
  },
  own: {
    Card: ScalarCard,
    loadFullScreen: () => import('./FullScreenCard.svelte'),
    specOf: specOfTag,
    madeIn: ({ charts }) => charts.map(specOfChart),
  },
};
