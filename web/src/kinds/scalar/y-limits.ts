// Typed limits of the y axis. An empty box leaves that end to the data; a chart needs two numbers, so the end that was
// left open takes what the chart shows at that moment.
import type { Range, YScale } from '../../chart/types';

export type TypedLimits =
  { readonly ok: true; readonly range: Range | null } | { readonly ok: false; readonly error: string };

function numberFrom(text: string): number | null {
  const trimmed = text.trim().replace(/^[−–]/, '-');
  if (trimmed === '') return null;
  return Number(trimmed);
}

export function limitsFromTyped(
  lowText: string,
  highText: string,
  shown: Range,
  yScale: YScale,
): TypedLimits {
  const low = numberFrom(lowText);
  const high = numberFrom(highText);
  if (low === null && high === null) return { ok: true, range: null };
  for (const [name, limit] of [
    ['lower', low],
    ['upper', high],
  ] as const) {
    if (limit !== null && !Number.isFinite(limit)) {
      return { ok: false, error: `The ${name} limit is not a number; write for example 0.5 or 1e-3` };
    }
    if (limit !== null && limit <= 0 && yScale === 'log') {
      return {
        ok: false,
        error: 'A log scale has no place for 0 or less; choose symlog, or a limit above 0',
      };
    }
  }
  const range: Range = [low ?? shown[0], high ?? shown[1]];
  if (range[0] >= range[1]) {
    const other = low === null || high === null ? ` (the chart shows ${range[0]} to ${range[1]})` : '';
    return { ok: false, error: `The lower limit has to be below the upper one${other}` };
  }
  return { ok: true, range };
}
