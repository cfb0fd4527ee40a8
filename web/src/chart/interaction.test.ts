// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTestChart, pointer, press, strokes, testSeries, type TestChart } from './test-series';
import type { ChartCallbacks, ChartOptions, Hover } from './types';

let page: TestChart;

function open(...parts: Parameters<typeof openTestChart>): void {
  page = openTestChart(...parts);
}

// All charts share one observer, which the first of them makes.
let see: (target: Element, isIntersecting: boolean) => void = () => {};
vi.stubGlobal(
  'IntersectionObserver',
  class {
    constructor(callback: (entries: { target: Element; isIntersecting: boolean }[]) => void) {
      see = (target, isIntersecting) => callback([{ target, isIntersecting }]);
    }
    observe(): void {}
    unobserve(): void {}
  },
);

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  page.close();
  vi.useRealTimers();
});

describe('hover', () => {
  const lines = [
    testSeries({ key: 'low', y: [0, 0, 0, 0, 0] }),
    testSeries({ key: 'high', y: [9, 9, 9, 9, 9] }),
  ];

  test('touches the overlay only, once a frame, and tells the points', () => {
    const hovers: (Hover | null)[] = [];
    open(lines, {}, { onHover: (hover) => hovers.push(hover) });
    page.data.forget();
    for (let x = 100; x < 140; x++) pointer(page.host, 'pointermove', x, 30);
    page.clock.runAll();
    expect(page.data.calls).toEqual([]);
    expect(page.overlay.named('stroke').length).toBeGreaterThan(0);
    expect(hovers).toHaveLength(1);
    expect(hovers[0]!.nearestKey).toBe('high');
    expect(hovers[0]!.points.map((point) => point.key)).toEqual(['low', 'high']);
    expect(hovers[0]!.pointerPx).toEqual({ left: 139, top: 30 });
  });

  test('ends when the pointer leaves', () => {
    const hovers: (Hover | null)[] = [];
    open(lines, {}, { onHover: (hover) => hovers.push(hover) });
    pointer(page.host, 'pointermove', 200, 100);
    page.clock.runAll();
    pointer(page.host, 'pointerleave', 500, 100);
    page.clock.runAll();
    expect(hovers.at(-1)).toBeNull();
    page.overlay.forget();
    page.clock.runAll();
    expect(page.overlay.calls).toEqual([]);
  });

  test('a cursor from another chart is drawn and calls nobody', () => {
    const onHover = vi.fn();
    open(lines, {}, { onHover });
    page.data.forget();
    page.chart.setCursor(2);
    page.clock.runAll();
    expect(page.overlay.named('stroke').some((call) => call.strokeStyle === '#cursor')).toBe(true);
    expect(page.data.calls).toEqual([]);
    expect(onHover).not.toHaveBeenCalled();
    expect(page.chart.hoverAt(2).points.map((point) => point.y)).toEqual([0, 9]);
  });

  test('the points at one place are looked for once, and anew for other data', () => {
    open(lines);
    const hover = page.chart.hoverAt(2);
    expect(page.chart.hoverAt(2)).toBe(hover);
    page.chart.setSeries([...lines]);
    expect(page.chart.hoverAt(2)).not.toBe(hover);
  });

  test('a chart out of sight paints its overlay when it is seen again', () => {
    open(lines);
    see(page.host, false);
    page.chart.setCursor(2);
    expect(page.clock.hasFrame).toBe(false);
    see(page.host, true);
    page.clock.runAll();
    expect(page.overlay.named('stroke').some((call) => call.strokeStyle === '#cursor')).toBe(true);
  });

  test('a highlighted line is wide, in front of a veil over the others, and is stroked once', () => {
    open(lines.map((line) => ({ ...line, color: line.key === 'high' ? '#high' : '#low' })));
    page.data.forget();
    page.chart.setHighlight('high');
    page.clock.runAll();
    for (let x = 100; x < 104; x++) {
      pointer(page.host, 'pointermove', x, 100);
      page.clock.runAll();
    }
    expect(page.data.calls).toEqual([]);
    const layer = page.contexts.find((context, i) => i > 1 && strokes(context, '#high').length > 0)!;
    expect(strokes(layer, '#high')).toHaveLength(1);
    expect(strokes(layer, '#high')[0]!.lineWidth).toBeGreaterThan(1.5);
    expect(layer.named('fillRect')[0]!.fillStyle).toBe('#background');
    page.chart.setHighlight(null);
    page.overlay.forget();
    page.clock.runAll();
    expect(page.overlay.named('drawImage')).toEqual([]);
  });
});

