// What the viewer shows, in words of view.media: a link brings the same pictures, compared in the same way.
//
// Runs are named, as their numbers are other ones after the server was started anew. One picture is "run;tag;sample;step",
// several are divided by "$"; an empty tag is that of the picture before, an empty step the last one. What divides is escaped
// by "!" where names hold it.
import {
  choiceSetting,
  flagSetting,
  numberSetting,
  setSetting,
  settingOf,
  type MediaSetting,
} from '../../media-view';
import type { ViewState } from '../../../state/types';
import type { ValueRange } from '../../../base/pixels';
import { readViewport, writeViewport, type Viewport } from './viewport';

type WithMedia = Pick<ViewState, 'media'>;

/** One picture of the viewer, as a link names it. */
export interface Slot {
  readonly run: string;
  readonly tag: string;
  readonly sample: number;
  /** null: the last one. */
  readonly step: number | null;
}

export const MOST_SLOTS = 16;

/** What view.fullScreenCard says while the viewer is open: a place of its own in the browser's history. */
export const VIEWER_PLACE = 'viewer:pictures';

const ESCAPES: Readonly<Record<string, string>> = { '!': '!!', ';': '!s', $: '!d' };
const MEANINGS: Readonly<Record<string, string>> = { '!!': '!', '!s': ';', '!d': '$' };

const escaped = (text: string): string => text.replace(/[!;$]/g, (sign) => ESCAPES[sign]!);
const plain = (text: string): string => text.replace(/![!sd]/g, (pair) => MEANINGS[pair]!);

export function writeSlots(slots: readonly Slot[]): string {
  return slots
    .map(({ run, tag, sample, step }, i) => {
      const isSameTag = slots[i - 1]?.tag === tag;
      return [escaped(run), isSameTag ? '' : escaped(tag), sample || '', step ?? ''].join(';');
    })
    .join('$');
}

/** Those that make sense, at most 16. */
export function readSlots(text: string): Slot[] {
  const slots: Slot[] = [];
  let last = '';
  for (const part of text === '' ? [] : text.split('$')) {
    const [run = '', tag = '', sample = '', step = ''] = part.split(';');
    if (tag !== '') last = plain(tag);
    const numbers = [Number(sample), Number(step)] as const;
    if (last === '' || !Number.isSafeInteger(numbers[0]) || numbers[0] < 0 || Number.isNaN(numbers[1]))
      continue;
    slots.push({ run: plain(run), tag: last, sample: numbers[0], step: step === '' ? null : numbers[1] });
    if (slots.length === MOST_SLOTS) break;
  }
  return slots;
}

const NO_SLOTS: readonly Slot[] = [];
export const OPEN: MediaSetting<readonly Slot[]> = {
  word: 'open',
  usual: NO_SLOTS,
  read: (text) => readSlots(text),
  write: writeSlots,
};

export const MODES = ['grid', 'swipe', 'blink', 'difference'] as const;
export type Mode = (typeof MODES)[number];
export const MODE = choiceSetting<Mode>('open.mode', 'grid', MODES);

export const VIEWPORT: MediaSetting<Viewport | null> = {
  word: 'open.at',
  usual: null,
  read: readViewport,
  write: (value) => (value === null ? '' : writeViewport(value)),
};

/** Which values become black and white: all that there can be, those that there are, or typed ones. */
export type RangeChoice = 'full' | 'auto' | ValueRange;
export const RANGE: MediaSetting<RangeChoice> = {
  word: 'open.range',
  usual: 'full',
  read: (text) => {
    if (text === 'auto') return text;
    const [least = NaN, greatest = NaN] = text.split('..').map((part) => (part === '' ? NaN : Number(part)));
    return least < greatest && Number.isFinite(greatest - least) ? { least, greatest } : undefined;
  },
  write: (value) => (typeof value === 'string' ? value : `${value.least}..${value.greatest}`),
};

/** 'auto': squares from 200 % on, smooth below. */
export const RESAMPLING = choiceSetting('open.scaling', 'auto', ['auto', 'nearest', 'smooth'] as const);
export const IS_PIXEL_GRID_SHOWN = flagSetting('open.grid', true);
export const IS_SYNCED = flagSetting('open.sync', true);
/** 'auto': together, unless a run is compared with itself at another step. */
export const STEPS_MOVE = choiceSetting('open.steps', 'auto', ['auto', 'together', 'own'] as const);
export const DIFFERENCE_MODE = choiceSetting('open.difference', 'absolute', ['absolute', 'signed'] as const);
export const DIFFERENCE_FACTOR = numberSetting('open.times', 1, 1, 100);
export const BLINK_MS = numberSetting('open.blink', 600, 100, 5000);

/** Words that belong to this look at these pictures; the others are habits, and stay for the next one. */
const OF_ONE_LOOK: readonly string[] = [OPEN.word, MODE.word, VIEWPORT.word, RANGE.word];

export function isViewerOpen(view: Pick<ViewState, 'fullScreenCard' | 'media'>): boolean {
  return view.fullScreenCard === VIEWER_PLACE && settingOf(view, OPEN).length > 0;
}

/** Takes away what a closed viewer leaves behind; returns it for whoever comes back. */
export function clearViewer(view: WithMedia): Readonly<Record<string, string>> {
  const entries = Object.entries(view.media);
  const left = entries.filter(([word]) => OF_ONE_LOOK.includes(word));
  if (left.length > 0) {
    view.media = Object.fromEntries(entries.filter(([word]) => !OF_ONE_LOOK.includes(word)));
  }
  return Object.fromEntries(left);
}

export { setSetting, settingOf };
