// Pictures and films.
import type { Kind } from '../../board/kind';

export const IMAGE: Kind = {
  name: 'image',
  order: 20,
  words: { one: 'image', many: 'images' },
  dashboard: { name: 'images', label: 'Images' },
  howTo: {
    title: 'Log images',
    text: 'Arrays, tensors or PIL images, floats from 0 to 1 or bytes from 0 to 255. Matplotlib figures too: add_figure.',
    lines: ['writer.add_image("samples/first", image, step, dataformats="HWC")'],
  },
  loadContent: () => import('./ImageCard.svelte'),
  settings: { title: 'Pictures', load: () => import('./ImageSettings.svelte') },
  loadSettings: () => Promise.all([import('./films/film-words'), import('./viewer/viewer-words')]),
  loadHost: async () => (await import('./open-pictures')).hostPictures,
};
