// Histograms, and their quantiles as distributions.
import type { Kind } from '../../board/kind';

export const HISTOGRAM: Kind = {
  name: 'histogram',
  order: 15,
  words: { one: 'histogram', many: 'histograms' },
  dashboard: { name: 'histograms', label: 'Histograms' },
  loadContent: () => import('./HistogramCard.svelte'),
  settings: { title: 'Histograms', load: () => import('./HistogramSettings.svelte') },
  loadSettings: async () => [await import('./histogram-settings')],
};
