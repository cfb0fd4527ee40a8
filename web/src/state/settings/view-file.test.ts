import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultView } from './view';
import type { ViewState } from '../types';
import { anyView, chart } from './test-views';
import {
  chartFileOf,
  fileText,
  formatOf,
  parseFile,
  readChartFile,
  readViewContent,
  readViewFile,
  viewContentOf,
  viewFileOf,
} from './view-file';
import { readCharts, readSections } from './view-parts';

/** As it comes back from a disk. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
/** All that is not a plain object would hide behind toEqual. */
const saved = (view: ViewState): ViewState => ({ ...view, fullScreenCard: null });

describe('a view in a file', () => {
  test('comes back as it was, but for the card in full screen', () => {
    fc.assert(
      fc.property(anyView, (any) => {
        const { view, problems } = readViewFile(parseFile(fileText(viewFileOf(any, 'x'))));
        expect(problems).toEqual([]);
        expect(plain(view)).toEqual(plain(saved(any)));
      }),
      { numRuns: 300 },
    );
  });

  test('says only what differs, in words that people read', () => {
    expect(viewFileOf(defaultView(), 'all')).toEqual({
      format: 'sightline-view',
      version: 1,
      name: 'all',
      view: {},
    });
    const any = defaultView();
    any.dashboard = 'scalars';
    any.runFilter = '^(?!.*test) 100%';
    any.pins = ['train/loss', 'a,b'];
    any.cards = { a: { yScale: 'log' }, b: { yRange: [0, 1], span: 2 } };
    any.sections = [{ name: 'Losses', cards: ['train/loss', 'chart:k3'] }];
    any.charts = [
      {
        id: 'k3',
        title: '',
        lines: [
          {
            tag: 'train/loss',
            formula: '',
            label: '',
            axis: 'left',
            color: '',
            dash: 'auto',
            widthPx: 1,
            smoothing: null,
          },
        ],
        baseline: { run: 'first', mode: 'ratio' },
        x: { axis: 'metric', tag: 'tokens' },
      },
    ];
    any.yRules = [
      { pattern: '*acc', range: [0, 1] },
      { pattern: '*loss', range: null },
    ];
    expect(viewContentOf(any)).toEqual({
      dashboard: 'scalars',
      words: {
        runFilter: '^(?!.*test) 100%25',
        pins: 'train/loss,a%2Cb',
        card: ['log,,a', ',0..1,b'],
        spans: '2:b',
      },
      sections: [{ name: 'Losses', cards: ['train/loss', 'chart:k3'] }],
      charts: [{ id: 'k3', lines: ['train/loss'], baseline: 'ratio:first', x: 'metric:tokens' }],
      yRules: [
        { pattern: '*acc', limits: '0..1' },
        { pattern: '*loss', limits: 'shared' },
      ],
    });
  });

  test.each([
    [undefined, 'damaged'],
    [[], 'damaged'],
    ['text', 'damaged'],
    [{ format: 'other' }, 'no view of Sightline'],
    [{ format: 'sightline-chart', version: 1 }, 'no view of Sightline'],
    [{ format: 'sightline-view' }, 'no version'],
    [{ format: 'sightline-view', version: 2, view: {} }, 'newer version'],
    [{ format: 'sightline-view', version: 1 }, 'nothing in it'],
  ])('that is none is refused with a reason: %j', (raw, reason) => {
    const { view, problems } = readViewFile(raw);
    expect(view).toBeNull();
    expect(problems.join()).toContain(reason);
  });

  test('that is damaged in parts keeps the others and tells', () => {
    const { view, problems } = readViewContent({
      words: { smoothing: 'much', rows: 7, nonsense: 'x', tagFilter: null },
      charts: [{ id: 'a', lines: ['loss', 7] }, { id: 'a', lines: ['twice'] }, null, { lines: [] }],
      sections: [{ name: 'S', cards: ['a', 3, 'a'] }, 'no'],
      yRules: [{ pattern: 'x', limits: '1..0' }],
    });
    expect(view?.tooltipRows).toBe(7);
    expect(view?.charts.map(({ id, lines }) => [id, lines.length])).toEqual([['a', 1]]);
    expect(view?.sections).toEqual([{ name: 'S', cards: ['a'] }]);
    expect(view?.yRules).toEqual([]);
    expect(problems).toEqual([
      'Could not be read and left out: smoothing, nonsense',
      'Could not be read and left out: 1 of the rules for limits',
      'Could not be read and left out: 1 of the sections',
      'Could not be read and left out: 4 of the charts and their lines',
    ]);
  });

  test('whatever it holds, reading it never throws and what comes out can be written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (a, b, c, d) => {
        const { view } = readViewContent({ words: a, charts: b, sections: c, yRules: d });
        if (view !== null) readViewContent(plain(viewContentOf(view)));
        readViewFile(a);
        readChartFile(b);
        readCharts([{ id: 'x', lines: [c], baseline: d, x: a }, d]);
        readSections([{ name: 'x', cards: c }, d]);
      }),
    );
  });

  test('names of objects’ own parts are names like any other', () => {
    const raw = parseFile(
      '{"words":{"__proto__":"x","closed":"__proto__"},"sections":[{"name":"__proto__","cards":["__proto__"]}]}',
    );
    const { view } = readViewContent(raw);
    expect(Object.keys(view!.groups)).toEqual(['__proto__']);
    expect(view!.sections).toEqual([{ name: '__proto__', cards: ['__proto__'] }]);
    expect(({} as Record<string, unknown>)['closed']).toBeUndefined();
  });

  test('stays within bounds', () => {
    const many = Array.from({ length: 20_000 }, (_, i) => i);
    expect(readCharts(many.map((i) => ({ id: `c${i}`, lines: ['a'] }))).parts.length).toBe(300);
    expect(readCharts([{ id: 'a', lines: many.map(String) }]).parts[0]!.lines.length).toBe(50);
    const few = many.slice(0, 400);
    const { parts } = readSections(few.map((i) => ({ name: `s${i}`, cards: few.map((j) => `${i}/${j}`) })));
    expect(parts.flatMap(({ cards }) => cards).length).toBe(10_000);
    expect(readCharts([{ id: 'a', lines: [{ formula: 'x'.repeat(5000) }] }]).parts).toEqual([]);
  });
});

describe('a chart in a file', () => {
  test('comes back as it was', () => {
    fc.assert(
      fc.property(chart, (any) => {
        const raw = parseFile(fileText(chartFileOf(any)));
        expect(formatOf(raw)).toBe('chart');
        expect(plain(readChartFile(raw))).toEqual(plain({ chart: any, problems: [] }));
      }),
    );
  });

  test('of a newer version is refused', () => {
    const { chart: any, problems } = readChartFile({
      format: 'sightline-chart',
      version: 9,
      id: 'a',
      lines: ['b'],
    });
    expect(any).toBeNull();
    expect(problems[0]).toContain('newer version');
  });
});
