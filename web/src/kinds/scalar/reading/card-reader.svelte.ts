// What is read off one card that is near the viewport: its notes as marks, the limits that fit it, what to ask the server
// about it, and the rows of its table.
import { fitView, type Fit } from '../../../chart/fit';
import type { ChartMark } from '../../../chart/types';
import { isSmoothing } from '../../../state/settings/smoothing';
import { groupSeriesKey, seriesKey } from '../card-series';
import { lineName } from '../card-spec';
import { shownColumns, type Column, type TableKind } from './columns';
import type { Reading } from './reading.svelte';
import type { CardModel } from '../card-model.svelte';
import { groupRow, sortedRows, tableTsv, valuesByRun, type ReadingRow, type RowLook } from './reading-rows';
import type { StatisticsQuery, Wish } from './statistics-feed.svelte';

export class CardReader {
  readonly #reading: Reading;
  readonly card: CardModel;

  readonly fit: Fit = $derived.by(() =>
    fitView(
      this.card.drawn.all.map(({ chart }) => chart),
      this.card.fitted,
    ),
  );
  readonly marks: readonly ChartMark[] = $derived.by(() => this.#reading.marksOf(this.card));
  readonly rows: readonly ReadingRow[] = $derived.by(() =>
    sortedRows(this.#makeRows(), this.#reading.sorts[this.kind]),
  );

  constructor(reading: Reading, card: CardModel) {
    this.#reading = reading;
    this.card = card;
  }

  get kind(): TableKind {
    return this.#reading.mode === 'range' ? 'range' : 'step';
  }

  columns(isFull: boolean): Column[] {
    return shownColumns(this.kind, { isFull, hasSmoothed: this.#hasSmoothed });
  }

  /** The numbers of the range are about smoothed lines: nobody should take them for what was logged. */
  get isOfSmoothed(): boolean {
    return this.kind === 'range' && this.#reading.isRangeSmoothed && this.#hasSmoothed;
  }

  get #hasSmoothed(): boolean {
    return this.card.spec.lines.some((line) => this.#smoothingOf(line) !== null);
  }

  tsv(): string {
    return tableTsv(this.rows, this.columns(true));
  }

  wish(): Wish {
    const { kind, card } = this;
    const { page, isRangeSmoothed } = this.#reading;
    const { view, runs } = page;
    const { from, to } = view.selected!;
    const compared = card.spec.baseline ?? view.baseline;
    const baseline = compared === null ? undefined : runs.idOf(compared.run);
    const queries = card.spec.lines.map((line): StatisticsQuery => {
      const { tag, formula } = line;
      const known = formula === '' ? page.tags.find('scalar', tag) : undefined;
      const smoothing = kind === 'step' || isRangeSmoothed ? this.#smoothingOf(line) : null;
      return {
        ...(formula === '' ? { tag } : { formula }),
        x: card.x.axis,
        ...(card.x.tag !== '' && { x_tag: card.x.tag }),
        ...(compared !== null &&
          baseline !== undefined && { baseline: { run: baseline, mode: compared.mode } }),
        ...(smoothing !== null && { smoothing }),
        runs: runs.visibleIds.filter((run) => formula !== '' || (known?.hasRun(run) ?? false)),
        // At one place the statistics are not looked at: the least there is of them.
        x_range: [from, to ?? from],
        at: to === null ? from : null,
      };
    });
    return { kind, queries, data: card.drawn };
  }

  #smoothingOf({ smoothing }: CardModel['spec']['lines'][number]) {
    const wanted = smoothing ?? this.#reading.page.view.smoothing;
    return isSmoothing(wanted) ? wanted : null;
  }

  #makeRows(): ReadingRow[] {
    const numbers = this.#reading.numbersOf(this.card);
    const { lines } = this.card.spec;
    // Of another kind of table: names without numbers, so that nothing jumps.
    const isUsable =
      numbers !== null && numbers.kind === this.kind && numbers.ofLines.length === lines.length;
    return lines.flatMap((_, line) => {
      const byRun = isUsable ? valuesByRun(this.kind, numbers.ofLines[line]!) : null;
      return this.#rowsOfLine(line, byRun);
    });
  }

  #rowsOfLine(line: number, byRun: ReadonlyMap<number, ReadingRow['values']> | null): ReadingRow[] {
    const { runs, view } = this.#reading.page;
    const rows: ReadingRow[] = [];
    if (view.grouping !== null) {
      for (const { group, runs: members } of runs.visibleGroups) {
        const ofMembers = members.flatMap((run) => byRun?.get(run) ?? []);
        if (byRun !== null && ofMembers.length === 0) continue;
        const look = this.#look(
          line,
          groupSeriesKey(group.key, line),
          group.label,
          runs.groupColor(group.key),
        );
        rows.push(groupRow(look, ofMembers));
      }
    }
    for (const run of runs.visibleIds) {
      const key = seriesKey(run, false, line);
      const values = byRun === null ? (this.card.drawn.get(key) ? {} : undefined) : byRun.get(run);
      if (values === undefined) continue;
      const look = this.#look(line, key, runs.shortName(run), runs.color(run), runs.dash(run) !== null);
      rows.push({ ...look, run, values });
    }
    return rows;
  }

  /** As its line is drawn; a line that is not has the colour of its run. */
  #look(line: number, key: string, name: string, color: string, isDashed = false): RowLook {
    const chart = this.card.drawn.get(key)?.chart;
    if (chart) return { key, label: chart.label, color: chart.color, isDashed: chart.dash !== null };
    const { lines } = this.card.spec;
    const label = lines.length > 1 ? `${name} · ${lineName(lines[line]!)}` : name;
    return { key, label, color, isDashed };
  }
}
