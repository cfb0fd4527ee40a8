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

/** Edges are rounded to pixels: this much of the width away from the end is still at the end. */
const EDGE_SHARE = 0.005;

/** Whether a view shows the data up to its end, and so goes on with it when it grows. */
export function isAtEnd([from, to]: Range, end: number): boolean {
  return to >= end - EDGE_SHARE * (to - from);
}

/** As wide as before, `by` further on. */
export function slid([from, to]: Range, by: number): Range {
  const moved = (x: number) => Number((x + by).toPrecision(12));
  return [moved(from), moved(to)];
}

/**
 * What to ask for to show a range that goes on with the data: a little more, or each answer would know of one new point
 * only; and ends on a grid, so that not every new point is a new question.
 */
export function aheadOf([from, to]: Range): Range {
  const grid = 2 ** Math.floor(Math.log2((to - from) / 32));
  return [Math.floor(from / grid) * grid, (Math.floor(to / grid) + 2) * grid];
}

/** Numbers as short as the pixels allow, for links; 0 only where it was one, as logarithms have none. */
export function roundedRange([from, to]: Range): Range {
  const exponent = (value: number) => Math.floor(Math.log10(value));
  const rounded = (value: number) => {
    const size = Math.abs(value);
    const digits = exponent(size) - exponent(Math.min(to - from, size) / 1000) + 1;
    return value === 0 || digits > 17 ? value : Number(value.toPrecision(digits));
  };
  return [rounded(from), rounded(to)];
}
