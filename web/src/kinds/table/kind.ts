// Tables, and what is laid out like them: confusion matrices, Plotly figures, HTML pages.
import type { Kind } from '../../board/kind';

const shared = {
  dashboard: { name: 'tables', label: 'Tables' },
  loadContent: () => import('./RunTiles.svelte'),
};

export const TABLE: Kind = {
  ...shared,
  name: 'table',
  order: 50,
  words: { one: 'table', many: 'tables' },
};

export const CONFUSION_MATRIX: Kind = {
  ...shared,
  name: 'confusion_matrix',
  order: 51,
  words: { one: 'confusion matrix', many: 'confusion matrices' },
};

export const PLOTLY: Kind = {
  ...shared,
  name: 'plotly',
  order: 52,
  words: { one: 'figure', many: 'figures' },
};

export const HTML: Kind = {
  ...shared,
  name: 'html',
  order: 53,
  words: { one: 'page', many: 'pages' },
};
