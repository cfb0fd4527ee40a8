// A chart is there before the code that follows pointers and keys, which may be lost on its way. Not with test-series.ts,
// which waits for that code.
import { afterEach, expect, test, vi } from 'vitest';
import { ManualClock } from '../base/manual-clock';
import { FrameScheduler } from '../base/scheduler';
import { createLineChart } from './line-chart';
import type { ChartOptions } from './types';

const OPTIONS: ChartOptions = {
  ...{ xKind: 'step', xScale: 'linear', yScale: 'linear', isTouchPanning: true },
  ...{ xRange: null, xLimits: null, yRange: null, yCore: null },
  theme: {
    ...{ text: '#000', mutedText: '#000', grid: '#000', axis: '#000', background: '#000', cursor: '#000' },
    ...{ brush: '#000', fontFamily: 'sans-serif', fontSizePx: 11 },
  },
};

afterEach(() => vi.doUnmock('./interaction'));

test('lost code is fetched again with the next lines, and listens once', async () => {
  let made = 0;
  let destroyed = 0;
  let isLost = true;
  class Interaction {
    constructor() {
      made += 1;
    }
    queueOverlay(): void {}
    takeSeries(): void {}
    refresh(): void {}
    destroy(): void {
      destroyed += 1;
    }
  }
  vi.doMock('./interaction', () => {
    if (isLost) throw new Error('the server is gone');
    return { Interaction };
  });
  const host = document.createElement('div');
  const chart = createLineChart(host, {}, OPTIONS, new FrameScheduler(new ManualClock()));
  await vi.dynamicImportSettled();
  expect(made).toBe(0);

  isLost = false;
  chart.setSeries([]);
  chart.setSeries([]);
  await vi.waitFor(() => expect(made).toBe(1));
  chart.setSeries([]);
  await vi.dynamicImportSettled();
  chart.destroy();
  expect([made, destroyed]).toEqual([1, 1]);
});
