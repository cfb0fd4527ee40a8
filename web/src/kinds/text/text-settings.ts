// How texts are shown; part of links and saved views.
import {
  choiceSetting,
  flagSetting,
  lookedAt,
  oneOf,
  textSetting,
  type Setting,
} from '../../state/settings/setting';

/** plain: as typed, with long lines wrapped. */
export type TextMode = 'markdown' | 'plain';

export const TEXT_MODES = [
  { value: 'markdown', label: 'Markdown' },
  { value: 'plain', label: 'Plain', title: 'As it was typed' },
] as const;

export const MODE: Setting<TextMode> = {
  ...choiceSetting<TextMode>('text-mode', 'markdown', ['markdown', 'plain']),
  // Links from when there was a third way, letter by letter, say raw.
  read: (text) => oneOf(['markdown', 'plain'] as const, text === 'raw' ? 'plain' : text),
};
/** Every step below the other, newest first, instead of one at a time. */
export const IS_HISTORY = flagSetting('text-history', false);
/** What is looked for in all texts; '': nothing. */
export const SOUGHT = lookedAt(textSetting('text-search'));
export const IS_CASE_SOUGHT = lookedAt(flagSetting('text-search-case', false));
