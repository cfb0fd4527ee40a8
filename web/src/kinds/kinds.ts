// The kinds of data that are no numbers, in words for people.
import type { SeriesKind } from '../state/feeds/tag-series.svelte';

export interface KindWords {
  readonly one: string;
  readonly many: string;
}

export const KIND_WORDS: Readonly<Record<SeriesKind, KindWords>> = {
  image: { one: 'image', many: 'images' },
  audio: { one: 'sound', many: 'sounds' },
  text: { one: 'text', many: 'texts' },
  table: { one: 'table', many: 'tables' },
  confusion_matrix: { one: 'confusion matrix', many: 'confusion matrices' },
  plotly: { one: 'figure', many: 'figures' },
  html: { one: 'page', many: 'pages' },
};
