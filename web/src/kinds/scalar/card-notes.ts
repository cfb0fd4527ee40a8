// What a card has to say about its picture, so that nothing is changed or left out in silence: smoothing, points beyond
// the axis, values a log scale cannot show, branches a restarted job has left behind, what the server could not compute,
// what everything is compared with.
import { countOf, formatInteger } from '../../base/format';
import type { Baseline, LineData } from '../../state/types';
import type { DecodedSeries } from './card-series';

type QueryNote = LineData<unknown>['notes'][number];

export interface Clipped {
  readonly above: number;
  readonly below: number;
}

export function outlierNote({ above, below }: Clipped): string | null {
  if (above === 0 && below === 0) return null;
  if (below === 0) return `${countOf(above, 'point')} above the axis`;
  if (above === 0) return `${countOf(below, 'point')} below the axis`;
  return `${countOf(above, 'point')} above, ${formatInteger(below)} below the axis`;
}

/** Reduced series contain only some of their points: the count is then a lower bound, and the note says so. */
export function logNote(hiddenCount: number, series: readonly DecodedSeries[]): string | null {
  if (hiddenCount === 0) return null;
  const isExact = series.every((one) => one.isExact);
  return `Log scale hides ${isExact ? '' : 'at least '}${countOf(hiddenCount, 'value')} ≤ 0`;
}

export function supersededNote(series: readonly DecodedSeries[], isShown: boolean): string | null {
  const count = series.reduce((sum, one) => sum + one.supersededCount, 0);
  if (count === 0) return null;
  const points = countOf(count, 'point');
  return isShown ? `Restart: ${points} shown` : `Restart: ${points} hidden`;
}

/** One thing to say about a card's lines. */
export interface CardNote {
  readonly text: string;
  /** Something that was asked for is not there. */
  readonly isError: boolean;
}

/** The server marks names as code; the page puts them in quotes. */
const quoted = (text: string): string => text.replace(/`([^`]+)`/g, '“$1”');

/** The server's sentences, each of them once; what is said of single runs in the same words is counted. Errors first. */
export function foldedNotes(notes: readonly Pick<QueryNote, 'run' | 'text' | 'is_error'>[]): CardNote[] {
  const byText = new Map<string, { count: number; isError: boolean }>();
  for (const { run, text, is_error: isError } of notes) {
    const known = byText.get(text) ?? { count: 0, isError: false };
    byText.set(text, { count: known.count + (run === null ? 0 : 1), isError: isError || known.isError });
  }
  return [...byText]
    .map(([text, { count, isError }]) => ({
      text: quoted(count > 1 ? `${countOf(count, 'run')}: ${text}` : text),
      isError,
    }))
    .sort((a, b) => Number(b.isError) - Number(a.isError));
}

/** Short, for the axis: what values are in the place of the values themselves. */
export function baselineLabel({ mode }: Baseline, run: string): string {
  if (mode === 'ratio') return `× ${run}`;
  return mode === 'percent' ? `% vs ${run}` : `Δ vs ${run}`;
}

export function membersNote(drawnCount: number, allCount: number): string | null {
  if (drawnCount === 0 || drawnCount >= allCount) return null;
  return `${formatInteger(drawnCount)} of ${formatInteger(allCount)} members drawn`;
}
