// @vitest-environment happy-dom
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import type { ChartCallbacks, ChartOptions } from '../../chart/types';
import { setPage, type Page } from '../../state/page.svelte';
import LinePlot from './LinePlot.svelte';

const chart = { setOptions: vi.fn(), setSeries: vi.fn(), destroy: vi.fn() };
let made: { callbacks: ChartCallbacks; options: ChartOptions };
vi.mock('../../chart/line-chart', () => ({
  createLineChart: (_host: HTMLElement, callbacks: ChartCallbacks, options: ChartOptions) => {
    made = { callbacks, options };
    return chart;
  },
}));

let end = async (): Promise<void> => undefined;
afterEach(async () => {
  await end();
  vi.clearAllMocks();
});

function showPlot(props: object): void {
  const component = mount(
    (anchor: unknown, given: object) => {
      setPage({} as Page);
      return LinePlot(anchor as never, given as never);
    },
    { target: document.body, props: { series: [], label: 'Precision', ...props } },
  );
  flushSync();
  end = () => unmount(component);
}

const lastOptions = (): ChartOptions => chart.setOptions.mock.lastCall![0] as ChartOptions;

test('a zoom stays until it is taken back, and an axis that was not zoomed follows the options', () => {
  showPlot({ options: { xKind: 'metric', xRange: [0, 1], yRange: [0, 1] } });
  expect(made.options).toMatchObject({ xRange: [0, 1], yRange: [0, 1], yScale: 'linear' });

  made.callbacks.onView!({ x: [0.2, 0.4], y: [0, 1] });
  flushSync();
  expect(lastOptions()).toMatchObject({ xRange: [0.2, 0.4], yRange: [0, 1] });

  // A double click: the chart has fitted itself to its lines, the options say otherwise.
  made.callbacks.onView!({ x: null, y: null });
  flushSync();
  expect(lastOptions()).toMatchObject({ xRange: [0, 1], yRange: [0, 1] });
});

test('who wants the chart gets it, and hears when it goes', async () => {
  const onend = vi.fn();
  const onchart = vi.fn(() => onend);
  showPlot({ options: { xKind: 'step' }, onchart });
  expect(onchart).toHaveBeenCalledWith(chart);
  expect(chart.setSeries).toHaveBeenCalledWith([]);

  await end();
  end = async () => undefined;
  expect(onend).toHaveBeenCalledOnce();
  expect(chart.destroy).toHaveBeenCalledOnce();
});
