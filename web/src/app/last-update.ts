// When something was last heard from the server, in words for tooltips.
import { formatAbsolute } from '../base/time';

export function lastUpdateText(lastUpdateS: number | null): string {
  return lastUpdateS === null ? 'No data yet' : `Last update ${formatAbsolute(lastUpdateS)}`;
}
