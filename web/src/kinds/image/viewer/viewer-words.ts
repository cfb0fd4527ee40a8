// What the viewer shows, as settings: a link brings the same pictures, compared in the same way.
import {
  choiceSetting,
  lookedAt,
  numberSetting,
  optionalSetting,
  type Setting,
} from '../../../state/settings/setting';
import { slotsSetting } from '../../../board/tiles/slots';
import type { ValueRange } from '../../../base/pixels';
import { readViewport, writeViewport, type Viewport } from './viewport';

export const MOST_SLOTS = 16;
export const OPEN = slotsSetting('open', MOST_SLOTS);

export const MODES = ['grid', 'swipe', 'blink', 'difference'] as const;
export type Mode = (typeof MODES)[number];
export const MODE = lookedAt(choiceSetting<Mode>('open.mode', 'grid', MODES));

export const VIEWPORT = lookedAt(optionalSetting<Viewport>('open.at', readViewport, writeViewport));

/** Which values become black and white: all that there can be, those that there are, or typed ones. */
export type RangeChoice = 'full' | 'auto' | ValueRange;
export const RANGE: Setting<RangeChoice> = {
  word: 'open.range',
  usual: 'full',
  isLookedAt: true,
  read: (text) => {
    if (text === 'auto') return text;
    const [least = NaN, greatest = NaN] = text.split('..').map((part) => (part === '' ? NaN : Number(part)));
    return least < greatest && Number.isFinite(greatest - least) ? { least, greatest } : undefined;
  },
  write: (value) => (typeof value === 'string' ? value : `${value.least}..${value.greatest}`),
};

export const DIFFERENCE_MODE = choiceSetting('open.difference', 'absolute', ['absolute', 'signed'] as const);
/** Up to where the least difference of 16 bits is full. */
export const MOST_TIMES = 65_535;
export const DIFFERENCE_FACTOR = numberSetting('open.times', 1, 1, MOST_TIMES);
export const BLINK_MS = numberSetting('open.blink', 600, 100, 5000);
/** Where two are divided, in percent of the width. */
export const DIVIDER = lookedAt(numberSetting('open.swipe', 50, 0, 100));

/** Words that belong to this look at these pictures; the others are habits, and stay for the next one. */
export const OF_ONE_LOOK: readonly string[] = [MODE.word, VIEWPORT.word, RANGE.word, DIVIDER.word];

export { setSetting, settingOf } from '../../../state/settings/setting';
