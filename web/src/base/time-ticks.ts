// Ticks of time axes: moments by the calendar of this place (so that midnight is midnight, also where clocks change), and
// durations in the unit that fits. Both choose from the divisions people count time in, not from powers of ten.
import { trimZeros } from './format';
import { linearTicks, type Tick, type Ticks } from './ticks';

type Range = readonly [number, number];

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;
const MONTH_S = 30.44 * DAY_S;
const YEAR_S = 365.25 * DAY_S;

/** Distances within a day, in seconds. */
const DAY_PARTS_S = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
  3600, 7200, 10_800, 14_400, 21_600, 43_200,
];
const MONTH_NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Beyond this `Date` has no calendar (years ±275,760); such values are damage, and get no ticks. */
const LAST_MOMENT_S = 8.64e12;

/** Ticks of a wall-clock axis; x in seconds since 1970, labelled in local time. */
export function wallTicks(range: Range, maxCount: number): Ticks {
  return { major: calendarTicks(range, maxCount), minor: [] };
}

/** Ticks of a duration in seconds. */
export function relativeTicks(range: Range, maxCount: number): Ticks {
  return { major: durationTicks(range, maxCount) ?? linearTicks(range, maxCount).major, minor: [] };
}

function calendarTicks([fromS, toS]: Range, maxCount: number): Tick[] {
  if (!(toS > fromS) || fromS < -LAST_MOMENT_S || toS > LAST_MOMENT_S) return [];
  const leastStepS = (toS - fromS) / Math.max(1, maxCount);
  const partS = DAY_PARTS_S.find((candidate) => candidate >= leastStepS * (1 - 1e-9));
  if (partS !== undefined) return clockTicks(fromS, toS, partS);
  const dayCount = [1, 2, 7, 14].find((days) => days * DAY_S >= leastStepS);
  if (dayCount !== undefined) return dateTicks(fromS, toS, 'day', dayCount);
  const monthCount = [1, 2, 3, 6].find((months) => months * MONTH_S >= leastStepS);
  if (monthCount !== undefined) return dateTicks(fromS, toS, 'month', monthCount);
  return dateTicks(fromS, toS, 'year', niceCount(leastStepS / YEAR_S));
}

/** Times of day. Counted from each local midnight: after a change of the clocks 06:00 is still 06:00. */
function clockTicks(fromS: number, toS: number, stepS: number): Tick[] {
  const ticks: Tick[] = [];
  let context = '';
  const day = new Date(fromS * 1000);
  day.setHours(0, 0, 0, 0);
  while (day.getTime() / 1000 <= toS) {
    const midnightS = day.getTime() / 1000;
    day.setDate(day.getDate() + 1);
    const nextMidnightS = day.getTime() / 1000;
    let index = Math.max(0, Math.ceil((fromS - midnightS) / stepS - 1e-6));
    for (; ; index++) {
      // Rounded to the millisecond: 0.1 s steps do not add up exactly.
      const momentS = Math.round((midnightS + index * stepS) * 1000) / 1000;
      if (momentS >= nextMidnightS || momentS > toS) break;
      if (momentS < fromS) continue;
      const moment = new Date(Math.round(momentS * 1000));
      const date = dateText(moment);
      ticks.push({
        value: momentS,
        label: clockText(moment, stepS),
        context: date === context ? null : date,
      });
      context = date;
    }
  }
  return ticks;
}

function dateTicks(fromS: number, toS: number, unit: 'day' | 'month' | 'year', count: number): Tick[] {
  const ticks: Tick[] = [];
  let context = '';
  const start = new Date(fromS * 1000);
  const moment = new Date(start.getFullYear(), 0, 1);
  // Date reads years 0–99 as 1900–1999.
  moment.setFullYear(start.getFullYear());
  if (unit === 'day') moment.setMonth(start.getMonth(), 1);
  if (unit === 'year') moment.setFullYear(Math.floor(start.getFullYear() / count) * count);
  while (moment.getTime() / 1000 <= toS) {
    const valueS = moment.getTime() / 1000;
    const year = String(moment.getFullYear());
    const month = MONTH_NAMES[moment.getMonth()]!;
    if (valueS >= fromS && unit === 'year') ticks.push({ value: valueS, label: year, context: null });
    else if (valueS >= fromS) {
      const label = unit === 'day' ? `${moment.getDate()} ${month}` : month;
      ticks.push({ value: valueS, label, context: year === context ? null : year });
      context = year;
    }
    advance(moment, unit, count);
  }
  return ticks;
}

