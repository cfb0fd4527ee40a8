// Which component shows a tag of a kind as a card, among the charts of the Time Series page and as a section of its own
// dashboard. Each is fetched when its first card is there.
import type { Component } from 'svelte';
import type { SeriesKind } from '../state/feeds/tag-series.svelte';
import type { Tag } from '../state/types';

/** Fills its parent's box and scrolls by itself. */
export type MediaCard = Component<{ tag: Tag }>;

interface CardKind {
  /** The dashboard of the kind, by its name in links. */
  readonly dashboard: string;
  readonly dashboardLabel: string;
  readonly load: () => Promise<{ default: MediaCard }>;
}

const TABLES = { dashboard: 'tables', dashboardLabel: 'Tables' };

export const CARD_KINDS: Readonly<Record<SeriesKind, CardKind>> = {
  image: { dashboard: 'images', dashboardLabel: 'Images', load: () => import('./image/ImageCard.svelte') },
  audio: { dashboard: 'audio', dashboardLabel: 'Audio', load: () => import('./audio/AudioCard.svelte') },
  text: { dashboard: 'text', dashboardLabel: 'Text', load: () => import('./text/TextCard.svelte') },
  table: { ...TABLES, load: () => import('./table/TableCard.svelte') },
  confusion_matrix: { ...TABLES, load: () => import('./table/TileCard.svelte') },
  plotly: { ...TABLES, load: () => import('./table/TileCard.svelte') },
  html: { ...TABLES, load: () => import('./table/PageCard.svelte') },
};
