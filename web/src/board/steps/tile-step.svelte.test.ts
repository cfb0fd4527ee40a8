// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import { defaultView } from '../../state/settings/view';
import { liveView } from '../../state/live-view.svelte';
import type { TagSeries } from '../../state/feeds/tag-series.svelte';
import type { Page } from '../../state/page.svelte';
import type { DataChange } from '../../state/types';
import { askForStep } from './asked-step';
import { flagSetting, setSetting } from '../../state/settings/setting';
import { TileStep } from './tile-step.svelte';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function makeStep(values: number[]) {
  const dataListeners = new Set<(change: DataChange | null) => void>();
  const page = { view: liveView(defaultView()), client: {}, dataListeners } as unknown as Page;
  let steps = $state.raw(Float64Array.from(values));
  let step: TileStep | undefined;
  ends.push(
    $effect.root(() => {
      step = new TileStep(page, () => ({ steps }) as TagSeries);
    }),
  );
  flushSync();
  return {
    step: step!,
    page,
    ask: (asked: number | null) => {
      askForStep(page.view, asked);
      flushSync();
    },
    grow: (longer: number[]) => {
      steps = Float64Array.from(longer);
      flushSync();
    },
    restart: () => {
      for (const hear of dataListeners) hear(null);
      flushSync();
    },
  };
}

test('shows what all are asked for, and says when there is no such value', () => {
  const { step, ask } = makeStep([0, 100, 200]);
  expect([step.index, step.isOther]).toEqual([2, false]);
  ask(100);
  expect([step.index, step.isOther]).toEqual([1, false]);
  ask(150);
  expect([step.index, step.isOther]).toEqual([1, true]);
});

test('its own step counts until all are asked for another one, and says nothing of the asked one', () => {
  const { step, ask } = makeStep([0, 100, 200]);
  ask(200);
  step.choose(0);
  expect([step.index, step.isOwn, step.isOther]).toEqual([0, true, false]);
  ask(100);
  expect([step.index, step.isOwn]).toEqual([1, false]);
});

test('an old choice does not come back with the step at which it was made', () => {
  const { step, ask } = makeStep([0, 100, 200]);
  step.choose(0);
  ask(100);
  ask(null);
  expect([step.index, step.isOwn]).toEqual([2, false]);
});

test('its own step is forgotten when all are asked for the step that they have already', () => {
  const { step, ask } = makeStep([0, 100, 200]);
  step.choose(0);
  ask(null);
  expect([step.index, step.isOwn]).toEqual([2, false]);
  ask(100);
  step.choose(0);
  ask(100);
  expect([step.index, step.isOwn]).toEqual([1, false]);
});

test('a choice stays when other settings change', () => {
  const { step, page } = makeStep([0, 100, 200]);
  step.choose(0);
  setSetting(page.view, flagSetting('other', false), true);
  flushSync();
  expect([step.index, step.isOwn]).toEqual([0, true]);
});

test('a choice is forgotten when numbers of runs mean other runs', () => {
  const { step, restart } = makeStep([0, 100, 200]);
  step.choose(0);
  restart();
  expect([step.index, step.isOwn]).toEqual([2, false]);
});

test('at its end it follows the end, elsewhere it stays', () => {
  const { step, ask, grow } = makeStep([0, 100]);
  ask(0);
  step.choose(1);
  grow([0, 100, 200]);
  expect(step.index).toBe(2);
  step.choose(1);
  grow([0, 50, 100, 200]);
  expect(step.index).toBe(2);
});

test('each of several values of one step can be chosen', () => {
  const { step } = makeStep([0, 100, 100, 200]);
  step.choose(1);
  expect(step.index).toBe(1);
  step.choose(2);
  expect(step.index).toBe(2);
});
