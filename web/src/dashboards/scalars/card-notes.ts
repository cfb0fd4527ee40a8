// What a card has to say about its picture, so that nothing is changed or left out in silence: smoothing, points beyond
// the axis, values a log scale cannot show, branches a restarted job has left behind.
import { formatInteger } from '../../base/format';
import type { DecodedSeries } from './card-series';

export interface Clipped {
  readonly above: number;
  readonly below: number;
}

const plural = (count: number, word: string) => `${formatInteger(count)} ${word}${count === 1 ? '' : 's'}`;

export function outlierNote({ above, below }: Clipped): string | null {
  if (above === 0 && below === 0) return null;
  if (below === 0) return `${plural(above, 'point')} above the axis`;
  if (above === 0) return `${plural(below, 'point')} below the axis`;
  return `${plural(above, 'point')} above, ${formatInteger(below)} below the axis`;
}

/** Reduced series contain only some of their points: the count is then a lower bound, and the note says so. */
export function logNote(hiddenCount: number, series: readonly DecodedSeries[]): string | null {
  if (hiddenCount === 0) return null;
  const isExact = series.every((one) => one.isExact);
  return `Log scale hides ${isExact ? '' : 'at least '}${plural(hiddenCount, 'value')} ≤ 0`;
}

export function supersededNote(series: readonly DecodedSeries[], isShown: boolean): string | null {
  const count = series.reduce((sum, one) => sum + one.supersededCount, 0);
  if (count === 0) return null;
  const points = plural(count, 'point');
  return isShown ? `Restart: ${points} shown` : `Restart: ${points} hidden`;
}
