// The page's own icon set: strokes on a 16 × 16 grid, 1.5 px wide, round ends, drawn with the current colour.
// Each entry is one path; sub-paths of tiny length ("h.01") draw dots. Names say what is seen or what it is for.

//
// Here are those of the first view; menus and dialogs have more (late-icon-paths.ts).
import type { LateIconName } from './late-icon-paths';

export const ICON_PATHS = {
  chart: 'M2.5 2.5v11h11M5 10l2.5-3.5L10 8.5l3-4.5',
  chevron: 'M6 3.5 10.5 8 6 12.5',
  'chevron-down': 'M3.5 6 8 10.5 12.5 6',
  close: 'M4 4l8 8M12 4l-8 8',
  columns: 'M2.5 3h11v10h-11ZM6.2 3v10M9.8 3v10',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  expand: 'M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5 9.5 6.5M2.5 13.5l4-4',
  fit: 'M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3',
  folder: 'M2 4h4l1.5 1.5H14v7H2Z',
  group: 'M2.5 2.5h11v4h-11ZM5.5 9.5h8M5.5 13h8',
  help: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM6.3 6.3a1.7 1.7 0 1 1 2.3 1.6c-.4.2-.6.5-.6 1.1M8 11.2v.01',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 7.5v3.5M8 5v.01',
  list: 'M2.5 4v.01M2.5 8v.01M2.5 12v.01M5.5 4h8M5.5 8h8M5.5 12h8',
  more: 'M8 3a.4.4 0 1 0 0 .8.4.4 0 0 0 0-.8ZM8 7.6a.4.4 0 1 0 0 .8.4.4 0 0 0 0-.8ZM8 12.2a.4.4 0 1 0 0 .8.4.4 0 0 0 0-.8Z',
  pin: 'M5 2h6M6 2v4.5L4 9v1h8V9l-2-2.5V2M8 10v4',
  plus: 'M8 3v10M3 8h10',
  reload: 'M13 4v3h-3M13 7a5.3 5.3 0 1 0 .2 2.5',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3 14 14',
  settings:
    'M2.5 5h5M11.5 5h2M2.5 11h2M8.5 11h5M9.5 3.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4ZM6.5 9.3a1.7 1.7 0 1 0 0 3.4 1.7 1.7 0 0 0 0-3.4Z',
  sidebar: 'M2 3h12v10H2ZM6 3v10',
  'sort-down': 'M8 4v8M5 9l3 3 3-3',
  'sort-up': 'M8 12V4M5 7l3-3 3 3',
  star: 'm8 2 1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5Z',
  table: 'M2 3h12v10H2ZM2 6.5h12M2 9.8h12M6 6.5V13',
  theme: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 2v12M9.5 4.5 11 3M9.5 8.5l4-4M9.5 12.5l4-4',
  tree: 'M3 2.5v9h4M3 6h4M9.5 4.5h4v3h-4ZM9.5 10h4v3h-4Z',
  warning: 'M8 2.5 14.5 13.5h-13ZM8 6.5v3.2M8 11.6v.01',
  'zoom-out': 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3 14 14M5 7h4',
} as const;

export type IconName = keyof typeof ICON_PATHS | LateIconName;
