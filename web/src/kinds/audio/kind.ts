// Sounds.
import type { Kind } from '../../board/kind';

export const AUDIO: Kind = {
  name: 'audio',
  order: 30,
  words: { one: 'sound', many: 'sounds' },
  dashboard: { name: 'audio', label: 'Audio' },
  loadContent: () => import('./AudioCard.svelte'),
  settings: {
    title: 'Sounds',
    load: () => import('./AudioSettings.svelte'),
    reset: async (view) => (await import('./audio-settings')).resetSoundSettings(view),
  },
  loadSettings: async () => [await import('./audio-settings')],
};
