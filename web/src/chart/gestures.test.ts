// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { brushAxes } from './gestures';
import { drag, openTestChart, plotOf, pointer, testSeries, type TestChart } from './test-series';
import type { ChartOptions, Hover, Range } from './types';

interface View {
  readonly x: Range | null;
  readonly y: Range | null;
}

const views: View[] = [];
let page: TestChart;

function open(options: Partial<ChartOptions> = {}): void {
  const line = testSeries({ y: Array.from({ length: 101 }, (_, i) => i / 100) });
  page = openTestChart([line], options, { onView: (view) => views.push(view) });
}

/** Where this share of the plot's width and height lies (0, 0 is top left). */
function at(fractionX: number, fractionY: number): [number, number] {
  const { left, right, top, bottom } = plotOf(page);
  return [left + (right - left) * fractionX, top + (bottom - top) * fractionY];
}

beforeEach(() => {
  views.length = 0;
  vi.useFakeTimers();
});

afterEach(() => {
  page.close();
  vi.useRealTimers();
});

describe('dragging', () => {
  test('sideways zooms x and leaves y to fit', () => {
    open();
    drag(page.host, at(0.25, 0.5), at(0.75, 0.5));
    expect(views).toHaveLength(1);
    expect(views[0]!.x![0]).toBeCloseTo(25, 6);
    expect(views[0]!.x![1]).toBeCloseTo(75, 6);
    expect(views[0]!.y).toBeNull();
    expect(page.chart.view.x[0]).toBeCloseTo(25, 6);
  });

  test('is the same from right to left', () => {
    open();
    drag(page.host, at(0.75, 0.5), at(0.25, 0.5));
    expect(views[0]!.x![0]).toBeCloseTo(25, 6);
    expect(views[0]!.x![1]).toBeCloseTo(75, 6);
  });

  test('up or down zooms y', () => {
    open({ yRange: [0, 100] });
    drag(page.host, at(0.5, 0.25), at(0.5, 0.5));
    expect(views[0]!.x).toBeNull();
    expect(views[0]!.y![0]).toBeCloseTo(50, 6);
    expect(views[0]!.y![1]).toBeCloseTo(75, 6);
  });

  test('a box zooms both', () => {
    open({ yRange: [0, 100] });
    drag(page.host, at(0.2, 0.2), at(0.6, 0.7));
    expect(views[0]!.x![0]).toBeCloseTo(20, 6);
    expect(views[0]!.x![1]).toBeCloseTo(60, 6);
    expect(views[0]!.y![0]).toBeCloseTo(30, 6);
    expect(views[0]!.y![1]).toBeCloseTo(80, 6);
  });

  test('beyond the edge ends at the edge', () => {
    open();
    drag(page.host, at(0.5, 0.5), [5000, at(0, 0.5)[1]]);
    expect(views[0]!.x![0]).toBeCloseTo(50, 6);
    expect(views[0]!.x![1]).toBeCloseTo(100, 6);
  });

  test('shows the box while it is drawn, and Escape takes it back', () => {
    open();
    pointer(page.host, 'pointerdown', ...at(0.2, 0.5));
    pointer(page.host, 'pointermove', ...at(0.6, 0.5));
    page.overlay.forget();
    page.clock.runAll();
    expect(page.overlay.named('fillRect').some((call) => call.fillStyle === '#brush')).toBe(true);
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    page.overlay.forget();
    page.clock.runAll();
    pointer(page.host, 'pointerup', ...at(0.6, 0.5));
    expect(page.overlay.named('fillRect')).toEqual([]);
    expect(views).toEqual([]);
  });

  test('with Shift pans', () => {
    open({ xRange: [20, 60] });
    drag(page.host, at(0.5, 0.5), at(0.25, 0.5), { shiftKey: true });
    const last = views.at(-1)!;
    expect(last.x![0]).toBeCloseTo(30, 6);
    expect(last.x![1]).toBeCloseTo(70, 6);
    expect(last.y).toBeNull();
  });

  test('with the middle button pans both axes when y is fixed', () => {
    open({ xRange: [20, 60], yRange: [0, 100] });
    drag(page.host, at(0.5, 0.5), at(0.5, 0.75), { button: 1 });
    const last = views.at(-1)!;
    expect(last.x![0]).toBeCloseTo(20, 6);
    expect(last.y![0]).toBeCloseTo(25, 6);
    expect(last.y![1]).toBeCloseTo(125, 6);
  });

  test('nobody gets lost by panning: some data stays in view', () => {
    open({ xRange: [20, 60] });
    drag(page.host, at(0, 0.5), [100_000, at(0, 0.5)[1]], { altKey: true });
    expect(views.at(-1)!.x![1]).toBeGreaterThan(0);
    expect(views.at(-1)!.x![1]).toBeLessThan(10);
  });

  test('a chart that has a part of the data is panned as far as the whole goes', () => {
    open({ xRange: [40, 60], xLimits: [0, 1000] });
    page.chart.setSeries([testSeries({ x: [39, 50, 61], y: [1, 2, 3] })]);
    page.clock.runAll();
    drag(page.host, at(1, 0.5), [at(0, 0.5)[0] - 1000, at(0, 0.5)[1]], { altKey: true });
    expect(views.at(-1)!.x![0]).toBeGreaterThan(90);
  });
});

