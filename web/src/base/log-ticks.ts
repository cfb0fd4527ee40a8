// Ticks of logarithmic axes; see ticks.ts.
import { formatCompact, tidyExponent, trimZeros } from './format';
import { transform } from './scale';
import { linearTicks, withMinus, type Quantity, type Ticks } from './ticks';

type Range = readonly [number, number];

/** Decades, with 2 and 5 between them when there is room, every n-th decade when there is none. */
export function logTicks(range: Range, maxCount: number, quantity: Quantity = 'value'): Ticks {
  const [min, max] = range;
  if (!(min > 0) || !(max > min)) return { major: [], minor: [] };
  const first = Math.floor(Math.log10(min));
  const last = Math.ceil(Math.log10(max));
  const isInside = (value: number): boolean => value >= min && value <= max;
  const decades: number[] = [];
  for (let power = first; power <= last; power++) if (isInside(powerOfTen(power))) decades.push(power);
  // Less than two decades on the axis: log ticks alone would leave it without readable numbers.
  if (decades.length < 2) {
    const between = powersTimes(first, last, [1, 2, 5]).filter(isInside);
    return between.length >= 3 ? logLabels(between, [], quantity) : linearTicks(range, maxCount, quantity);
  }
  if (decades.length > maxCount) {
    const stride = Math.ceil(decades.length / Math.max(1, maxCount));
    // Round powers (…, -10, -5, 0, 5, …) where at least two of them are in view; else from the first decade on.
    const isRound = decades.filter((power) => power % stride === 0).length >= 2;
    const isLabelled = (power: number, i: number): boolean => (isRound ? power : i) % stride === 0;
    const rest = decades.filter((power, i) => !isLabelled(power, i));
    return logLabels(decades.filter(isLabelled).map(powerOfTen), rest.map(powerOfTen), quantity);
  }
  const hasRoom = decades.length * 3 <= maxCount;
  const labelled = hasRoom ? [1, 2, 5] : [1];
  const rest = [2, 3, 4, 5, 6, 7, 8, 9].filter((digit) => !labelled.includes(digit));
  return logLabels(
    powersTimes(first, last, labelled).filter(isInside),
    powersTimes(first, last, rest).filter(isInside),
    quantity,
  );
}

/** Of a duration in seconds: 1 s, 10 s, 100 s … in whatever unit fits each. */
export function logDurationTicks(range: Range, maxCount: number): Ticks {
  const ticks = logTicks(range, maxCount);
  return { major: ticks.major.map((tick) => ({ ...tick, label: `${tick.label} s` })), minor: ticks.minor };
}

/** Zero, and decades on both sides of it from the width of the linear part on. */
export function symlogTicks(range: Range, maxCount: number, linearWidth: number): Ticks {
  const [min, max] = range;
  if (!(max > min)) return { major: [], minor: [] };
  const firstPower = Math.ceil(Math.log10(linearWidth) - 1e-9);
  const lastPower = Math.floor(Math.log10(Math.max(Math.abs(min), Math.abs(max))));
  const isInside = (value: number): boolean => value >= min && value <= max;
  const all: number[] = [];
  const powers: number[] = [];
  for (let power = firstPower; power <= lastPower; power++) powers.push(power);
  for (const power of powers) all.push(-powerOfTen(power), powerOfTen(power));
  const count = all.filter(isInside).length + (isInside(0) ? 1 : 0);
  // Inside of one decade or of the linear part, ordinary ticks say more.
  if (count < 3) return linearTicks(range, maxCount);
  const stride = Math.max(1, Math.ceil(count / Math.max(1, maxCount)));
  const labelled: number[] = [];
  const minor: number[] = [];
  for (const sign of [-1, 1]) {
    powers.forEach((power, i) => {
      // Counted from the far end, so that the largest decade is always named.
      const isLabelled = (powers.length - 1 - i) % stride === 0;
      const value = sign * powerOfTen(power);
      if (isInside(value)) (isLabelled ? labelled : minor).push(value);
      if (stride > 1) return;
      for (let digit = 2; digit <= 9; digit++) if (isInside(value * digit)) minor.push(value * digit);
    });
  }
  if (isInside(0)) labelled.push(0);
  labelled.sort((a, b) => a - b);
  // Zero and the first decades can be close together; the decades next to zero give way.
  const t = (value: number): number => transform('symlog', value, linearWidth);
  const leastGap = (t(max) - t(min)) / (Math.max(1, maxCount) * 1.6);
  const major = labelled.filter((value) => value === 0 || !isInside(0) || Math.abs(t(value)) >= leastGap);
  return major.length >= 2 ? logLabels(major, minor, 'value') : linearTicks(range, maxCount);
}

function logLabels(major: readonly number[], minor: readonly number[], quantity: Quantity): Ticks {
  return {
    major: major.map((value) => ({ value, label: withMinus(roundLabel(value, quantity)), context: null })),
    minor,
  };
}

function roundLabel(value: number, quantity: Quantity): string {
  if (quantity === 'step') return formatCompact(value);
  const magnitude = Math.abs(value);
  if (value === 0 || (magnitude >= 1e-4 && magnitude < 1e6)) return trimZeros(value.toFixed(6));
  return tidyExponent(value.toExponential(0));
}

function powersTimes(first: number, last: number, digits: readonly number[]): number[] {
  const values: number[] = [];
  for (let power = first; power <= last; power++) {
    for (const digit of digits) values.push(Number(`${digit}e${power}`));
  }
  return values;
}

/** Exactly the number that people write: 10 ** -5 is a hair off 1e-5. */
function powerOfTen(power: number): number {
  return Number(`1e${power}`);
}
