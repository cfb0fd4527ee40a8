// Sounds.
import type { Kind } from '../../board/kind';

export const AUDIO: Kind = {
  name: 'audio',
  order: 30,
  words: { one: 'sound', many: 'sounds' },
  dashboard: { name: 'audio', label: 'Audio' },
  howTo: {
    title: 'Log sounds',
    text: 'Samples from −1 to 1.',
    lines: ['writer.add_audio("speech/first", samples, step, sample_rate=16000)'],
  },
  loadContent: () => import('./AudioCard.svelte'),
  settings: {
    title: 'Sounds',
    load: () => import('./AudioSettings.svelte'),
    reset: async (view) => (await import('./audio-settings')).resetSoundSettings(view),
  },
  loadSettings: async () => [await import('./audio-settings')],
};
