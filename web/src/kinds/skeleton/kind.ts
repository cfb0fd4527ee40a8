// The template of a kind, described in docs/add-a-dashboard.md: tensors of plugins that nobody here knows. Not registered.
import type { Kind } from '../../board/kind';

export const SKELETON: Kind = {
  name: 'tensor',
  order: 90,
  words: { one: 'tensor', many: 'tensors' },
  dashboard: { name: 'skeleton', label: 'Skeleton' },
  loadContent: () => import('./SkeletonCard.svelte'),
  settings: { title: 'Tensors', load: () => import('./SkeletonSettings.svelte') },
};