describe('dots of the owner', () => {
  const lines = [testSeries({ key: 'low', y: [0, 1, 2] }), testSeries({ key: 'high', y: [10, 11, 12] })];

  test('stand in place of crosshair and points at the pointer', () => {
    open(lines, { dots: [{ key: 'high', x: 1, y: 11 }] });
    page.overlay.forget();
    pointer(page.host, 'pointermove', 200, 100);
    page.clock.runAll();
    // A rim and a dot.
    expect(page.overlay.named('arc')).toHaveLength(2);
    expect(page.overlay.named('lineTo')).toEqual([]);
  });

  test('say what a click means, however far the lines are', () => {
    const onPoint = vi.fn();
    const click = (): void => {
      pointer(page.host, 'pointerdown', 200, 120);
      pointer(page.host, 'pointerup', 200, 120);
      vi.runAllTimers();
    };
    open(lines, {}, { onPoint });
    click();
    expect(onPoint).not.toHaveBeenCalled();
    page.chart.setOptions({ dots: [] });
    click();
    expect(onPoint).toHaveBeenCalledOnce();
  });

  test('can be replaced without drawing the lines again, and taken away', () => {
    open(lines, { dots: [{ key: 'low', x: 1, y: 1 }] });
    page.data.forget();
    page.overlay.forget();
    page.chart.setOptions({ dots: [] });
    page.clock.runAll();
    expect(page.data.named('stroke')).toEqual([]);
    expect(page.overlay.named('arc')).toEqual([]);
    expect(page.overlay.named('clearRect')).toHaveLength(1);
  });
});

describe('keyboard', () => {
  const lines = [
    testSeries({ key: 'low', y: [0, 1, 2, 3, 4] }),
    testSeries({ key: 'high', y: [10, 11, 12, 13, 14] }),
  ];
  let hover: Hover | null = null;

  function openWithKeys(options: Partial<ChartOptions> = {}): void {
    hover = null;
    open(lines, options, {
      onHover: (next) => {
        hover = next;
      },
    });
  }

  test('the host can be focused and has a role', () => {
    openWithKeys();
    expect(page.host.tabIndex).toBe(0);
    expect(page.host.getAttribute('role')).toBe('application');
    expect([...page.host.querySelectorAll('canvas')].every((canvas) => canvas.ariaHidden !== null)).toBe(
      true,
    );
  });

  test('arrows walk from point to point, starting at the end of the view', () => {
    openWithKeys();
    press(page, 'ArrowLeft');
    expect(hover).toMatchObject({ x: 4, y: 4, nearestKey: 'low', pointerPx: null });
    press(page, 'ArrowLeft');
    expect(hover).toMatchObject({ x: 3, y: 3 });
    press(page, 'ArrowRight');
    press(page, 'ArrowRight');
    expect(hover).toMatchObject({ x: 4, y: 4 });
  });

  test('up and down change the line', () => {
    openWithKeys();
    press(page, 'Home');
    press(page, 'ArrowUp');
    expect(hover).toMatchObject({ x: 0, y: 10, nearestKey: 'high' });
    press(page, 'ArrowUp');
    expect(hover).toMatchObject({ nearestKey: 'high' });
    press(page, 'ArrowDown');
    expect(hover).toMatchObject({ x: 0, y: 0, nearestKey: 'low' });
  });

  test('the view moves along when the cursor leaves it', () => {
    openWithKeys({ xRange: [0, 2] });
    press(page, 'End');
    press(page, 'ArrowRight');
    expect(hover).toMatchObject({ x: 3 });
    expect(page.chart.view.x[1]).toBeGreaterThanOrEqual(3);
    expect(page.chart.view.x[1] - page.chart.view.x[0]).toBeCloseTo(2, 9);
  });

  test('plus and minus zoom around the cursor', () => {
    openWithKeys();
    press(page, 'End');
    press(page, '+');
    expect(page.chart.view.x[1]).toBeCloseTo(4, 6);
    expect(page.chart.view.x[0]).toBeCloseTo(2, 6);
    press(page, '-');
    expect(page.chart.view.x).toEqual([0, 4]);
  });

  test('a chart that has a part of the data is zoomed out step by step, up to the whole', () => {
    const onView = vi.fn<NonNullable<ChartCallbacks['onView']>>();
    open(
      [testSeries({ x: [39, 50, 61], y: [1, 2, 3] })],
      { xRange: [40, 60], xLimits: [0, 100] },
      { onView },
    );
    press(page, '-');
    expect(onView).toHaveBeenLastCalledWith({ x: [30, 70], y: null });
    press(page, '-');
    press(page, '-');
    expect(onView).toHaveBeenLastCalledWith({ x: null, y: null });
  });

  test('with ends that nobody knows, zooming out never ends at the part', () => {
    open([testSeries({ x: [39, 50, 61], y: [1, 2, 3] })], {
      xRange: [40, 60],
      xLimits: [-Infinity, Infinity],
    });
    press(page, '-');
    press(page, '-');
    expect(page.chart.view.x).toEqual([10, 90]);
  });

  test('the cursor stays at its place when new data arrives', () => {
    openWithKeys();
    press(page, 'Home');
    press(page, 'ArrowRight');
    page.chart.setSeries([testSeries({ key: 'low', x: [0, 0.5, 1, 2], y: [5, 6, 7, 8] })]);
    page.clock.runAll();
    expect(hover).toMatchObject({ x: 1, y: 7 });
  });

  test('Escape takes the cursor away once and is the page’s afterwards', () => {
    openWithKeys();
    press(page, 'Home');
    expect(press(page, 'Escape').defaultPrevented).toBe(true);
    expect(hover).toBeNull();
    expect(press(page, 'Escape').defaultPrevented).toBe(false);
  });

  test('keys with Ctrl are the page’s', () => {
    openWithKeys();
    expect(press(page, 'ArrowLeft', { ctrlKey: true }).defaultPrevented).toBe(false);
  });
});
