// The values of a card for the clipboard. Loaded when somebody wants them.
import { formatExact } from '../../base/format';
import type { Page } from '../../state/page.svelte';
import { copyText } from '../../widgets/clipboard';
import { lineValue, type ValueRow } from './value-rows';

/** Says how it went. */
export async function copyValues(page: Page, title: string, text: string): Promise<void> {
  const isCopied = await copyText(text);
  page.announce(isCopied ? `Copied the values of ${title}` : 'The browser did not let us copy');
}

/** Rows as a spreadsheet takes them from the clipboard. Tabs and line ends in names become blanks. */
export function tsvFrom(rows: readonly ValueRow[]): string {
  // Of a group nobody asks for a step; what is left empty for groups is not worth a column among them either.
  if (rows.some((row) => row.group !== undefined)) return groupTsvFrom(rows);
  const hasSmoothed = rows.some((row) => row.smoothed !== null);
  const hasBounds = rows.some((row) => row.bounds !== undefined);
  const header = [
    'run',
    ...(hasSmoothed ? ['smoothed'] : []),
    'value',
    ...(hasBounds ? ['low', 'high'] : []),
    ...['step', 'wall_time', 'relative_s'],
  ];
  const lines = rows.map((row) => [
    cellFrom(row.label),
    ...(hasSmoothed ? [row.smoothed === null ? '' : formatExact(row.smoothed)] : []),
    formatExact(row.value),
    ...(hasBounds ? [row.bounds?.low ?? NaN, row.bounds?.high ?? NaN].map(exactOrNothing) : []),
    formatExact(row.step),
    formatExact(row.wallS),
    formatExact(row.relativeS),
  ]);
  return tsvOf([header, ...lines]);
}

/** A run among groups is a line like theirs, of one member. */
function groupTsvFrom(rows: readonly ValueRow[]): string {
  const header = ['group', 'value', 'low', 'high', 'members', 'runs', 'x'];
  const lines = rows.map((row) => {
    const { label, x, group } = row;
    return [
      cellFrom(label),
      formatExact(lineValue(row)),
      ...[group?.low ?? NaN, group?.high ?? NaN, group?.members ?? 1, group?.runs ?? 1, x].map(
        exactOrNothing,
      ),
    ];
  });
  return tsvOf([header, ...lines]);
}

const exactOrNothing = (number: number) => (Number.isNaN(number) ? '' : formatExact(number));
const cellFrom = (label: string) => label.replace(/[\t\r\n]+/g, ' ');
const tsvOf = (lines: readonly (readonly string[])[]) =>
  lines.map((cells) => cells.join('\t')).join('\n') + '\n';
