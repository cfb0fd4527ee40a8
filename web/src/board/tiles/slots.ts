// Pictures, films, sounds and texts as text of a setting: a link brings the same ones.
//
// Runs are named, as their numbers are other ones after the server was started anew. One value is "run;tag;sample;step",
// several are divided by "$"; an empty tag is that of the value before, an empty step the last one. What divides is escaped
// by "!" where names hold it.
import { lookedAt, type Setting } from '../../state/settings/setting';

/** One value, as a link names it. */
export interface Slot {
  readonly run: string;
  readonly tag: string;
  readonly sample: number;
  /** null: the last one. */
  readonly step: number | null;
}

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

/** Those that make sense, at most so many. */
export function readSlots(text: string, most: number): Slot[] {
  const slots: Slot[] = [];
  let last = '';
  for (const part of text === '' ? [] : text.split('$')) {
    const [run = '', tag = '', sample = '', step = ''] = part.split(';');
    if (tag !== '') last = plain(tag);
    const numbers = [Number(sample), Number(step)] as const;
    if (last === '' || !Number.isSafeInteger(numbers[0]) || numbers[0] < 0 || Number.isNaN(numbers[1]))
      continue;
    slots.push({ run: plain(run), tag: last, sample: numbers[0], step: step === '' ? null : numbers[1] });
    if (slots.length === most) break;
  }
  return slots;
}

const NO_SLOTS: readonly Slot[] = [];

export function slotsSetting(word: string, most: number): Setting<readonly Slot[]> {
  return lookedAt({ word, usual: NO_SLOTS, read: (text) => readSlots(text, most), write: writeSlots });
}
