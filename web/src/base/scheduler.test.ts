import { describe, expect, test, vi } from 'vitest';
import { ManualClock } from './manual-clock';
import { FRAME_BUDGET_MS, FrameScheduler, type FrameBudget, type FrameTask } from './scheduler';

interface FakeTask extends FrameTask {
  slices: number;
}

/** Needs so many slices, each of which takes so long. */
function fakeTask(
  clock: ManualClock,
  { slices = 1, sliceMs = 0, isVisible = true, log = [] as string[], name = '' },
) {
  const task: FakeTask = {
    slices: 0,
    isVisible: () => isVisible,
    drawSlice: (budget) => {
      while (task.slices < slices) {
        if (budget.isSpent) return false;
        task.slices++;
        clock.timeMs += sliceMs;
        log.push(name);
      }
      return true;
    },
  };
  return task;
}

describe('FrameScheduler', () => {
  test('asks for one frame however much is queued', () => {
    const clock = new ManualClock();
    const request = vi.spyOn(clock, 'requestFrame');
    const scheduler = new FrameScheduler(clock);
    const task = fakeTask(clock, {});
    scheduler.draw(task);
    scheduler.draw(task);
    scheduler.draw(fakeTask(clock, {}));
    scheduler.urgent(() => {});
    expect(request).toHaveBeenCalledTimes(1);
    clock.runAll();
    expect(task.slices).toBe(1);
  });

  test('stops when the time of a frame is used up and goes on in the next', () => {
    const clock = new ManualClock();
    const scheduler = new FrameScheduler(clock);
    const task = fakeTask(clock, { slices: 12, sliceMs: FRAME_BUDGET_MS / 4 });
    scheduler.draw(task);
    clock.runFrame();
    expect(task.slices).toBe(4);
    expect(clock.hasFrame).toBe(true);
    clock.runAll();
    expect(task.slices).toBe(12);
  });

  test('counts points as well as time, and draws fewer of them when frames come late', () => {
    const clock = new ManualClock();
    const scheduler = new FrameScheduler(clock);
    const perFrame: number[] = [];
    let left = 3_000_000;
    const task: FrameTask = {
      isVisible: () => true,
      drawSlice: (budget: FrameBudget) => {
        let drawn = 0;
        while (!budget.isSpent && left > 0) {
          budget.spend(1000);
          left -= 1000;
          drawn += 1000;
        }
        perFrame.push(drawn);
        return left <= 0;
      },
    };
    scheduler.draw(task);
    for (let frame = 0; frame < 5; frame++) {
      clock.runFrame();
      // The browser was busy with the pixels of what was drawn.
      clock.timeMs += 60;
    }
    expect(perFrame[0]).toBeLessThan(3_000_000);
    expect(perFrame[4]!).toBeLessThan(perFrame[0]!);
  });

  test('draws what is visible first', () => {
    const clock = new ManualClock();
    const scheduler = new FrameScheduler(clock);
    const log: string[] = [];
    scheduler.draw(fakeTask(clock, { isVisible: false, name: 'hidden', log }));
    scheduler.draw(fakeTask(clock, { name: 'visible', log }));
    clock.runAll();
    expect(log).toEqual(['visible', 'hidden']);
  });

  test('finishes a chart that was begun before it begins another', () => {
    const clock = new ManualClock();
    const scheduler = new FrameScheduler(clock);
    const log: string[] = [];
    scheduler.draw(fakeTask(clock, { slices: 3, sliceMs: FRAME_BUDGET_MS, name: 'first', log }));
    scheduler.draw(fakeTask(clock, { slices: 1, name: 'second', log }));
    clock.runAll();
    expect(log).toEqual(['first', 'first', 'first', 'second']);
  });

  test('is never entered from within itself', () => {
    const clock = new ManualClock();
    const scheduler = new FrameScheduler(clock);
    let depth = 0;
    let deepest = 0;
    const follower: FrameTask = { isVisible: () => true, drawSlice: () => true };
    const task: FrameTask = {
      isVisible: () => true,
      drawSlice: () => {
        deepest = Math.max(deepest, ++depth);
        scheduler.draw(follower);
        scheduler.urgent(() => {});
        depth--;
        return true;
      },
    };
    scheduler.draw(task);
    clock.runFrame();
    expect(deepest).toBe(1);
    expect(clock.hasFrame).toBe(true);
  });

  test('what an urgent callback asks for urgently is still done in the same frame', () => {
    const clock = new ManualClock();
    const scheduler = new FrameScheduler(clock);
    const log: string[] = [];
    scheduler.urgent(() => {
      log.push('hover');
      scheduler.urgent(() => log.push('highlight'));
    });
    clock.runFrame();
    expect(log).toEqual(['hover', 'highlight']);
  });

  test('rests when the last task is cancelled', () => {
    const clock = new ManualClock();
    const scheduler = new FrameScheduler(clock);
    const task = fakeTask(clock, {});
    scheduler.draw(task);
    scheduler.cancel(task);
    expect(clock.hasFrame).toBe(false);
  });

  test('one task that throws does not stop the others', async () => {
    const clock = new ManualClock();
    const scheduler = new FrameScheduler(clock);
    const queued: (() => void)[] = [];
    vi.stubGlobal('queueMicrotask', (callback: () => void) => queued.push(callback));
    scheduler.draw({
      isVisible: () => true,
      drawSlice: () => {
        throw new Error('broken chart');
      },
    });
    const healthy = fakeTask(clock, {});
    scheduler.draw(healthy);
    clock.runAll();
    vi.unstubAllGlobals();
    expect(healthy.slices).toBe(1);
    expect(queued).toHaveLength(1);
    expect(queued[0]).toThrow('broken chart');
  });
});
