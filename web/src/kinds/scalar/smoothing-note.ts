// What a chart says about its smoothing.
import type { SmoothingKind } from './smoothing-scale';

/** Whether the line differs from the values at all. */
export function isSmoothing(smoothing: { readonly kind: SmoothingKind; readonly amount: number }): boolean {
  if (smoothing.kind === 'none') return false;
  return smoothing.kind === 'mean' ? smoothing.amount > 1 : smoothing.amount > 0;
}

/** What a chart says about its line; null when it shows the values themselves. */
export function smoothingNote(smoothing: {
  readonly kind: SmoothingKind;
  readonly amount: number;
}): string | null {
  if (!isSmoothing(smoothing)) return null;
  const { kind, amount } = smoothing;
  if (kind === 'ema') return `EMA ${amount}`;
  if (kind === 'time_ema') return `EMA by time ${amount}`;
  if (kind === 'gaussian') return `Gaussian σ ${amount}`;
  return `Mean of ${amount} points`;
}
