// The kinds of data that are no numbers, in words for people.
import type { MediaKind } from '../state/media.svelte';

export interface KindWords {
  readonly one: string;
  readonly many: string;
}

export const KIND_WORDS: Readonly<Record<MediaKind, KindWords>> = {
  image: { one: 'image', many: 'images' },
  audio: { one: 'sound', many: 'sounds' },
  text: { one: 'text', many: 'texts' },
  table: { one: 'table', many: 'tables' },
  confusion_matrix: { one: 'confusion matrix', many: 'confusion matrices' },
  plotly: { one: 'figure', many: 'figures' },
  html: { one: 'page', many: 'pages' },
};
