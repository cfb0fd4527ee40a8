// Sizes of files as text: decimal units, as disks and cloud bills count them.

const UNITS = ['kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** "0 B", "950 B", "1.2 kB", "34 MB": two digits, or three before the point. */
export function formatBytes(sizeBytes: number): string {
  if (!Number.isFinite(sizeBytes) || sizeBytes < 0) return '';
  if (sizeBytes < 1000) return `${Math.round(sizeBytes)} B`;
  let value = sizeBytes;
  let unit = -1;
  // 999,500 would round to "1000 kB": it is 1.0 MB.
  while (unit + 1 < UNITS.length && value >= 999.5) {
    value /= 1000;
    unit++;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit] ?? ''}`;
}
