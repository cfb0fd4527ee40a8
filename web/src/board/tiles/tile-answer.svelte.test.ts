// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import type { Page } from '../../state/page.svelte';
import { jsonOf, TileAnswer } from './tile-answer.svelte';

let end: () => void = () => undefined;
afterEach(() => end());

test('what is not wanted any more does not load any more', () => {
  const page = {
    client: { get: () => new Promise(() => undefined) },
    dataListeners: new Set(),
  } as unknown as Page;
  let path = $state<string | null>('text/item');
  let loaded!: TileAnswer<string>;
  end = $effect.root(() => {
    loaded = new TileAnswer(page, () => path, jsonOf<string>);
  });
  flushSync();
  expect(loaded.isLoading).toBe(true);
  path = null;
  flushSync();
  expect(loaded.isLoading).toBe(false);
});

test('what failed because the server was gone is asked for again when it is back, and nothing else', async () => {
  const cut = { headers: new Headers(), blob: () => Promise.reject(new Error('cut')) };
  const answers = [() => Promise.resolve(cut), () => Promise.reject(new Error('There is no such text'))];
  const get = vi.fn(() => answers[get.mock.calls.length - 1]!());
  let connection = $state<Page['connection']>('lost');
  const page = {
    client: { get },
    dataListeners: new Set(),
    get connection() {
      return connection;
    },
  } as unknown as Page;
  let loaded!: TileAnswer<string>;
  end = $effect.root(() => {
    loaded = new TileAnswer(page, () => 'text/item', jsonOf<string>);
  });
  flushSync();
  await vi.waitFor(() => expect(loaded.problem?.isTemporary).toBe(true));
  connection = 'live';
  flushSync();
  await vi.waitFor(() => expect(loaded.problem?.message).toBe('There is no such text'));
  connection = 'lost';
  flushSync();
  connection = 'live';
  flushSync();
  expect(get).toHaveBeenCalledTimes(2);
});

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
