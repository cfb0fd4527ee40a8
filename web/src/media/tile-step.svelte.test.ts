import { expect, test } from 'vitest';
import type { MediaSeries } from '../state/media.svelte';
import { TileStep } from './tile-step.svelte';

function makeStep(steps: number[]) {
  const now = { asked: null as number | null, steps };
  const step = new TileStep(
    () => ({ steps: Float64Array.from(now.steps) }) as MediaSeries,
    () => now.asked,
  );
  return { step, now };
}

test('shows what all are asked for, and says when there is no such value', () => {
  const { step, now } = makeStep([0, 100, 200]);
  expect([step.index, step.isOther]).toEqual([2, false]);
  now.asked = 100;
  expect([step.index, step.isOther]).toEqual([1, false]);
  now.asked = 150;
  expect([step.index, step.isOther]).toEqual([1, true]);
});

test('its own step counts until all are asked for another one, and says nothing of the asked one', () => {
  const { step, now } = makeStep([0, 100, 200]);
  now.asked = 200;
  step.choose(0);
  expect([step.index, step.isOwn, step.isOther]).toEqual([0, true, false]);
  now.asked = 100;
  expect([step.index, step.isOwn]).toEqual([1, false]);
});

test('at its end it follows the end, elsewhere it stays', () => {
  const { step, now } = makeStep([0, 100]);
  now.asked = 0;
  step.choose(1);
  now.steps = [0, 100, 200];
  expect(step.index).toBe(2);
  step.choose(1);
  now.steps = [0, 50, 100, 200];
  expect(step.index).toBe(2);
});
