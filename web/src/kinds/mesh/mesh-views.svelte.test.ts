import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { boxOf } from './box';
import { MeshViews } from './mesh-views.svelte';
import { HOME } from './orbit';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const box = (size: number) => boxOf(new Float32Array([0, 0, 0, size, 0, 0]))!;

it('has around a tag all that was shown of it, until a reset leaves what is shown now', () => {
  const views = new MeshViews();
  const [one, other] = [{}, {}];
  views.show(one, 'a', box(1));
  views.show(other, 'a', box(2));
  expect(views.boxOf('a')?.high[0]).toBe(2);
  views.show(one, 'a', box(9));
  views.show(one, 'a', box(3));
  expect(views.boxOf('a')?.high[0]).toBe(9);
  views.shared = { ...HOME, zoom: 3 };
  views.reset();
  expect(views.shared).toBeNull();
  expect(views.boxOf('a')?.high[0]).toBe(3);
  views.hide(one);
  views.reset();
  expect(views.boxOf('a')?.high[0]).toBe(2);
  expect(views.boxOf('b')).toBeUndefined();
});

it('of one that is seen alone the others hear nothing', () => {
  const views = new MeshViews();
  const [one, other] = [{}, {}];
  for (const size of [9, 3]) {
    views.show(one, '1 a', box(size));
    views.show(other, '2 a', box(size));
  }
  views.shared = HOME;
  views.reset('1 a');
  expect(views.shared).toBe(HOME);
  expect([views.boxOf('1 a'), views.boxOf('2 a')].map((one) => one?.high[0])).toEqual([3, 9]);
});

it('moves until nothing has moved for a while', () => {
  const views = new MeshViews();
  views.move();
  vi.advanceTimersByTime(100);
  views.move();
  vi.advanceTimersByTime(100);
  expect(views.isMoving).toBe(true);
  vi.advanceTimersByTime(100);
  expect(views.isMoving).toBe(false);
});
