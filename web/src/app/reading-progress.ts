// How the data stands, and how to get newer: how far reading has come, and when something was last heard.
import { formatInteger } from '../base/format';
import { formatBytes } from '../base/file-size';
import { formatAbsolute } from '../base/time';
import type { Page } from '../state/page.svelte';
import type { MenuItem } from '../widgets/menu-item';
import type { ReadProgress } from '../wire/client';

/** 0 to 1. Bytes tell best; while only files are known, those do. */
export function readFraction(progress: ReadProgress): number {
  if (progress.is_done) return 1;
  const [done, total] =
    progress.bytes_total > 0
      ? [progress.bytes_done, progress.bytes_total]
      : [progress.files_done, progress.files_total];
  return total > 0 ? Math.min(1, done / total) : 0;
}

export function readingText(progress: ReadProgress): string {
  const files = `${formatInteger(progress.files_done)} of ${formatInteger(progress.files_total)} files`;
  return `Reading: ${files}, ${formatBytes(progress.bytes_done)} of ${formatBytes(progress.bytes_total)}`;
}

export function lastUpdateText(lastUpdateS: number | null): string {
  return lastUpdateS === null ? 'No data yet' : `Last update ${formatAbsolute(lastUpdateS)}`;
}

export function liveItems(page: Page): MenuItem[] {
  const { settings } = page;
  return [
    {
      label: 'Follow new data live',
      isChecked: settings.isLive,
      run: () => (settings.isLive = !settings.isLive),
    },
    { label: 'Look for new data now', icon: 'reload', run: () => void page.reload() },
  ];
}
