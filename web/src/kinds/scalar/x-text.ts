// Places on the x axis in words. Every kind of axis has its own: steps are counted, times are times, metrics are numbers.
import { formatCompact, formatInteger } from '../../base/format';
import { formatMoment, formatSpan } from '../../base/time';
import type { XKind } from '../../chart/types';
import type { LineX } from '../../state/feeds/line-query';

export function xText(x: number, kind: XKind): string {
  if (kind === 'step') return formatInteger(x);
  if (kind === 'wall') return formatMoment(x);
  return kind === 'metric' ? formatCompact(x, 4) : formatSpan(x);
}

/** What x is called. */
export function xName({ axis, tag }: LineX): string {
  if (axis === 'metric') return tag;
  return { step: 'Step', relative: 'Relative', wall: 'Time', active: 'Active' }[axis];
}

/** One place on the axis: “Step 1,200”, “epoch 3.5”, “2 h 5 m”. */
export function placeText(x: number, of: LineX): string {
  if (of.axis === 'step') return `Step ${xText(Math.round(x), 'step')}`;
  if (of.axis === 'metric') return `${of.tag} ${xText(x, 'metric')}`;
  return of.axis === 'active' ? `${xText(x, 'active')} active` : xText(x, of.axis);
}
