import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Page } from '../../state/page.svelte';
import type { TextSearchAnswer, TextSearchRequest } from '../../wire/client';
import { TextSearch } from './text-search.svelte';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** One run, in which each tag has one text, and each text a hit. The server looks at 400 texts at a time. */
function searchOf(answerTo: (request: TextSearchRequest) => TextSearchAnswer) {
  const post = vi.fn((_path: string, request: unknown) =>
    Promise.resolve(Response.json(answerTo(request as TextSearchRequest))),
  );
  const search = new TextSearch({ client: { post }, runs: { serverId: 's' } } as unknown as Page);
  return { search, post };
}

function inTurn({ queries, skip = 0 }: TextSearchRequest): TextSearchAnswer {
  const end = Math.min(queries.length, skip + 400);
  const hits = Array.from({ length: end - skip }, (_, at) => ({
    ...{ query: skip + at, run: 0, index: 0, step: 5, wall_s: 0 },
    ...{ count: 1, before: '', match: 'x', after: '' },
  }));
  return { hits, searched: end, total: queries.length, is_complete: end === queries.length, problems: [] };
}

const scopeOf = (count: number) => Array.from({ length: count }, (_, at) => ({ tag: `t${at}`, runs: [0] }));

test('more tags than the server takes at once are searched one part after the other, none is left out', async () => {
  const { search, post } = searchOf(inTurn);
  search.ask('x', false, scopeOf(900));
  await vi.runAllTimersAsync();
  expect(search.state).toBe('done');
  expect([search.searched, search.total, search.isTotalKnown]).toEqual([900, 900, true]);
  expect(search.places.map(({ tag }) => tag)).toEqual(scopeOf(900).map(({ tag }) => tag));
  const asked = post.mock.calls.map(([, body]) => body as TextSearchRequest);
  expect(asked.map(({ queries, skip }) => [queries.length, skip])).toEqual([
    [512, 0],
    [512, 400],
    [388, 0],
  ]);
});

test('while a part is left, nobody knows yet how many texts there are', async () => {
  const { search } = searchOf((request) => ({ ...inTurn(request), problems: ['too long'] }));
  search.ask('x', false, scopeOf(1100));
  await vi.runAllTimersAsync();
  // After a thousand places somebody has to say that more of them are wanted.
  expect([search.state, search.places.length]).toEqual(['paused', 1024]);
  expect([search.searched, search.total, search.isTotalKnown]).toEqual([1024, 1024, false]);
  search.goOn();
  await vi.runAllTimersAsync();
  expect([search.state, search.places.length, search.total]).toEqual(['done', 1100, 1100]);
  expect(search.problems.length).toBe(5);
});

test('a server that gets no further is not taken for one that is done', async () => {
  const { search } = searchOf((request) => ({ ...inTurn(request), searched: 0, is_complete: false }));
  search.ask('x', false, scopeOf(3));
  await vi.runAllTimersAsync();
  expect(search.state).toBe('paused');
  expect(search.error).toBe('The server gets no further: 3 texts are left');
});
