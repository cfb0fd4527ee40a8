// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { moveSelected } from './handles';
import { drag, makeTestChart, plotOf, pointer, press, testSeries, type TestChart } from './test-series';
import type { ChartCallbacks, ChartMark, ChartOptions } from './types';

let page: TestChart;
const onSelected = vi.fn<NonNullable<ChartCallbacks['onSelected']>>();
const onView = vi.fn();
const onMark = vi.fn();
const onPoint = vi.fn();

const LINE = testSeries({ key: 'a', y: Array.from({ length: 101 }, () => 5), color: '#line' });

function open(options: Partial<ChartOptions>): void {
  page = makeTestChart({ onSelected, onView, onMark, onPoint }, { yRange: [0, 10], ...options });
  page.chart.setSeries([LINE]);
  page.overlay.forget();
  page.clock.runAll();
}

/** Where this x (of 0 … 100) lies. */
function px(x: number): number {
  const { left, right } = plotOf(page);
  return left + ((right - left) * x) / 100;
}

beforeEach(() => {
  vi.clearAllMocks();
});

afterEach(() => {
  page.close();
});

describe('the step selector', () => {
  test('is a line through the plot with its value below the axis', () => {
    open({ selected: { from: 40, to: null } });
    expect(page.overlay.texts()).toEqual(['40']);
    const line = page.overlay.named('moveTo').find(({ args }) => args[1] === plotOf(page).top)!;
    expect(line.args[0]).toBeCloseTo(px(40), -0.5);
    const label = page.overlay.named('fillText')[0]!.args as [string, number, number];
    expect(label[2]).toBeGreaterThan(plotOf(page).bottom);
  });

  test('is dragged without zooming; the owner is told once a frame', () => {
    open({ selected: { from: 40, to: null } });
    const y = plotOf(page).bottom + 10;
    pointer(page.host, 'pointerdown', px(40), y);
    for (const x of [45, 50, 55, 60]) pointer(page.host, 'pointermove', px(x), y);
    page.clock.runAll();
    pointer(page.host, 'pointerup', px(60), y);
    expect(onSelected).toHaveBeenCalledTimes(1);
    expect(onSelected.mock.lastCall![0].from).toBeCloseTo(60, 6);
    expect(onView).not.toHaveBeenCalled();
    expect(page.overlay.texts()).toContain('60');
  });

  test('a finger needs to hit 24 px only, and does not scroll', () => {
    open({ selected: { from: 40, to: null } });
    const touch = { pointerType: 'touch' };
    drag(page.host, [px(40) + 11.5, plotOf(page).bottom + 6], [px(80), plotOf(page).bottom + 6], touch);
    page.clock.runAll();
    expect(onSelected.mock.lastCall![0].from).toBeCloseTo(80, 6);
  });

  test('beside it a drag is a zoom as ever', () => {
    open({ selected: { from: 40, to: null } });
    drag(page.host, [px(60), plotOf(page).bottom + 6], [px(80), plotOf(page).bottom + 6]);
    page.clock.runAll();
    expect(onSelected).not.toHaveBeenCalled();
    expect(onView).toHaveBeenCalledTimes(1);
  });

  test('ends of a range that pass each other change places', () => {
    open({ selected: { from: 20, to: 60 } });
    const y = plotOf(page).bottom + 10;
    drag(page.host, [px(20), y], [px(90), y]);
    page.clock.runAll();
    const { from, to } = onSelected.mock.lastCall![0];
    expect(from).toBeCloseTo(60, 6);
    expect(to).toBeCloseTo(90, 6);
    expect(moveSelected({ from: 60, to: 90 }, 'to', 10)).toEqual({
      selected: { from: 10, to: 60 },
      end: 'from',
    });
  });

  test('a range is shaded, and a marker out of view waits at the edge', () => {
    open({ selected: { from: 20, to: 500 } });
    const [shade] = page.overlay.named('fillRect');
    expect(shade).toMatchObject({ fillStyle: '#brush' });
    expect(shade!.globalAlpha).toBeLessThan(0.3);
    const [left, , width] = shade!.args as number[];
    expect(left! + width!).toBeCloseTo(plotOf(page).right, 6);
    const end = page.overlay.named('fillText').find(({ args }) => args[0] === '500')!;
    expect(end.globalAlpha).toBeLessThan(1);
  });

  test('brackets move it from point to point, with Shift the second marker', () => {
    open({ selected: { from: 40.4, to: null } });
    expect(press(page, ']').defaultPrevented).toBe(true);
    expect(onSelected).toHaveBeenLastCalledWith({ from: 41, to: null });
    press(page, '[');
    expect(onSelected).toHaveBeenLastCalledWith({ from: 40, to: null });
    press(page, '}');
    expect(onSelected).toHaveBeenLastCalledWith({ from: 40, to: 41 });
  });

  test('without one the brackets are the page’s', () => {
    open({});
    expect(press(page, ']').defaultPrevented).toBe(false);
  });

  test('moving it draws no line anew', () => {
    open({ selected: { from: 40, to: null } });
    page.data.forget();
    page.chart.setOptions({ selected: { from: 50, to: null } });
    page.clock.runAll();
    expect(page.data.calls).toEqual([]);
    expect(page.overlay.texts()).toContain('50');
    page.overlay.forget();
    page.chart.setOptions({ selected: null });
    page.clock.runAll();
    expect(page.overlay.texts()).toEqual([]);
  });
});

