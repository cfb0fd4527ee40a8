// Asks the server for the numbers of a table of values: one question per line of the chosen charts, over all of their points, as
// they were logged – no smoothing, nothing reduced.
import type { Page } from '../../../state/page.svelte';
import type { GridColumn } from './value-grid';

type Client = Pick<Page['client'], 'statistics'>;
type StatisticsAnswer = Awaited<ReturnType<Client['statistics']>>;
type StatisticsQuery = Parameters<Client['statistics']>[0]['queries'][number];

export type Statistic = 'last' | 'min' | 'max' | 'mean' | 'median' | 'at';

export const STATISTICS: readonly { readonly name: Statistic; readonly title: string }[] = [
  { name: 'last', title: 'Last' },
  { name: 'min', title: 'Minimum' },
  { name: 'max', title: 'Maximum' },
  { name: 'mean', title: 'Mean' },
  { name: 'median', title: 'Median' },
  { name: 'at', title: 'At the selected step' },
];

const COLUMN_WORDS: Readonly<Record<Statistic, string>> = {
  last: '',
  min: 'min',
  max: 'max',
  mean: 'mean',
  median: 'median',
  at: 'selected',
};

const COLUMN_NAMES = { last: 'end', min: 'min', max: 'max', mean: 'mean', median: 'median' } as const;

/** What one column of every statistic is about. */
export interface Asked {
  readonly title: string;
  readonly query: StatisticsQuery;
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
      const words = COLUMN_WORDS[statistic];
      // A table of one statistic says it in its caption, not in every column.
      const isNamed = words !== '' && (statistics.length > 1 || statistic !== 'last');
      const values = new Map<number, number>();
      const source = statistic === 'at' ? found?.at : found?.statistics;
      const list = statistic === 'at' ? found?.at?.value : found?.statistics[COLUMN_NAMES[statistic]];
      source?.run.forEach((run, i) => {
        const value = list?.[i] ?? null;
        // What is not finite comes as a word.
        if (value !== null) values.set(run, Number(value));
      });
      return { title: isNamed ? `${title} (${words})` : title, values };
    });
  });
}
