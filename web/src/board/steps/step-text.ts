// Steps as people read and type them.
import { formatExact, formatInteger } from '../../base/format';

/** 1,200; steps that are no whole numbers keep every digit. */
export function stepText(step: number): string {
  return Number.isInteger(step) && Math.abs(step) < 1e15 ? formatInteger(step) : formatExact(step);
}

/** `1,200`, `1 200`, `1_200`, `12k` and `1e6` are steps; null: it is none. */
export function parseStep(text: string): number | null {
  const match = /^([+-]?[\d.]+(?:e[+-]?\d+)?)([km]?)$/i.exec(text.replace(/[\s,_]/g, ''));
  if (match === null) return null;
  const factor = { k: 1e3, m: 1e6 }[match[2]!.toLowerCase()] ?? 1;
  const step = Number(match[1]) * factor;
  return Number.isFinite(step) ? step : null;
}
