// A chart in a sentence, for those who hear the page instead of seeing it: how many runs or groups of them, over which
// range, where the first few stand now and which way they went.
import { formatValue } from '../../base/format';
import type { CardModel } from './card-model.svelte';
import type { ChartCard } from './card-spec';
import { xText } from './x-text';

const NAMED_RUNS = 3;
/** Less than this share of what the line covers is no trend. */
const FLAT_SHARE = 0.05;

export type Trend = 'rising' | 'falling' | 'flat';

/** From the mean of the first tenth to the mean of the last, against the whole height of the line. */
export function trendOf(y: Float64Array): Trend | null {
  let low = Infinity;
  let high = -Infinity;
  const finite: number[] = [];
  for (const value of y) {
    if (!Number.isFinite(value)) continue;
    finite.push(value);
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (finite.length < 2) return null;
  const tenth = Math.max(1, Math.floor(finite.length / 10));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const change = mean(finite.slice(-tenth)) - mean(finite.slice(0, tenth));
  if (Math.abs(change) <= FLAT_SHARE * (high - low)) return 'flat';
  return change > 0 ? 'rising' : 'falling';
}

/** Of a card, as it is drawn now. */
export function summaryOf(
  card: Pick<CardModel, 'title' | 'drawn' | 'x'> & { readonly spec: Pick<ChartCard, 'lines'> },
): string {
  const { title, drawn, spec } = card;
  const { axis } = card.x;
  const current = drawn.all.filter((one) => !one.isSuperseded && !one.chart.isBackground);
  if (current.length === 0) return `${title}: no points`;
  let first = Infinity;
  let last = -Infinity;
  for (const { chart } of current) {
    first = Math.min(first, chart.x[0] ?? Infinity);
    last = Math.max(last, chart.x[chart.x.length - 1] ?? -Infinity);
  }
  const named = current.slice(0, NAMED_RUNS).map(({ chart }) => {
    const trend = trendOf(chart.y);
    const lastValue = formatValue(chart.y[chart.y.length - 1] ?? NaN);
    return `${chart.label} ends at ${lastValue}${trend === null ? '' : `, ${trend}`}`;
  });
  const others = current.length - named.length;
  const groupCount = current.filter(({ run }) => run === null).length;
  const lineWord = spec.lines.length > 1 ? 'line' : 'run';
  const counts = [counted(groupCount, 'group'), counted(current.length - groupCount, lineWord)];
  const lines = counts.filter((text) => text !== '').join(' and ');
  const axisWord = { step: 'steps', relative: 'time', wall: 'time', active: 'time', metric: 'from' }[axis];
  const range = `${axisWord} ${xText(first, axis)} to ${xText(last, axis)}`;
  return `${title}: ${lines}, ${range}. ${named.join('; ')}${others > 0 ? `; and ${others} more` : ''}`;
}

function counted(count: number, word: string): string {
  return count === 0 ? '' : `${count} ${word}${count === 1 ? '' : 's'}`;
}
