import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { untilHere, useLate } from './late-code';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lost so many times before it comes. */
function lateCode(lost: number) {
  let left = lost;
  return vi.fn(() => (left-- > 0 ? Promise.reject(new Error('no server')) : Promise.resolve('code')));
}

test('what was lost on its way is asked for again, ever more seldom, until it comes', async () => {
  const load = lateCode(10);
  const onLost = vi.fn();
  let here: string | null = null;
  void untilHere(load, onLost).then((code) => (here = code));
  await vi.advanceTimersByTimeAsync(10_000);
  const calls = load.mock.calls.length;
  expect(calls).toBeGreaterThan(2);
  expect(here).toBeNull();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(load.mock.calls.length - calls).toBeLessThan(calls);
  await vi.advanceTimersByTimeAsync(1_000_000);
  expect([here, load.mock.calls.length, onLost.mock.calls.length]).toEqual(['code', 11, 10]);
});

test('late code is used until its effect is over', async () => {
  const end = vi.fn();
  const use = vi.fn(() => end);
  const stop = useLate(lateCode(1), use);
  await vi.runAllTimersAsync();
  expect(use).toHaveBeenCalledExactlyOnceWith('code');
  expect(end).not.toHaveBeenCalled();
  stop();
  expect(end).toHaveBeenCalledTimes(1);
});

test('code that comes when its effect is over is not used', async () => {
  const use = vi.fn(() => () => undefined);
  useLate(lateCode(1), use)();
  await vi.runAllTimersAsync();
  expect(use).not.toHaveBeenCalled();
});