function advance(moment: Date, unit: 'day' | 'month' | 'year', count: number): void {
  if (unit === 'year') moment.setFullYear(moment.getFullYear() + count);
  else if (unit === 'month') moment.setMonth(moment.getMonth() + count);
  else {
    // Days restart with each month; the last ones before its end are left out so that no two come close.
    const month = moment.getMonth();
    moment.setDate(moment.getDate() + count);
    if (moment.getMonth() === month && count > 1) {
      const monthEnd = new Date(moment.getFullYear(), month + 1, 0).getDate();
      if (moment.getDate() + count / 2 > monthEnd + 1) moment.setMonth(month + 1, 1);
    } else if (moment.getMonth() !== month) moment.setDate(1);
  }
}

/** null: shorter than a clock can say; the caller writes plain seconds. */
function durationTicks([fromS, toS]: Range, maxCount: number): Tick[] | null {
  const spanS = toS - fromS;
  if (!(spanS > 0) || !Number.isFinite(spanS)) return [];
  const leastStepS = spanS / Math.max(1, maxCount);
  if (leastStepS < 0.001) return null;
  const stepS =
    DAY_PARTS_S.find((candidate) => candidate >= leastStepS * (1 - 1e-9)) ??
    niceCount(leastStepS / DAY_S) * DAY_S;
  const unit = durationUnit(Math.max(Math.abs(fromS), Math.abs(toS)));
  const ticks: Tick[] = [];
  for (let index = Math.ceil(fromS / stepS - 1e-9); ; index++) {
    const value = Math.round(index * stepS * 1000) / 1000;
    if (value > toS) break;
    if (value >= fromS) ticks.push({ value, label: durationText(value, stepS, unit), context: null });
  }
  return ticks;
}

type DurationUnit = 's' | 'min' | 'h' | 'd';
const UNIT_S: Record<DurationUnit, number> = { s: 1, min: MINUTE_S, h: HOUR_S, d: DAY_S };

/** The unit in which the largest value has between about 2 and 120 of it. */
function durationUnit(largestS: number): DurationUnit {
  if (largestS < 2 * MINUTE_S) return 's';
  if (largestS < 2 * HOUR_S) return 'min';
  return largestS < 2 * DAY_S ? 'h' : 'd';
}

function durationText(valueS: number, stepS: number, unit: DurationUnit): string {
  if (valueS === 0) return '0';
  const perUnit = stepS / UNIT_S[unit];
  // Halves are read easily; finer parts are written as on a clock.
  if (unit === 's' || Math.abs(perUnit * 2 - Math.round(perUnit * 2)) < 1e-9) {
    const decimals = unit === 's' ? Math.max(0, Math.ceil(-Math.log10(stepS) - 1e-9)) : 1;
    return `${signed(valueS, trimZeros((Math.abs(valueS) / UNIT_S[unit]).toFixed(decimals)))} ${unit}`;
  }
  const magnitude = Math.abs(valueS);
  const days = unit === 'd' ? Math.floor(magnitude / DAY_S + 1e-9) : 0;
  const restS = magnitude - days * DAY_S;
  if (unit === 'min') {
    return `${signed(valueS, `${Math.floor(restS / MINUTE_S + 1e-9)}:${secondsText(restS, stepS)}`)} min`;
  }
  const hours = Math.floor(restS / HOUR_S + 1e-9);
  const minutes = Math.floor((restS - hours * HOUR_S) / MINUTE_S + 1e-9);
  const tail = stepS < MINUTE_S ? `:${secondsText(restS, stepS)}` : '';
  const clock = `${unit === 'd' ? twoDigits(hours) : hours}:${twoDigits(minutes)}${tail}`;
  return unit === 'd' ? signed(valueS, `${days} d ${clock}`) : `${signed(valueS, clock)} h`;
}

function secondsText(restS: number, stepS: number): string {
  const decimals = Math.max(0, Math.ceil(-Math.log10(stepS) - 1e-9));
  const seconds = ((restS % MINUTE_S) + MINUTE_S) % MINUTE_S;
  const text = seconds.toFixed(decimals);
  return seconds < 10 ? `0${text}` : text;
}

/** The smallest of 1, 2, 5 × 10^k that is not below it. */
function niceCount(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((digit) => digit * power).find((count) => count >= least - 1e-9)!;
}

function clockText(moment: Date, stepS: number): string {
  const minutes = `${twoDigits(moment.getHours())}:${twoDigits(moment.getMinutes())}`;
  if (stepS >= MINUTE_S) return minutes;
  const seconds = `${minutes}:${twoDigits(moment.getSeconds())}`;
  if (stepS >= 1) return seconds;
  return `${seconds}.${String(moment.getMilliseconds()).padStart(3, '0')}`;
}

function dateText(moment: Date): string {
  return `${moment.getDate()} ${MONTH_NAMES[moment.getMonth()]!} ${moment.getFullYear()}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function signed(value: number, text: string): string {
  return value < 0 ? `−${text}` : text;
}
