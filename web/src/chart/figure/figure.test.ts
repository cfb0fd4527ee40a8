// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { fitView } from '../fit';
import { makeLayout } from '../layout';
import { RecordingContext } from '../recording-context';
import { testOptions, testSeries } from '../test-series';
import type { ChartSeries } from '../types';
import { drawFigure, emptiestCorner, isDrawable, legendEntries, svgOf, type FigureOptions } from './figure';
import { SvgContext } from './svg-context';

const FIGURE: FigureOptions = {
  widthPx: 336,
  heightPx: 240,
  font: 'serif',
  fontSizePx: 10,
  lineWidthPx: 1.5,
  title: '',
  xLabel: '',
  yLabel: '',
  rightLabel: '',
  legend: 'none',
  theme: 'light',
  hasBackground: true,
};

function svg(
  series: readonly ChartSeries[],
  figure: Partial<FigureOptions> = {},
): { text: string; root: Element } {
  const text = svgOf({ series, options: testOptions() }, { ...FIGURE, ...figure }, { measure: null });
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
  expect(parsed.querySelector('parsererror')).toBeNull();
  return { text, root: parsed.documentElement };
}

const line = testSeries({ key: 'a', y: [1, 2, 3, 2], color: '#0287ff' });
const texts = (root: Element): string[] => [...root.querySelectorAll('text')].map((one) => one.textContent);

describe('an SVG figure', () => {
  test('has the chosen size, a title, and refers to nothing outside', () => {
    const { root, text } = svg([line], { title: 'Loss' });
    expect(root.getAttribute('viewBox')).toBe('0 0 336 240');
    expect(root.querySelector('title')!.textContent).toBe('Loss');
    expect(texts(root)).toContain('Loss');
    expect(text).not.toMatch(/href|<image|<style|<script|@import/);
    expect([...text.matchAll(/url\((.*?)\)/g)].every(([, to]) => to!.startsWith('#'))).toBe(true);
    const size = { width: '3.5in', height: '2.5in' };
    const inches = svgOf({ series: [line], options: testOptions() }, FIGURE, { size, measure: null });
    expect(inches).toContain('width="3.5in" height="2.5in" viewBox="0 0 336 240"');
  });

  test('draws lines as one stroke of the chosen width', () => {
    const { root } = svg([line]);
    const strokes = [...root.querySelectorAll('path[stroke="#0287ff"]')];
    expect(strokes.map((path) => path.getAttribute('stroke-width'))).toEqual(['1.5']);
    expect(strokes[0]!.getAttribute('d')).toMatch(/^M[\d.]+ [\d.]+L/);
  });

  test('draws the line of a group as wide as was asked for, and wider than that of a run beside it', () => {
    const group = { ...testSeries({ key: 'g', y: [1, 2, 3], color: '#111' }), widthPx: 2 };
    const widthOf = (series: readonly ChartSeries[]): number =>
      Number(svg(series).root.querySelector('path[stroke="#111"]')!.getAttribute('stroke-width'));
    expect(widthOf([group])).toBe(1.5);
    expect(widthOf([group, line])).toBeCloseTo(1.875);
  });

  test('has text in the chosen font and size, with its baseline worked out', () => {
    const { root, text } = svg([line], { xLabel: 'step', yLabel: 'loss' });
    const label = [...root.querySelectorAll('text')].find((one) => one.textContent === 'step')!;
    expect(label.getAttribute('font-family')).toContain('Times');
    expect(label.getAttribute('font-size')).toBe('10');
    expect(text).not.toContain('dominant-baseline');
    const name = [...root.querySelectorAll('text')].find((one) => one.textContent === 'loss')!;
    expect(name.getAttribute('transform')).toMatch(/rotate\(-90\)/);
  });

  test('names that are hostile are only names', () => {
    const name = '</text><script>alert("1")</script> & \u0000 \ud800';
    const { root, text } = svg([{ ...line, label: name, color: '"><script>' }], {
      title: name,
      legend: 'below',
      widthPx: 2000,
    });
    expect(root.querySelector('script')).toBeNull();
    expect(text).not.toContain('<script');
    expect(texts(root)).toContain('</text><script>alert("1")</script> & \ufffd \ufffd');
  });

  test('lines are clipped to the plot by a shape of the file', () => {
    const { root } = svg([line]);
    const group = root.querySelector('g[clip-path]')!;
    const id = /#([\w-]+)/.exec(group.getAttribute('clip-path')!)![1]!;
    expect(root.querySelector(`clipPath#${id} path`)).not.toBeNull();
    expect(group.querySelector('path[stroke="#0287ff"]')).not.toBeNull();
    expect(group.querySelector('text')).toBeNull();
  });

  test('without a background there is none', () => {
    expect(svg([line]).root.querySelector('path[fill="#ffffff"]')).not.toBeNull();
    expect(svg([line], { hasBackground: false }).root.querySelector('path[fill="#ffffff"]')).toBeNull();
  });

  test('bands, dashes, circles and members arrive', () => {
    const { root } = svg([
      testSeries({ key: 'g', y: [1, 2], color: '#111', band: { low: [0, 1], high: [2, 3] }, dash: [6, 3] }),
      testSeries({ key: 'm', y: [1, 3], color: '#222', isBackground: true }),
    ]);
    expect(root.querySelector('path[fill="#111"][fill-opacity="0.18"]')).not.toBeNull();
    expect(root.querySelector('path[stroke="#111"][stroke-dasharray="6 3"]')).not.toBeNull();
    expect(root.querySelector('path[stroke="#222"][stroke-opacity]')).not.toBeNull();
    const circles = root.querySelector('path[fill="#111"]:not([fill-opacity])')!.getAttribute('d')!;
    expect(circles.match(/A2.25 2.25/g)).toHaveLength(4);
  });

  test('NaN, infinities and nothing at all draw no place that is no number', () => {
    for (const y of [[], [NaN, NaN], [1, Infinity, 2], [-1e308, 1e308]]) {
      expect(svg([testSeries({ y })]).text).not.toMatch(/NaN|Infinity|undefined/);
    }
  });

  test('of 100,000 points has no more than its fineness needs, and keeps the extremes', () => {
    const y = Array.from({ length: 100_000 }, (_, i) => (i === 777 ? 50 : Math.sin(i)));
    const { root, text } = svg([testSeries({ y, color: '#111' })]);
    expect(text.length).toBeLessThan(100_000);
    const d = root.querySelector('path[stroke="#111"]')!.getAttribute('d')!;
    const ys = d.match(/ [\d.]+/g)!.map(Number);
    expect(Math.min(...ys)).toBeLessThan(30);
  });
});

