// How far the data of a card goes in x, although a zoomed card only fetches what it shows. What was seen without a zoom
// counts; live growth extends it. A card that was never seen whole (a link into a zoomed view) learns its ends from the
// answers: the server sends one point beyond each end of the range, and where there is none, the data ends.
import type { Range } from '../../chart/types';

/** An infinite end is not known. */
export const UNKNOWN_LIMITS: Range = [-Infinity, Infinity];

/**
 * The limits after an answer. `shown`: what it was asked for; null: everything. `extents`: first and last x of each
 * line of it.
 */
export function learnedLimits(known: Range, extents: readonly Range[], shown: Range | null): Range {
  if (extents.length === 0) return known;
  let low = Infinity;
  let high = -Infinity;
  for (const [first, last] of extents) {
    low = Math.min(low, first);
    high = Math.max(high, last);
  }
  if (shown === null) return [low, high];
  return [
    Number.isFinite(known[0]) ? Math.min(known[0], low) : low >= shown[0] ? low : -Infinity,
    Number.isFinite(known[1]) ? Math.max(known[1], high) : high <= shown[1] ? high : Infinity,
  ];
}
