// Charts as files: small, made to be checked in and passed on. What a file may hold is state/view-file.ts.
import type { ChartSpec } from '../../../state/types';
import { formatOf, MOST_FILE_BYTES, parseFile, readChartFile } from '../../../state/settings/view-file';
import { newChartId } from '../../../board/cards/own-charts';

/** Never rejects: whatever is wrong with the file is said in `problems`. */
export async function chartFrom(
  file: File,
): Promise<{ readonly chart: ChartSpec | null; readonly problems: readonly string[] }> {
  const refused = (why: string) => ({ chart: null, problems: [why] });
  if (file.size > MOST_FILE_BYTES) return refused('It is too large for a chart');
  const text = await file.text().catch(() => null);
  if (text === null) return refused('The browser could not read it');
  const raw = parseFile(text);
  if (formatOf(raw) === 'view') return refused('It is a whole view; those are opened by “Views”');
  return readChartFile(withId(raw));
}

/** Who writes a file by hand need not think of one. */
function withId(raw: unknown): unknown {
  if (formatOf(raw) !== 'chart') return raw;
  const chart = raw as { readonly id?: unknown };
  return typeof chart.id === 'string' && chart.id !== '' ? chart : { ...chart, id: newChartId([]) };
}
