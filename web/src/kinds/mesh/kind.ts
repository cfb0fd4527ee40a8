// Meshes and point clouds.
import type { Kind } from '../../board/kind';
import { shownTag } from '../../state/group-tags';

export const MESH: Kind = {
  name: 'mesh',
  order: 25,
  words: { one: 'mesh', many: 'meshes' },
  dashboard: { name: 'mesh', label: 'Mesh' },
  loadContent: () => import('./MeshCard.svelte'),
  titleOf: shownTag,
  settings: { title: 'Meshes', load: () => import('./MeshSettings.svelte') },
};
