// Where the step selector is: how it begins, what a typed place means, how a place is typed. Steps are whole numbers;
// times are typed in seconds, moments as a date.
import type { Range, XKind } from '../../../chart/types';
import type { LineX } from '../../../state/feeds/line-query';
import type { Selected } from '../../../state/types';
import { placeText, xText } from '../x-text';

export type SelectorMode = 'off' | 'step' | 'range';

export function modeOf(selected: Selected | null): SelectorMode {
  if (selected === null) return 'off';
  return selected.to === null ? 'step' : 'range';
}

export function nextMode(mode: SelectorMode): SelectorMode {
  return mode === 'off' ? 'step' : mode === 'step' ? 'range' : 'off';
}

/** Between two steps there is none. */
export function snapped({ from, to }: Selected, kind: XKind): Selected {
  const place = (x: number): number => (kind === 'step' ? Math.round(x) : x);
  return { from: place(from), to: to === null ? null : place(to) };
}

/** The selector in another mode: it stays where it was, as far as that has a meaning. `shown`: what charts show of x. */
export function inMode(
  mode: SelectorMode,
  before: Selected | null,
  shown: Range,
  { cursor, kind }: { readonly cursor: number | null; readonly kind: XKind },
): Selected | null {
  if (mode === 'off') return null;
  const [first, last] = shown;
  if (mode === 'step') {
    return snapped({ from: before?.from ?? cursor ?? (first + last) / 2, to: null }, kind);
  }
  if (before === null || before.to !== null) {
    return before ?? snapped({ from: first, to: last }, kind);
  }
  const { from } = before;
  return snapped(from < last ? { from, to: last } : { from: first, to: from }, kind);
}

/** As it stands in a text box. */
export function typedPlace(x: number, kind: XKind): string {
  if (kind !== 'wall') return String(Number(x.toPrecision(12)));
  const date = new Date(x * 1000);
  if (Number.isNaN(date.getTime())) return String(x);
  const two = (part: number): string => String(part).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** null: no place. */
export function placeFromTyped(text: string, kind: XKind): number | null {
  const trimmed = text.trim().replaceAll(',', '').replace(/^[−–]/, '-');
  if (trimmed === '') return null;
  const number = Number(trimmed);
  if (Number.isFinite(number)) return kind === 'step' ? Math.round(number) : number;
  if (kind !== 'wall') return null;
  const ms = Date.parse(trimmed.replace(' ', 'T'));
  return Number.isNaN(ms) ? null : ms / 1000;
}

/** From one place to another; the word for the axis is said once. */
export function rangeText(from: number, to: number, of: LineX): string {
  if (of.axis === 'step') return `${placeText(from, of)} – ${xText(Math.round(to), 'step')}`;
  if (of.axis === 'metric') return `${placeText(from, of)} – ${xText(to, 'metric')}`;
  return of.axis === 'active'
    ? `${xText(from, 'active')} – ${placeText(to, of)}`
    : `${placeText(from, of)} – ${placeText(to, of)}`;
}
