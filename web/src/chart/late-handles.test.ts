// @vitest-environment happy-dom
// A chart has a marker before the code that draws and moves it. With a chart and modules of its own for each test: code that was
// loaded once is there for good.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as TestSeries from './test-series';
import type { ChartCallbacks } from './types';

let page: TestSeries.TestChart;
let series: typeof TestSeries;
const onSelected = vi.fn<NonNullable<ChartCallbacks['onSelected']>>();

beforeEach(async () => {
  vi.resetModules();
  vi.clearAllMocks();
  series = await import('./test-series');
  page = series.makeTestChart({ onSelected }, { yRange: [0, 10] });
  page.chart.setSeries([series.testSeries({ key: 'a', y: Array.from({ length: 101 }, () => 5) })]);
  page.clock.runAll();
  page.chart.setOptions({ selected: { from: 40, to: null } });
});

afterEach(() => {
  page.close();
});

async function loadHandles(): Promise<void> {
  await vi.dynamicImportSettled();
  page.clock.runAll();
}

test('brackets that come before it count when it is there', async () => {
  expect(series.press(page, ']').defaultPrevented).toBe(true);
  series.press(page, ']');
  expect(onSelected).not.toHaveBeenCalled();
  await loadHandles();
  expect(onSelected).toHaveBeenLastCalledWith({ from: 42, to: null });
});

test('a pointer that waits on the marker has its shape when it is there', async () => {
  const { left, right, bottom } = series.plotOf(page);
  series.pointer(page.host, 'pointermove', left + 0.4 * (right - left), bottom + 10);
  page.clock.runAll();
  expect(page.host.style.cursor).toBe('');
  await loadHandles();
  expect(page.host.style.cursor).toBe('ew-resize');
});
