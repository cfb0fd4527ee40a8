import { beforeEach, expect, it, vi } from 'vitest';
import type { LoadedAnswer } from '../../../state/feeds/answer-cache';
import { BlobUrl } from './blob-url.svelte';

/** Answers come when a test says so. */
function makeUrl() {
  const asked: string[] = [];
  const ends: { resolve: (answer: LoadedAnswer) => void; reject: (error: Error) => void }[] = [];
  const url = new BlobUrl((path) => {
    asked.push(path);
    return new Promise((resolve, reject) => ends.push({ resolve, reject }));
  });
  const answer = async (i: number, text: string) => {
    ends[i]!.resolve({ blob: new Blob([text]), headers: new Headers() });
    await Promise.resolve();
  };
  return { url, asked, ends, answer };
}

let made = 0;
const revoked: string[] = [];

beforeEach(() => {
  made = 0;
  revoked.length = 0;
  vi.useFakeTimers();
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => `blob:${made++}`);
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => revoked.push(url));
  return () => vi.useRealTimers();
});

it('the old one stays until the new one is there, and is given back', async () => {
  const { url, answer } = makeUrl();
  url.want('a');
  await answer(0, 'first');
  expect(url.url).toBe('blob:0');
  url.want('b');
  expect(url.url).toBe('blob:0');
  await answer(1, 'second');
  expect([url.url, await url.blob!.text()]).toEqual(['blob:1', 'second']);
  url.want(null);
  expect([url.url, url.blob]).toEqual([null, null]);
  vi.runAllTimers();
  expect(revoked).toEqual(['blob:0', 'blob:1']);
});

it('a late answer for what nobody wants any more changes nothing', async () => {
  const { url, answer } = makeUrl();
  url.want('a');
  url.want('b');
  await answer(1, 'second');
  await answer(0, 'first');
  expect([await url.blob!.text(), made]).toEqual(['second', 1]);
  url.want('c');
  url.want(null);
  await answer(2, 'third');
  expect([url.url, made]).toEqual([null, 1]);
});

it('asks once for what is wanted already, and again when it means other bytes', () => {
  const { url, asked } = makeUrl();
  url.want('a', 1);
  url.want('a', 1);
  expect(asked).toEqual(['a']);
  url.want('a', 2);
  expect(asked).toEqual(['a', 'a']);
});

it('says why there is nothing, until something else is wanted', async () => {
  const { url, ends, answer } = makeUrl();
  url.want('a');
  ends[0]!.reject(new Error('damaged'));
  await vi.waitFor(() => expect(url.problem?.message).toBe('damaged'));
  url.want('b');
  await answer(1, 'second');
  expect([url.problem, url.url]).toEqual([null, 'blob:0']);
});
