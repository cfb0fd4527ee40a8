// Times in a value table: short, of steady width, in the reader's time zone.
const MOMENT = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** "10 Feb 14:03:22". */
export function formatMoment(wallS: number): string {
  const date = new Date(wallS * 1000);
  return Number.isNaN(date.getTime()) ? '–' : MOMENT.format(date).replace(',', '');
}

const two = (count: number) => String(count).padStart(2, '0');

/** The two greatest units: "3d 04h", "2h 05m", "3m 12s", "12.3s". */
export function formatSpan(spanS: number): string {
  if (!Number.isFinite(spanS)) return '–';
  const sign = spanS < 0 ? '−' : '';
  const s = Math.abs(spanS);
  if (s < 59.95) return `${sign}${s < 9.995 ? s.toFixed(2) : s.toFixed(1)}s`;
  const whole = Math.round(s);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${sign}${minutes}m ${two(whole % 60)}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${sign}${hours}h ${two(minutes % 60)}m`;
  return `${sign}${Math.floor(hours / 24)}d ${two(hours % 24)}h`;
}
