// How texts are shown; part of links and saved views.
import { choiceSetting, flagSetting, lookedAt, textSetting } from '../../state/settings/setting';

/** plain: as typed, with long lines wrapped. raw: letter by letter, also those that are not seen otherwise. */
export type TextMode = 'markdown' | 'plain' | 'raw';

export const TEXT_MODES = [
  { value: 'markdown', label: 'Markdown' },
  { value: 'plain', label: 'Plain', title: 'As it was typed' },
  { value: 'raw', label: 'Raw', title: 'Letter by letter, without wrapping; tables as JSON' },
] as const;

export const MODE = choiceSetting<TextMode>('text-mode', 'markdown', ['markdown', 'plain', 'raw']);
/** Every step below the other, newest first, instead of one at a time. */
export const IS_HISTORY = flagSetting('text-history', false);
/** What is looked for in all texts; '': nothing. */
export const SOUGHT = lookedAt(textSetting('text-search'));
export const IS_CASE_SOUGHT = lookedAt(flagSetting('text-search-case', false));
