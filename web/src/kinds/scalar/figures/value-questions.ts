// Asks the server for the numbers of a table of values: one question per line of the chosen charts, over all of their points –
// no smoothing, nothing reduced. What charts are compared with holds here, too, and is said in the column's title.
import { lineX } from '../../../state/feeds/line-query';
import type { Page } from '../../../state/page.svelte';
import type { ViewState } from '../../../state/types';
import { baselineLabel } from '../card-notes';
import { lineName, sourceOf, type ChartCard } from '../card-spec';
import type { GridColumn } from './value-grid';

type Client = Pick<Page['client'], 'statistics'>;
type StatisticsAnswer = Awaited<ReturnType<Client['statistics']>>;
type StatisticsQuery = Parameters<Client['statistics']>[0]['queries'][number];

export type Statistic = 'last' | 'min' | 'max' | 'mean' | 'median' | 'at';

/** `word`: in a column's title. `column`: of the answer; null: the values at the selected step. */
export const STATISTICS = [
  { name: 'last', title: 'Last', word: '', column: 'end' },
  { name: 'min', title: 'Minimum', word: 'min', column: 'min' },
  { name: 'max', title: 'Maximum', word: 'max', column: 'max' },
  { name: 'mean', title: 'Mean', word: 'mean', column: 'mean' },
  { name: 'median', title: 'Median', word: 'median', column: 'median' },
  { name: 'at', title: 'At the selected step', word: 'selected', column: null },
] as const;

/** What one column of every statistic is about. */
export interface Asked {
  readonly title: string;
  readonly query: StatisticsQuery;
}

/** A line that can be a column. */
export interface TableLine {
  readonly id: string;
  readonly title: string;
  readonly ask: (runs: readonly number[]) => StatisticsQuery;
}

/** Of these charts, each line once; the stretch or place that is selected is one of the page's x axis. */
export function linesOf(
  specs: readonly ChartCard[],
  view: Pick<ViewState, 'xAxis' | 'xTag' | 'selected' | 'baseline'>,
  runs: Pick<Page['runs'], 'idOf' | 'shortName'>,
): TableLine[] {
  const { selected } = view;
  const x = lineX(null, view);
  const found = new Map<string, TableLine>();
  for (const spec of specs) {
    for (const line of spec.lines) {
      const { tag, formula, baseline } = sourceOf(spec, line);
      const compared = baseline ?? view.baseline;
      const run = compared === null ? undefined : runs.idOf(compared.run);
      const isCompared = compared !== null && run !== undefined;
      const name = lineName(line);
      const title = isCompared ? `${name} (${baselineLabel(compared, runs.shortName(run))})` : name;
      const id = JSON.stringify([title, tag, formula]);
      if (found.has(id)) continue;
      const query = {
        ...(formula === '' ? { tag } : { formula }),
        x: x.axis,
        ...(x.tag !== '' && { x_tag: x.tag }),
        ...(isCompared && { baseline: { run, mode: compared.mode } }),
        x_range: selected && selected.to !== null ? ([selected.from, selected.to] as [number, number]) : null,
        at: selected === null ? null : selected.from,
      };
      found.set(id, { id, title, ask: (ids) => ({ ...query, runs: [...ids] }) });
    }
  }
  return [...found.values()];
}

export async function askForColumns(
  client: Client,
  asked: readonly Asked[],
  statistics: readonly Statistic[],
  signal: AbortSignal,
): Promise<{ readonly columns: readonly GridColumn[]; readonly notes: readonly string[] }> {
  if (asked.length === 0 || statistics.length === 0) return { columns: [], notes: [] };
  const answer = await client.statistics({ queries: asked.map(({ query }) => query) }, signal);
  return { columns: columnsFrom(answer, asked, statistics), notes: answer.notes.map(({ text }) => text) };
}

export function columnsFrom(
  answer: Pick<StatisticsAnswer, 'queries'>,
  asked: readonly Asked[],
  statistics: readonly Statistic[],
): GridColumn[] {
  return asked.flatMap(({ title }, index) => {
    const found = answer.queries.find(({ query }) => query === index);
    return statistics.map((statistic): GridColumn => {
      const { word, column } = STATISTICS.find(({ name }) => name === statistic)!;
      const values = new Map<number, number>();
      const source = column === null ? found?.at : found?.statistics;
      const list = column === null ? found?.at?.value : found?.statistics[column];
      source?.run.forEach((run, i) => {
        const value = list?.[i] ?? null;
        // What is not finite comes as a word.
        if (value !== null) values.set(run, Number(value));
      });
      return { title: word === '' ? title : `${title} (${word})`, values };
    });
  });
}
