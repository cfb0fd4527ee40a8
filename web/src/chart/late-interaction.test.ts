// @vitest-environment happy-dom
// A chart is there before the code that follows pointers and keys, which may be lost on its way. Not with test-series.ts,
// which waits for that code.
import { afterEach, expect, test, vi } from 'vitest';
import { ManualClock } from '../base/manual-clock';
import { FrameScheduler } from '../base/scheduler';
import type { Engine } from './engine';
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

afterEach(() => {
  vi.useRealTimers();
  vi.doUnmock('./interaction');
});

test('lost code is fetched again, listens once, and hears what was pressed before', async () => {
  vi.useFakeTimers();
  let made = 0;
  let destroyed = 0;
  let isLost = true;
  const heard: string[] = [];
  class Interaction {
    constructor({ host }: Engine) {
      made += 1;
      host.addEventListener('pointerdown', ({ type }) => heard.push(type));
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
  const make = (host: HTMLElement) =>
    createLineChart(host, {}, OPTIONS, new FrameScheduler(new ManualClock()));
  const host = document.createElement('div');
  const chart = make(host);
  const gone = make(document.createElement('div'));
  host.dispatchEvent(new PointerEvent('pointerdown'));
  await vi.dynamicImportSettled();
  chart.setSeries([]);
  gone.destroy();
  expect(made).toBe(0);

  isLost = false;
  await vi.advanceTimersByTimeAsync(2000);
  await vi.waitFor(() => expect(made).toBe(1));
  expect(heard).toEqual(['pointerdown']);
  chart.setSeries([]);
  await vi.dynamicImportSettled();
  chart.destroy();
  expect([made, destroyed]).toEqual([1, 1]);
});