describe('notes on points', () => {
  const marks: ChartMark[] = [
    { id: 'one', key: 'a', x: 20, text: 'the learning rate was halved' },
    { id: 'two', key: 'a', x: 70, text: '<img src=x onerror=alert(1)>' },
    { id: 'gone', key: 'missing', x: 50, text: 'of a line that is not there' },
  ];

  /** The middle of the pin at this x: above the line, which is half way up. */
  function pin(x: number): [number, number] {
    const { top, bottom } = plotOf(page);
    return [px(x), (top + bottom) / 2 - 15];
  }

  test('are numbered pins; of lines that are not there none', () => {
    open({ marks });
    expect(page.overlay.texts()).toEqual(['1', '2']);
  });

  test('show their text under the pointer and tell of a click', () => {
    open({ marks });
    pointer(page.host, 'pointermove', ...pin(20));
    page.clock.runAll();
    expect(page.overlay.texts()).toContain('the learning rate was halved');
    expect(page.host.style.cursor).toBe('pointer');
    pointer(page.host, 'pointerdown', ...pin(20));
    pointer(page.host, 'pointerup', ...pin(20));
    expect(onMark).toHaveBeenCalledExactlyOnceWith('one');
    expect(onPoint).not.toHaveBeenCalled();
  });

  test('a tap is a click', () => {
    open({ marks });
    pointer(page.host, 'pointerdown', ...pin(70), { pointerType: 'touch' });
    pointer(page.host, 'pointerup', ...pin(70), { pointerType: 'touch' });
    expect(onMark).toHaveBeenCalledExactlyOnceWith('two');
  });

  test('Enter chooses the one under the keyboard’s cursor, else the point', () => {
    open({ marks });
    press(page, 'Home');
    press(page, 'Enter');
    expect(onPoint).toHaveBeenLastCalledWith({ key: 'a', index: 0, x: 0 });
    for (let i = 0; i < 20; i++) press(page, 'ArrowRight');
    expect(page.overlay.texts()).toContain('the learning rate was halved');
    press(page, 'Enter');
    expect(onMark).toHaveBeenCalledExactlyOnceWith('one');
  });

  test('a click near a line is told with its point, one far away or a drag is not', () => {
    open({});
    const { top, bottom } = plotOf(page);
    const middle = (top + bottom) / 2;
    const click = (x: number, y: number): void => {
      pointer(page.host, 'pointerdown', x, y);
      pointer(page.host, 'pointerup', x, y);
    };
    vi.useFakeTimers();
    click(px(30), middle + 4);
    vi.runAllTimers();
    expect(onPoint).toHaveBeenCalledExactlyOnceWith({ key: 'a', index: 30, x: 30 });
    click(px(30), top + 5);
    drag(page.host, [px(30), middle], [px(60), middle]);
    vi.runAllTimers();
    expect(onPoint).toHaveBeenCalledTimes(1);
  });

  test('a double click resets the view and chooses no point', () => {
    open({ xRange: [0, 50] });
    const { top, bottom } = plotOf(page);
    const [x, y] = [px(30), (top + bottom) / 2];
    vi.useFakeTimers();
    for (let i = 0; i < 2; i++) {
      pointer(page.host, 'pointerdown', x, y);
      pointer(page.host, 'pointerup', x, y);
    }
    page.host.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
    vi.runAllTimers();
    expect(onPoint).not.toHaveBeenCalled();
    expect(onView).toHaveBeenLastCalledWith({ x: null, y: null });
  });
});
