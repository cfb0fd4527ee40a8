// Times and durations as people read them. Two units at most ("2 h 05 min", in narrow columns "2h 05m"), the smaller one
// padded so that columns of them line up; absolute times in the reader's time zone, always in the same order of parts
// (2026-02-10 14:03:22), because they are compared by eye, sorted and pasted. Everything takes seconds; times are wall
// times since 1970.

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;
/** From here on a date says more than a number of days. */
const RELATIVE_LIMIT_S = 30 * DAY_S;

/** "0.35 s", "42 s", "5 min 03 s", "2 h 05 min", "3 d 04 h". Negative durations (clocks that were set back) keep a minus. */
export function formatDuration(durationS: number): string {
  if (!Number.isFinite(durationS)) return '';
  if (durationS < 0) return `−${formatDuration(-durationS)}`;
  if (durationS === 0) return '0 s';
  if (durationS < 0.995) return `${Number(durationS.toPrecision(2))} s`;
  if (durationS < 9.95) return `${Math.round(durationS * 10) / 10} s`;
  if (durationS < 59.5) return `${Math.round(durationS)} s`;
  return twoUnits(durationS, [' d', ' h', ' min', ' s']);
}

/** The same in little room: "3d 04h", "2h 05m", "3m 12s", "12.3s". */
export function formatSpan(spanS: number): string {
  if (!Number.isFinite(spanS)) return '–';
  if (spanS < 0) return `−${formatSpan(-spanS)}`;
  if (spanS < 59.95) return `${spanS.toFixed(spanS < 9.995 ? 2 : 1)}s`;
  return twoUnits(spanS, ['d', 'h', 'm', 's']);
}

/** From a minute on. Rounded to the smaller of the two units first: 59.7 s is "1 min 00 s", never "60 s". */
function twoUnits(durationS: number, [day, hour, minute, second]: readonly [string, string, string, string]) {
  const seconds = Math.round(durationS);
  if (seconds < HOUR_S) {
    return `${Math.floor(seconds / MINUTE_S)}${minute} ${twoDigits(seconds % MINUTE_S)}${second}`;
  }
  const minutes = Math.round(durationS / MINUTE_S);
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}${hour} ${twoDigits(minutes % 60)}${minute}`;
  const hours = Math.round(durationS / HOUR_S);
  return `${Math.floor(hours / 24)}${day} ${twoDigits(hours % 24)}${hour}`;
}

/** "just now", "3 min ago", "5 h ago", "2 d ago", then the date. Times ahead of our clock by little are "just now". */
export function formatRelative(timeS: number, nowS: number): string {
  if (!Number.isFinite(timeS)) return '';
  const agoS = nowS - timeS;
  if (agoS > RELATIVE_LIMIT_S) return formatDate(timeS);
  if (agoS < -5 * MINUTE_S) return `in ${oneUnit(-agoS)}`;
  if (agoS < 10) return 'just now';
  return `${oneUnit(agoS)} ago`;
}

/** "2026-02-10 14:03:22" in the reader's time zone. */
export function formatAbsolute(timeS: number): string {
  const date = new Date(timeS * 1000);
  if (Number.isNaN(date.getTime())) return '';
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
  return `${formatDate(timeS)} ${clock}`;
}

const MOMENT_PARTS = {
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const;
const MOMENT = new Intl.DateTimeFormat('en-GB', MOMENT_PARTS);
const MOMENT_OF_A_YEAR = new Intl.DateTimeFormat('en-GB', { ...MOMENT_PARTS, year: 'numeric' });

/** "10 Feb 14:03:22", in another year than this one "10 Feb 2024 14:03:22": of steady width, for narrow columns. */
export function formatMoment(timeS: number): string {
  const date = new Date(timeS * 1000);
  if (Number.isNaN(date.getTime())) return '–';
  const format = isThisYear(timeS) ? MOMENT : MOMENT_OF_A_YEAR;
  return format.format(date).replace(',', '');
}

export function isThisYear(timeS: number): boolean {
  return new Date(timeS * 1000).getFullYear() === new Date().getFullYear();
}

/** "2026-02-10" in the reader's time zone. */
export function formatDate(timeS: number): string {
  const date = new Date(timeS * 1000);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

function oneUnit(durationS: number): string {
  if (durationS < MINUTE_S) return `${Math.floor(durationS)} s`;
  if (durationS < HOUR_S) return `${Math.floor(durationS / MINUTE_S)} min`;
  if (durationS < DAY_S) return `${Math.floor(durationS / HOUR_S)} h`;
  return `${Math.floor(durationS / DAY_S)} d`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