describe('the legend', () => {
  test('names each look once, without members and abandoned branches', () => {
    const entries = legendEntries([
      testSeries({ key: 'a', y: [1] }),
      testSeries({ key: 'a', y: [2] }),
      testSeries({ key: 'b', y: [2], isBackground: true }),
      testSeries({ key: 'c', y: [2], isFaint: true }),
    ]);
    expect(entries.map(({ label }) => label)).toEqual(['a']);
  });

  test('below takes rows from the chart, and says how many it left out', () => {
    const many = Array.from({ length: 60 }, (_, i) => testSeries({ key: `run ${i}`, y: [1, 2] }));
    const { root } = svg(many, { legend: 'below' });
    expect(texts(root)).toContain('run 0');
    const more = texts(root).find((text) => text.startsWith('and '))!;
    const named = texts(root).filter((text) => text.startsWith('run ')).length;
    expect(more).toBe(`and ${60 - named} more`);
  });

  test('inside says the same, and lies in the corner that hides least', () => {
    const many = Array.from({ length: 60 }, (_, i) => testSeries({ key: `run ${i}`, y: [1, 2] }));
    const named = texts(svg(many, { legend: 'inside' }).root);
    expect(named.some((text) => /^and \d+ more$/.test(text))).toBe(true);

    const options = testOptions();
    const corner = (y: number[]): string => {
      const series = [testSeries({ y })];
      const context = new RecordingContext();
      const size = { width: 400, height: 300, ratio: 1 };
      const layout = makeLayout(context.asCanvas, size, fitView(series, options), options, 0);
      const { box } = emptiestCorner(series, layout, 150, 100, 4);
      return `${box.top < 100 ? 'top' : 'bottom'} ${box.left > 200 ? 'right' : 'left'}`;
    };
    const rising = Array.from({ length: 50 }, (_, i) => i);
    expect(corner(rising)).toBe('top left');
    expect(corner(rising.toReversed())).toBe('top right');
    expect(corner(rising.map((i) => (i < 25 ? -i : i - 50)))).toMatch(/^bottom/);
  });

  test('inside goes below where it would lie on a line, also between its points, but not for a member', () => {
    const isInside = (y: number[], more: { isBackground?: boolean } = {}): boolean => {
      const zigzag = testSeries({ key: 'zigzag', y, ...more });
      const flat = testSeries({ key: 'flat', y: y.map(() => 0.5) });
      const { root } = svg([zigzag, flat], { legend: 'inside', widthPx: 700, heightPx: 500 });
      const at = [...root.querySelectorAll('text')].find(({ textContent }) => textContent === 'flat')!;
      const turned = /translate\([\d.]+[ ,]([\d.]+)/.exec(at.getAttribute('transform') ?? '');
      return Number(turned?.[1] ?? at.getAttribute('y')) < 450;
    };
    expect(isInside([0, 1])).toBe(true);
    const often = Array.from({ length: 31 }, (_, i) => i % 2);
    expect(isInside(often)).toBe(false);
    expect(isInside(often, { isBackground: true })).toBe(true);
  });

  test('has no band for a group of one', () => {
    const band = { low: [NaN, NaN], high: [NaN, NaN] };
    expect(legendEntries([testSeries({ y: [1, 2], band })])[0]!.hasBand).toBe(false);
  });
});

test('the same drawing goes onto a canvas at any ratio', () => {
  const context = new RecordingContext();
  drawFigure(context.asCanvas, 3, { series: [line], options: testOptions() }, { ...FIGURE, title: 'Loss' });
  expect(context.named('fillRect')[0]!.args).toEqual([0, 0, 1008, 720]);
  expect(context.named('stroke').find(({ strokeStyle }) => strokeStyle === '#0287ff')!.lineWidth).toBe(4.5);
  expect(context.isBalanced).toBe(true);
  expect(isDrawable(4000, 3000)).toBe(true);
  expect(isDrawable(20_000, 30)).toBe(false);
});

test('state that was saved comes back, turned places included', () => {
  const context = new SvgContext({ width: 10, height: 10, ratio: 2, title: '', measure: null });
  context.save();
  context.translate(10, 20);
  context.rotate(Math.PI / 2);
  context.translate(4, 0);
  context.beginPath();
  context.moveTo(2, 0);
  context.lineTo(2, 2);
  context.stroke();
  context.restore();
  context.beginPath();
  context.moveTo(2, 0);
  context.lineTo(2, 2);
  context.stroke();
  const paths = [...context.finish().matchAll(/ d="(.*?)"/g)].map(([, d]) => d);
  expect(paths).toEqual(['M5 13L4 13', 'M1 0L1 1']);
});
