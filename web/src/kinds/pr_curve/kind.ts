// Precision-recall curves, and ROC curves of the same counts.
import type { Kind } from '../../board/kind';

export const PR_CURVE: Kind = {
  name: 'pr_curve',
  order: 17,
  words: { one: 'PR curve', many: 'PR curves' },
  dashboard: { name: 'pr_curves', label: 'PR curves' },
  loadContent: () => import('./PrCurveCard.svelte'),
  settings: { title: 'PR curves', load: () => import('./PrCurveSettings.svelte') },
  loadSettings: async () => [await import('./pr-curve-settings')],
};
