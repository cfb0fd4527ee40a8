import { expect, test } from 'vitest';
import { CursorBus } from './cursor-bus';

/** Frames that come when the test says so. */
function scriptedFrames() {
  let waiting: (() => void)[] = [];
  return {
    clock: { request: (callback: () => void) => waiting.push(callback), cancel: () => (waiting = []) },
    next: () => {
      const now = waiting;
      waiting = [];
      for (const callback of now) callback();
    },
    get count() {
      return waiting.length;
    },
  };
}

test('many moves in one frame are told once, with the last place', () => {
  const frames = scriptedFrames();
  const bus = new CursorBus(frames.clock);
  const heard: (number | null)[] = [];
  bus.subscribe((x) => heard.push(x));
  const card = {};
  for (const x of [1, 2, 3]) bus.publish(x, card);
  expect(heard).toEqual([]);
  frames.next();
  expect(heard).toEqual([3]);
});

test('listeners are told who moved the cursor', () => {
  const frames = scriptedFrames();
  const bus = new CursorBus(frames.clock);
  const sources: unknown[] = [];
  bus.subscribe((_, source) => sources.push(source));
  const card = {};
  bus.publish(7, card);
  frames.next();
  expect(sources).toEqual([card]);
});

test('a card that the pointer has left does not clear the cursor of the next one', () => {
  const frames = scriptedFrames();
  const bus = new CursorBus(frames.clock);
  const [left, entered] = [{}, {}];
  const heard: (number | null)[] = [];
  bus.subscribe((x) => heard.push(x));
  bus.publish(1, left);
  bus.publish(2, entered);
  bus.publish(null, left);
  frames.next();
  bus.publish(null, entered);
  frames.next();
  expect(heard).toEqual([2, null]);
});

test('a card that comes later is told where the cursor is', () => {
  const frames = scriptedFrames();
  const bus = new CursorBus(frames.clock);
  bus.publish(5, {});
  frames.next();
  const heard: (number | null)[] = [];
  bus.subscribe((x) => heard.push(x));
  expect(heard).toEqual([5]);
});

test('no frame is waited for when the last listener has gone', () => {
  const frames = scriptedFrames();
  const bus = new CursorBus(frames.clock);
  const leave = bus.subscribe(() => {});
  bus.publish(1, {});
  leave();
  expect(frames.count).toBe(0);
});