describe('clicks', () => {
  test('a press that hardly moves is no zoom', () => {
    open();
    drag(page.host, [200, 100], [202, 101]);
    expect(views).toEqual([]);
  });

  test('a double click shows everything again', () => {
    open({ xRange: [20, 60], yRange: [0, 1] });
    page.host.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
    expect(views).toEqual([{ x: null, y: null }]);
    expect(page.chart.view.x).toEqual([0, 100]);
  });
});

describe('the wheel', () => {
  function wheel(init: Partial<WheelEventInit>, place = at(0.5, 0.5)): WheelEvent {
    const event = new WheelEvent('wheel', {
      bubbles: true,
      cancelable: true,
      clientX: place[0],
      clientY: place[1],
      ...init,
    });
    // The test's DOM drops modifiers of wheel events.
    for (const name of ['ctrlKey', 'altKey', 'metaKey', 'clientX', 'clientY'] as const) {
      const value = { clientX: place[0], clientY: place[1], ...init }[name] ?? false;
      Object.defineProperty(event, name, { value });
    }
    page.host.dispatchEvent(event);
    return event;
  }

  test('alone belongs to the page', () => {
    open();
    expect(wheel({ deltaY: -100 }).defaultPrevented).toBe(false);
    expect(views).toEqual([]);
  });

  test.each(['ctrlKey', 'altKey', 'metaKey'])('with %s zooms at the pointer', (key) => {
    open();
    const event = wheel({ deltaY: -100, [key]: true }, at(0.25, 0.5));
    expect(event.defaultPrevented).toBe(true);
    const [min, max] = views[0]!.x!;
    expect(max - min).toBeLessThan(90);
    // What was below the pointer still is.
    expect((25 - min) / (max - min)).toBeCloseTo(0.25, 6);
  });

  test('zooming out over everything follows the data again', () => {
    open({ xRange: [10, 90] });
    wheel({ deltaY: 400, ctrlKey: true });
    expect(views.at(-1)).toEqual({ x: null, y: null });
  });

  test('over the y axis zooms y', () => {
    open({ yRange: [0, 100] });
    wheel({ deltaY: -100, ctrlKey: true }, [5, at(0, 0.5)[1]]);
    expect(views[0]!.x).toBeNull();
    expect(views[0]!.y![0]).toBeGreaterThan(0);
    expect(views[0]!.y![1]).toBeLessThan(100);
  });
});

describe('touch', () => {
  const touch = { pointerType: 'touch' };

  test('one finger is left to the page', () => {
    open();
    drag(page.host, at(0.2, 0.5), at(0.8, 0.5), touch);
    expect(views).toEqual([]);
    expect(page.host.style.touchAction).toBe('pan-y');
  });

  test('a long press places the cursor and dragging moves it', () => {
    const onHover = vi.fn<(hover: Hover | null) => void>();
    page = openTestChart([testSeries({ y: Array.from({ length: 101 }, (_, i) => i) })], {}, { onHover });
    pointer(page.host, 'pointerdown', ...at(0.25, 0.5), touch);
    page.clock.runAll();
    expect(onHover).not.toHaveBeenCalled();
    vi.advanceTimersByTime(500);
    page.clock.runAll();
    expect(onHover.mock.lastCall![0]!.x).toBeCloseTo(25, 6);
    pointer(page.host, 'pointermove', ...at(0.75, 0.5), touch);
    page.clock.runAll();
    expect(onHover.mock.lastCall![0]!.x).toBeCloseTo(75, 6);
  });

  test('a finger that scrolls places no cursor', () => {
    const onHover = vi.fn();
    page = openTestChart([testSeries({ y: [1, 2, 3] })], {}, { onHover });
    pointer(page.host, 'pointerdown', 200, 100, touch);
    pointer(page.host, 'pointermove', 200, 130, touch);
    vi.advanceTimersByTime(1000);
    page.clock.runAll();
    expect(onHover).not.toHaveBeenCalled();
  });

  test('two fingers zoom x: what was below them stays below them', () => {
    open();
    pointer(page.host, 'pointerdown', ...at(0.4, 0.5), { ...touch, pointerId: 1 });
    pointer(page.host, 'pointerdown', ...at(0.6, 0.5), { ...touch, pointerId: 2 });
    pointer(page.host, 'pointermove', ...at(0.2, 0.5), { ...touch, pointerId: 1 });
    pointer(page.host, 'pointermove', ...at(0.8, 0.5), { ...touch, pointerId: 2 });
    const [min, max] = views.at(-1)!.x!;
    expect(min + (max - min) * 0.2).toBeCloseTo(40, 6);
    expect(min + (max - min) * 0.8).toBeCloseTo(60, 6);
  });

  test('zooms with one finger where the page says so', () => {
    open({ isTouchPanning: false });
    drag(page.host, at(0.25, 0.5), at(0.75, 0.5), touch);
    expect(views[0]!.x![0]).toBeCloseTo(25, 6);
  });
});

test('the shape of a box says which axes it zooms', () => {
  const box = { left: 40, top: 10, right: 400, bottom: 200 };
  expect(brushAxes({ x: 100, y: 100 }, { x: 200, y: 105 }, box)).toBe('x');
  expect(brushAxes({ x: 100, y: 100 }, { x: 105, y: 180 }, box)).toBe('y');
  expect(brushAxes({ x: 100, y: 100 }, { x: 200, y: 180 }, box)).toBe('xy');
  expect(brushAxes({ x: 20, y: 50 }, { x: 300, y: 180 }, box)).toBe('y');
  expect(brushAxes({ x: 100, y: 215 }, { x: 300, y: 20 }, box)).toBe('x');
});
