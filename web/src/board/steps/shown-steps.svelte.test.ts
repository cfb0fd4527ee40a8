// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { seriesFeedOf, type TagSeries } from '../../state/feeds/tag-series.svelte';
import type { Page } from '../../state/page.svelte';
import { stepsAnswer } from '../../state/test-media';
import type { DataChange, Tag } from '../../state/types';
import type { MediaQuery } from '../../wire/client';
import { addAllOf, ShownSteps } from './shown-steps.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const tag = (name: string): Tag => ({
  tag: name,
  kind: 'image',
  displayName: '',
  description: '',
  runCount: 1,
  hasRun: () => true,
});

/** Step 1 and 5 are in sight, the server knows more by tag. */
function makeShown(runCount: number, far: Record<string, number[]>) {
  const asked: MediaQuery[][] = [];
  const runs = Array.from({ length: runCount }, (_, id) => ({ id, name: `r${id}` }));
  const post = vi.fn((path: string, { queries }: { queries: MediaQuery[] }) => {
    expect(path).toBe('media/steps');
    asked.push(queries);
    const steps = [...new Set(queries.flatMap((query) => far[query.tag] ?? []))].sort((a, b) => a - b);
    return Promise.resolve(stepsAnswer(steps));
  });
  const page = {
    runs: { visibleIds: runs.map(({ id }) => id), shown: runs, serverId: 's' },
    dataListeners: new Set<(change: DataChange | null) => void>(),
    client: { post },
  } as unknown as Page;
  vi.spyOn(seriesFeedOf(page), 'series').mockReturnValue({ steps: Float64Array.of(1, 5) } as TagSeries);
  const unknownCount = vi.spyOn(seriesFeedOf(page), 'unknownCount').mockReturnValue(1);
  const hear = (change: DataChange | null): void => page.dataListeners.forEach((one) => one(change));
  return { page, shown: new ShownSteps(page), asked, post, hear, unknownCount };
}

const settle = async (): Promise<void> => {
  await vi.runAllTimersAsync();
  flushSync();
};

test('a page with few series keeps them known, after what is in sight has been asked for', async () => {
  const { page, shown, asked } = makeShown(2, { b: [2] });
  const wanted: string[] = [];
  vi.spyOn(seriesFeedOf(page), 'want').mockImplementation((want) => {
    wanted.push(want.tag);
    return () => void wanted.splice(wanted.indexOf(want.tag), 1);
  });
  shown.far = Float64Array.of(99);
  const end = addAllOf(page, shown, [tag('a'), tag('b')]);
  expect([wanted, [...shown.steps]]).toEqual([[], []]);
  await settle();
  expect([wanted, [...shown.steps], asked]).toEqual([['a', 'b'], [1, 5], []]);
  end();
  expect([wanted, [...shown.steps]]).toEqual([[], []]);
});

test('of many series the bar knows the steps of what is far as well', async () => {
  const { page, shown, asked } = makeShown(150, { b: [2, 5] });
  shown.add(tag('a'));
  const end = addAllOf(page, shown, [tag('a'), tag('b')]);
  expect([asked, [...shown.steps]]).toEqual([[], [1, 5]]);
  await settle();
  expect(asked).toHaveLength(1);
  expect([[...shown.steps], [...shown.near]]).toEqual([
    [1, 2, 5],
    [1, 5],
  ]);
  end();
  expect(page.dataListeners.size).toBe(1); // the store of series
});

test('a thousand tags in fifty runs are asked for in questions that the server takes', async () => {
  const names = Array.from({ length: 1000 }, (_, i) => `t${i}`);
  const { page, shown, asked } = makeShown(50, Object.fromEntries(names.map((name, i) => [name, [i]])));
  addAllOf(page, shown, names.map(tag));
  await settle();
  expect(shown.steps).toHaveLength(1000);
  expect(asked.flat().map((query) => query.tag)).toEqual(names);
  for (const queries of asked) {
    expect(queries.length).toBeLessThanOrEqual(512);
    expect(queries.reduce((sum, { runs }) => sum + runs.length, 0)).toBeLessThanOrEqual(5000);
  }
});

test('what grew is asked for again, in its runs alone, and what is no part of the page not at all', async () => {
  const far = { a: [3], b: [4] };
  const { page, shown, asked, hear } = makeShown(101, far);
  const end = addAllOf(page, shown, [tag('a'), tag('b')]);
  await settle();
  hear({ runs: [1], tags: ['loss'] });
  await settle();
  expect(asked).toHaveLength(1);
  far.b = [4, 7];
  hear({ runs: [1], tags: ['b'] });
  hear({ runs: [2], tags: null });
  await settle();
  expect(asked.slice(1)).toEqual([['a', 'b'].map((name) => ({ kind: 'image', tag: name, runs: [1, 2] }))]);
  expect([...shown.steps]).toEqual([3, 4, 7]);
  // Also when it grows all the time.
  for (let i = 0; i < 5; i++) {
    hear({ runs: [1], tags: ['b'] });
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(asked).toHaveLength(3);
  await settle();
  asked.length = 2;
  far.a = [];
  hear(null);
  await settle();
  expect([...shown.steps]).toEqual([4, 7]);
  hear({ runs: [1], tags: null });
  end();
  await settle();
  expect(asked).toHaveLength(3);
});

test('without an answer the bar says that there is more, and asks again', async () => {
  const { page, shown, post } = makeShown(201, { a: [3] });
  post.mockRejectedValueOnce(new Error('no server'));
  addAllOf(page, shown, [tag('a')]);
  await vi.advanceTimersByTimeAsync(500);
  expect(shown.isPartial).toBe(true);
  await settle();
  expect([shown.isPartial, [...shown.steps]]).toEqual([false, [3]]);
});

test('the same tags again, as after every change of the view, leave the bar as it is', async () => {
  const { page, shown, unknownCount } = makeShown(2, {});
  vi.spyOn(seriesFeedOf(page), 'want').mockReturnValue(() => undefined);
  const end = addAllOf(page, shown, [tag('a'), tag('b')]);
  expect([...shown.steps]).toEqual([]);
  await settle();
  unknownCount.mockReturnValue(0);
  end();
  addAllOf(page, shown, [tag('a'), tag('b')]);
  expect([...shown.steps]).toEqual([1, 5]);
});
