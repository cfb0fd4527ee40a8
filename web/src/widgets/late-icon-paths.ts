// Icons that only menus, panels and dialogs show; see icon-paths.ts.

export const LATE_ICON_PATHS = {
  archive: 'M2 3h12v3H2ZM3 6v7h10V6M6.5 9h3',
  check: 'M3 8.5 6.5 12 13 4.5',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 5v3l2 1.5',
  command:
    'M6 6h4v4H6ZM6 6V4.3A1.7 1.7 0 1 0 4.3 6H6M10 6V4.3A1.7 1.7 0 1 1 11.7 6H10M6 10v1.7A1.7 1.7 0 1 1 4.3 10H6M10 10v1.7a1.7 1.7 0 1 0 1.7-1.7H10',
  copy: 'M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3',
  edit: 'M10.5 3 13 5.5 5.5 13H3v-2.5Z',
  eye: 'M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6Z',
  'eye-off':
    'M3 13 13 3M6.3 3.9A6 6 0 0 1 8 3.5c4 0 6.5 4.5 6.5 4.5a11 11 0 0 1-1.7 2.2M10 12.1a6 6 0 0 1-2 .4C4 12.5 1.5 8 1.5 8a11 11 0 0 1 2-2.4',
  invert: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 2v12M8 5h3.5M8 8h5.8M8 11h4',
  label: 'M2.5 2.5h5l6 6-5 5-6-6ZM5.2 5.2v.01',
  link: 'M6.8 9.2a2.5 2.5 0 0 0 3.6 0l2.3-2.3a2.5 2.5 0 0 0-3.6-3.6L8 4.4M9.2 6.8a2.5 2.5 0 0 0-3.6 0L3.3 9.1a2.5 2.5 0 0 0 3.6 3.6L8 11.6',
  loop: 'M11 2l2.5 2.5L11 7M13.5 4.5H5a2.5 2.5 0 0 0-2.5 2.5v1M5 14l-2.5-2.5L5 9M2.5 11.5H11A2.5 2.5 0 0 0 13.5 9V8',
  only: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 7v2M7 8h2',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3v10l8-5Z',
  repeat: 'M3.5 7.5V6a2 2 0 0 1 2-2h7M10.5 2l2 2-2 2M12.5 8.5V10a2 2 0 0 1-2 2h-7M5.5 14l-2-2 2-2',
  'to-end': 'M4 3.5 8.5 8 4 12.5M12 3.5v9',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.5 9h6l.5-9M7 7v4M9 7v4',
  undo: 'm5.5 3-3 3 3 3M2.5 6H9a4 4 0 0 1 0 8H6',
  'zoom-in': 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3 14 14M5 7h4M7 5v4',
} as const;

export type LateIconName = keyof typeof LATE_ICON_PATHS;
