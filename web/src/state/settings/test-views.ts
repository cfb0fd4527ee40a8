// Views as people might make them, and worse: for tests of what is written and read back.
import fc from 'fast-check';
import type { ChartSpec, LineSpec, Selection, ViewState } from '../types';

/** Names as they come from files: any text, but no halves of surrogate pairs. */
export const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const names = fc.uniqueArray(name, { maxLength: 4 });
const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 });
const range = fc
  .tuple(number, number)
  .filter(([a, b]) => a !== b)
  .map(([a, b]): [number, number] => (a < b ? [a, b] : [b, a]));
const yScale = fc.constantFrom('linear' as const, 'log' as const, 'symlog' as const);

const selection: fc.Arbitrary<Selection> = fc.oneof(
  fc.constant<Selection>({ rule: 'auto', except: [] }),
  fc.record({ rule: fc.constantFrom('all' as const, 'none' as const), except: names }),
  fc.record({ rule: fc.constant('latest' as const), count: fc.nat(1000), except: names, also: names }),
);

const smoothing: fc.Arbitrary<ViewState['smoothing']> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('ema' as const, 'time_ema' as const),
    amount: fc.double({ min: 0, max: 0.999, noNaN: true }),
  }),
  fc.record({ kind: fc.constantFrom('gaussian' as const, 'mean' as const), amount: fc.nat(1000) }),
  fc.constant({ kind: 'none' as const, amount: 0 }),
);

const baseline = fc.record({
  run: name,
  mode: fc.constantFrom('difference' as const, 'ratio' as const, 'percent' as const),
});

const line: fc.Arbitrary<LineSpec> = fc
  .record<LineSpec>({
    tag: name,
    formula: text,
    label: text,
    axis: fc.constantFrom('left', 'right'),
    color: fc.constantFrom('', '#00ff7f'),
    dash: fc.constantFrom('auto', 'solid', 'dashed', 'dotted'),
    widthPx: fc.constantFrom(1, 2, 3),
    smoothing: fc.option(smoothing),
    bounds: fc.option(
      fc.oneof(fc.record({ lower: name, upper: text }), fc.record({ lower: fc.constant(''), upper: name })),
      { nil: undefined },
    ),
  })
  .map(({ bounds, ...any }) => ({
    ...any,
    tag: any.formula === '' ? any.tag : '',
    ...(bounds && { bounds }),
  }));

export const chart: fc.Arbitrary<ChartSpec> = fc.record<ChartSpec>({
  id: name,
  title: text,
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  baseline: fc.option(baseline),
  x: fc.option(
    fc.oneof(
      fc.record({ axis: fc.constantFrom('step' as const, 'active' as const), tag: fc.constant('') }),
      fc.record({ axis: fc.constant('metric' as const), tag: name }),
    ),
  ),
});

const span = fc.constantFrom(2 as const, 3 as const);

export const anyView: fc.Arbitrary<ViewState> = fc
  .record<ViewState>({
    dashboard: fc.constantFrom('timeseries', 'scalars', 'my plugin/ö&='),
    runFilter: text,
    runFilterKind: fc.constantFrom('regex', 'text', 'expression'),
    tagFilter: text,
    selection,
    smoothing,
    xAxis: fc.constantFrom('step', 'relative', 'wall', 'active', 'metric'),
    xTag: name,
    grouping: fc.option(
      fc.record({
        by: fc.oneof(
          fc.record({ kind: fc.constant('folder' as const), depth: fc.integer({ min: 1, max: 9 }) }),
          fc.record({ kind: fc.constant('regex' as const), pattern: name }),
          fc.record({ kind: fc.constant('label' as const) }),
          fc.record({ kind: fc.constantFrom('field' as const, 'column' as const), name }),
        ),
        center: fc.constantFrom('mean' as const, 'median' as const),
        band: fc.constantFrom('none', 'std', 'sem', 'minmax', 'quartiles', 'ci'),
        areMembersShown: fc.boolean(),
      }),
    ),
    baseline: fc.option(baseline),
    charts: fc.uniqueArray(chart, { maxLength: 3, selector: ({ id }) => id }),
    sections: fc
      .uniqueArray(fc.tuple(name, names), { maxLength: 3, selector: ([title]) => title })
      .map((sections) => {
        const placed = new Set<string>();
        return sections.map(([title, cards]) => ({
          name: title,
          cards: cards.filter((id) => !placed.has(id) && placed.add(id)),
        }));
      }),
    yRules: fc.array(fc.record({ pattern: name, range: fc.option(range) }), { maxLength: 3 }),
    selected: fc.option(
      fc.oneof(
        fc.record({ from: number, to: fc.constant(null) }),
        range.map(([from, to]) => ({ from, to })),
      ),
    ),
    showArchived: fc.boolean(),
    showAnnotations: fc.boolean(),
    xScale: fc.constantFrom('linear', 'log'),
    yScale,
    ignoreOutliers: fc.boolean(),
    showSuperseded: fc.boolean(),
    tooltipSort: fc.constantFrom('nearest', 'descending', 'ascending', 'name'),
    tooltipRows: fc.integer({ min: 1, max: 100 }),
    cardWidthPx: fc.option(fc.integer({ min: 200, max: 2000 })),
    pins: names,
    xRange: fc.option(range),
    cards: fc.dictionary(
      name,
      fc.oneof(
        fc.record({ yRange: range }),
        fc.record({ yScale, span }),
        fc.record({ span }),
        fc.record({ yRange: range, yScale }),
      ),
    ),
    groups: fc.dictionary(name, fc.boolean()),
    fullScreenCard: fc.option(name),
    kindWords: fc.dictionary(fc.constantFrom('step', 'linked', 'gamma'), name),
    table: fc.record({
      sortBy: name,
      isDescending: fc.boolean(),
      isTree: fc.boolean(),
      columns: names,
      widths: fc.dictionary(name, fc.integer({ min: 10, max: 500 })),
    }),
  })
  // A metric belongs to one axis only.
  .map((view) => ({ ...view, xTag: view.xAxis === 'metric' ? view.xTag : '' }));
