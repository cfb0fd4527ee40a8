// Numbers of films as people read them.

/** 0:03.25; with hours where there are any. */
export function timeText(timeS: number): string {
  const hundredths = Math.floor(timeS * 100 + 1e-6);
  const seconds = Math.floor(hundredths / 100);
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const head = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  return `${head}:${two(seconds % 60)}.${two(hundredths % 100)}`;
}

/** 0.25×, 2×. */
export function speedText(speed: number): string {
  return `${Number(speed.toFixed(3))}×`;
}

const UNITS = ['kB', 'MB', 'GB'] as const;

export function bytesText(bytes: number): string {
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${UNITS[unit]}`;
}
