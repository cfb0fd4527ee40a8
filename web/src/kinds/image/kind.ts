// Pictures and films.
import type { Kind } from '../../board/kind';

export const IMAGE: Kind = {
  name: 'image',
  order: 20,
  words: { one: 'image', many: 'images' },
  dashboard: { name: 'images', label: 'Images' },
  loadContent: () => import('./ImageCard.svelte'),
  settings: { title: 'Pictures', load: () => import('./ImageSettings.svelte') },
  loadSettings: () => Promise.all([import('./films/film-words'), import('./viewer/viewer-words')]),
  loadHost: async () => (await import('./open-pictures')).hostPictures,
};
