import { expect, test } from 'vitest';
import { StepPlayer } from './step-player.svelte';

/** Time that passes when somebody waits for it. */
function player({ count = 10, loadMs = 0 } = {}) {
  let nowMs = 0;
  const shown: [index: number, atMs: number][] = [];
  let index = 0;
  const made = new StepPlayer({
    count: () => count,
    index: () => index,
    show: (to) => {
      index = to;
      shown.push([to, nowMs]);
    },
    settled: () => {
      nowMs += loadMs;
      return Promise.resolve();
    },
    nowMs: () => nowMs,
    // Whoever waits for a picture at most so long is never held up here: pictures come.
    wait: (ms) => {
      if (ms < 3000) nowMs += ms;
      return Promise.resolve();
    },
  });
  return { made, shown, at: (to: number) => (index = to) };
}

test('every step is shown in time when all is there', async () => {
  const { made, shown } = player({ count: 4 });
  made.speed = 10;
  await made.play();
  expect(shown).toEqual([
    [1, 100],
    [2, 200],
    [3, 300],
  ]);
  expect(made.isPlaying).toBe(false);
});

test('what is slow makes it leave out steps, not fall behind', async () => {
  const { made, shown } = player({ count: 10, loadMs: 250 });
  made.speed = 10;
  await made.play();
  expect(shown.map(([index]) => index)).toEqual([2, 5, 7, 9]);
});

test('at the end it begins anew; one step is no film', async () => {
  const { made, shown, at } = player({ count: 3 });
  at(2);
  await made.play();
  expect(shown.map(([index]) => index)).toEqual([0, 1, 2]);
  const still = player({ count: 1 });
  await still.made.play();
  expect(still.shown).toEqual([]);
  expect(still.made.isPlaying).toBe(false);
});

test('a pause holds, and a second play does not make it twice as fast', async () => {
  const { made, shown } = player({ count: 100 });
  made.toggle();
  expect(made.isPlaying).toBe(true);
  made.toggle();
  expect(made.isPlaying).toBe(false);
  for (let i = 0; i < 50; i++) await Promise.resolve();
  expect(shown).toEqual([]);
});
