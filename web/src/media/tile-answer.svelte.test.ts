import { flushSync } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import type { Page } from '../state/page.svelte';
import { jsonOf, TileAnswer } from './tile-answer.svelte';

let end: () => void = () => undefined;
afterEach(() => end());

test('after a failure it tries again when told, and says meanwhile that it loads', async () => {
  const answers = [Promise.reject(new Error('No answer')), Promise.resolve(Response.json('text'))];
  const get = vi.fn(() => answers[get.mock.calls.length - 1]!);
  const page = { client: { get }, dataListeners: new Set() } as unknown as Page;
  let loaded!: TileAnswer<string>;
  end = $effect.root(() => {
    loaded = new TileAnswer(page, () => 'text/item', jsonOf<string>);
  });
  flushSync();
  expect(loaded.isLoading).toBe(true);
  await vi.waitFor(() => expect(loaded.problem?.message).toBe('No answer'));
  expect(loaded.isLoading).toBe(false);
  loaded.retry();
  flushSync();
  expect([loaded.problem, loaded.isLoading]).toEqual([null, true]);
  await vi.waitFor(() => expect(loaded.value).toBe('text'));
  expect([loaded.isLoading, get.mock.calls.length]).toEqual([false, 2]);
});
