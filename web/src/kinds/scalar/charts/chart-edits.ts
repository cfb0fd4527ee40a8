// Charts that people put together by hand, as plain data, and what can be done with them. Every edit returns new lists and
// changes nothing in place; undoing one leaves alone whatever else has changed since.
import type { CardId, ChartSpec, LineSpec } from '../../../state/types';
import { chartCardId } from '../../../board/cards/card-spec';
import { lineName } from '../card-spec';
import { MOST_LINES } from '../../../board/cards/own-charts';
import { placed, sectionOf, type Arrangement } from '../../../board/cards/section-edits';

/** What can be drawn: a line whose tag or formula is still to be said is not. */
export function drawableLines(lines: readonly LineSpec[]): LineSpec[] {
  return lines.filter(({ tag, formula }) => tag !== '' || formula.trim() !== '');
}

/** Those of `more` that are not there yet, whatever they look like: the same line twice shows nothing new. */
export function newLines(lines: readonly LineSpec[], more: readonly LineSpec[]): LineSpec[] {
  const known = new Set(lines.map(sourceKey));
  return more.filter((line) => !known.has(sourceKey(line)) && known.add(sourceKey(line)));
}

function sourceKey({ tag, formula }: LineSpec): string {
  return formula === '' ? `tag ${tag}` : `formula ${formula.trim()}`;
}

/** As many as a chart can hold. */
export function withLines(chart: ChartSpec, more: readonly LineSpec[]): ChartSpec {
  return { ...chart, lines: [...chart.lines, ...newLines(chart.lines, more)].slice(0, MOST_LINES) };
}

/** In the place of the chart that has its id; nothing happens when there is none any more. */
export function withChart(charts: readonly ChartSpec[], chart: ChartSpec): ChartSpec[] {
  return charts.map((one) => (one.id === chart.id ? chart : one));
}

/** A new chart, right behind the card that it was made from: in its section, and among the pins if that is where it was seen. */
export function withNewChart(
  arrangement: Arrangement,
  chart: ChartSpec,
  { beside = null, isPinned = false }: { beside?: CardId | null; isPinned?: boolean } = {},
): Arrangement {
  const id = chartCardId(chart.id);
  let made: Arrangement = { ...arrangement, charts: [...arrangement.charts, chart] };
  if (beside === null) return made;
  const section = sectionOf(made.sections, beside);
  if (section !== -1) made = placed(made, id, section, behind(made.sections[section]!.cards, beside));
  else if (made.charts.some((one) => chartCardId(one.id) === beside)) {
    const ids = made.charts.map((one) => chartCardId(one.id)).filter((one) => one !== id);
    made = placed(made, id, 'charts', behind(ids, beside));
  }
  return isPinned ? placed(made, id, 'pins', behind(made.pins, beside)) : made;
}

function behind(cards: readonly CardId[], beside: CardId): CardId | null {
  const at = cards.indexOf(beside);
  return at === -1 ? null : (cards[at + 1] ?? null);
}

/** Where a chart was, so that it can be put back. */
export interface RemovedChart {
  readonly chart: ChartSpec;
  readonly index: number;
  readonly section: { readonly name: string; readonly index: number } | null;
  /** −1: not pinned. */
  readonly pin: number;
}

export function withoutChart(
  arrangement: Arrangement,
  chartId: string,
): { readonly arrangement: Arrangement; readonly removed: RemovedChart } | null {
  const { charts, sections, pins } = arrangement;
  const index = charts.findIndex(({ id }) => id === chartId);
  const chart = charts[index];
  if (chart === undefined) return null;
  const card = chartCardId(chartId);
  const place = sectionOf(sections, card);
  const section =
    place === -1 ? null : { name: sections[place]!.name, index: sections[place]!.cards.indexOf(card) };
  return {
    arrangement: {
      charts: charts.filter((one) => one !== chart),
      sections: sections.map((one, i) =>
        i === place ? { ...one, cards: one.cards.filter((id) => id !== card) } : one,
      ),
      pins: pins.filter((id) => id !== card),
    },
    removed: { chart, index, section, pin: pins.indexOf(card) },
  };
}

/** What has gone in the meantime (its section) is not made again: the chart then stands among the others. */
export function restored(arrangement: Arrangement, removed: RemovedChart): Arrangement {
  const { chart, index, section, pin } = removed;
  if (arrangement.charts.some(({ id }) => id === chart.id)) return arrangement;
  const card = chartCardId(chart.id);
  return {
    charts: inserted(arrangement.charts, chart, index),
    sections: arrangement.sections.map((one) =>
      one.name === section?.name ? { ...one, cards: inserted(one.cards, card, section.index) } : one,
    ),
    pins: pin === -1 ? arrangement.pins : inserted(arrangement.pins, card, pin),
  };
}

function inserted<T>(list: readonly T[], item: T, index: number): T[] {
  return [...list.slice(0, index), item, ...list.slice(index)];
}

/** For sentences: “a”, “a and b”, “a, b and 3 more”. */
export function namesOf(lines: readonly LineSpec[]): string {
  const names = lines.map(lineName);
  if (names.length <= 2) return names.join(' and ');
  if (names.length === 3) return `${names[0]}, ${names[1]} and ${names[2]}`;
  return `${names[0]}, ${names[1]} and ${names.length - 2} more`;
}

/** "Losses" → "Losses (copy)", "Losses (copy 2)" …; without a title the lines name it, twice the same. */
export function copyTitle(title: string, charts: readonly ChartSpec[]): string {
  if (title === '') return '';
  const stem = title.replace(/ \(copy(?: \d+)?\)$/, '');
  const taken = new Set(charts.map((chart) => chart.title));
  for (let count = 1; ; count++) {
    const name = `${stem} (copy${count === 1 ? '' : ` ${count}`})`;
    if (!taken.has(name)) return name;
  }
}

export function isSameChart(one: ChartSpec, other: ChartSpec): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
