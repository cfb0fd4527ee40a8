import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mediaOf, type MediaSeries } from '../state/media.svelte';
import type { Page } from '../state/page.svelte';
import type { Tag } from '../state/types';
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

function pageOf(runCount: number): { page: Page; wanted: string[] } {
  const wanted: string[] = [];
  const runs = Array.from({ length: runCount }, (_, id) => ({ id, name: `r${id}` }));
  const page = {
    runs: { visibleIds: runs.map(({ id }) => id), shown: runs },
    dataListeners: new Set(),
    client: {},
  } as unknown as Page;
  const steps: Record<string, number[]> = { a: [1, 5], b: [2, 5] };
  const media = mediaOf(page);
  vi.spyOn(media, 'want').mockImplementation((want) => {
    wanted.push(want.tag);
    return () => void wanted.splice(wanted.indexOf(want.tag), 1);
  });
  vi.spyOn(media, 'series').mockImplementation(
    (_kind, name) => ({ steps: Float64Array.from(steps[name] ?? []) }) as MediaSeries,
  );
  return { page, wanted };
}

test('the bar of a page with few series knows all their steps, after what is in sight has been asked for', () => {
  const { page, wanted } = pageOf(2);
  const shown = new ShownSteps(page);
  const end = addAllOf(page, shown, [tag('a'), tag('b')]);
  expect(wanted).toEqual([]);
  vi.runAllTimers();
  flushSync();
  expect(wanted).toEqual(['a', 'b']);
  expect([...shown.steps]).toEqual([1, 2, 5]);
  end();
  expect(wanted).toEqual([]);
  expect([...shown.steps]).toEqual([]);
});

test('of very many series only those in sight count', () => {
  const { page, wanted } = pageOf(150);
  addAllOf(page, new ShownSteps(page), [tag('a'), tag('b')]);
  vi.runAllTimers();
  expect(wanted).toEqual([]);
});
