// @vitest-environment happy-dom
// What the cards are shown: errors, what a restarted server says, what was kept of cards out of sight, notes.
import { flushSync } from 'svelte';
import { describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../wire/client';
import { RecentlyUsed } from './recently-used';
import type { Stock } from './wanted-line';
import {
  card,
  client,
  loader,
  onOtherServer,
  page,
  runsOf,
  settle,
  startEachTestAnew,
  startLoader,
  valuesOf,
} from './test-line-feed.svelte';

startEachTestAnew();

describe('errors', () => {
  test('are told to each card, with a way to try again', async () => {
    const a = card('a');
    await settle();
    await client.fail(0, new ApiError(500, 'Something broke'));
    expect(a.last).toMatchObject({ error: 'Something broke', isFirstLoad: false });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(client.requests.length).toBe(1);
    a.last.retry();
    await settle();
    expect(a.last.error).toBeNull();
    await client.answer(1);
    expect(runsOf(a.last)).toEqual([1, 2]);
  });

  test('the lines stay when a refresh fails', async () => {
    const a = card('a');
    await settle();
    await client.answer(0);
    loader.change({ runs: [1], tags: null });
    await vi.advanceTimersByTimeAsync(100);
    await client.fail(1, new ApiError(500, 'Something broke'));
    expect(runsOf(a.last)).toEqual([1, 2]);
    expect(a.last.error).toBe('Something broke');
  });

  test('a lost connection is not shown over data, and is tried again by itself', async () => {
    const a = card('a');
    await settle();
    await client.answer(0);
    loader.change({ runs: [1], tags: null });
    await vi.advanceTimersByTimeAsync(100);
    await client.fail(1, new ApiError(0, 'No answer'));
    expect(a.last.error).toBeNull();
    await vi.advanceTimersByTimeAsync(1000);
    expect(client.asked(2)).toEqual(['a: 1']);
  });

  test('a card without data says that the connection is lost, until it is back', async () => {
    const a = card('a');
    await settle();
    await client.fail(0, new ApiError(0, 'No answer'));
    expect(a.last.error).toBe('No answer');
    loader.retry();
    await settle();
    expect(a.last.error).toBeNull();
    await client.answer(1);
    expect(runsOf(a.last)).toEqual([1, 2]);
  });
});

describe('a restarted server', () => {
  test('keeps the lines on screen under their new numbers and asks for all of them', async () => {
    const a = card('a');
    await settle();
    await client.answer(0);
    page.serverId = 'server-2';
    client.serverId = 'server-2';
    page.visible = [8, 9];
    loader.renumber(
      new Map([
        [1, 9],
        [2, 8],
      ]),
    );
    await settle();
    expect(runsOf(a.last)).toEqual([8, 9]);
    expect(client.asked(1)).toEqual(['a: 8 9']);
    await client.answer(1);
    expect(valuesOf(a.last)).toEqual([2, 2]);
  });

  test('tells every card, also when the same numbers mean other runs now', async () => {
    const a = card('a');
    await settle();
    await client.answer(0);
    page.visible = [2];
    await settle();
    loader.change({ runs: [2], tags: null });
    await vi.advanceTimersByTimeAsync(100);
    await client.answer(1);
    page.visible = [1, 2];
    await settle();
    expect(valuesOf(a.last)).toEqual([1, 2]);
    const told = a.all.length;
    loader.renumber(
      new Map([
        [1, 2],
        [2, 1],
      ]),
    );
    expect(a.all.length).toBe(told + 1);
    expect(a.last.series.map(({ run, value }) => [run, value[0]])).toEqual([
      [2, 1],
      [1, 2],
    ]);
  });

  test('an answer with other numbers is thrown away and reported', async () => {
    const a = card('a');
    await settle();
    client.serverId = 'server-2';
    await client.answer(0);
    expect(a.last.series).toEqual([]);
    expect(onOtherServer).toHaveBeenCalledOnce();
  });

  test('requests to the old one are aborted', async () => {
    card('a');
    await settle();
    loader.renumber(new Map());
    expect(client.requests[0]!.signal.aborted).toBe(true);
  });
});

describe('cards out of sight', () => {
  test('show what they had at once when they come back, and ask only for what changed', async () => {
    const first = card('a');
    await settle();
    await client.answer(0);
    first.leave();
    loader.change({ runs: [2], tags: ['a'] });
    const again = card('a');
    flushSync();
    expect(runsOf(again.all[0]!)).toEqual([1, 2]);
    expect(again.all[0]).toMatchObject({ isStale: false, isFirstLoad: false });
    await settle();
    expect(client.asked(1)).toEqual(['a: 2']);
  });

  test('a second card of the same tag starts with the data of the first', async () => {
    card('a');
    await settle();
    await client.answer(0);
    const wide = card('a', { widthPx: 1600 });
    await settle();
    expect(wide.all[0]).toMatchObject({ isStale: true });
    expect(runsOf(wide.all[0]!)).toEqual([1, 2]);
    expect(client.requests[1]!.request.queries[0]!.buckets).toBe(1664);
  });

  test('are forgotten when they take too much memory, oldest first', async () => {
    loader.destroy();
    // Room for one: two runs of one point and three columns.
    const shelf = new RecentlyUsed<Stock<object>>(50);
    startLoader(shelf);
    const [a, b] = [card('a'), card('b')];
    await settle();
    await client.answer(0);
    a.leave();
    b.leave();
    expect(shelf.size).toBeLessThanOrEqual(50);
    card('b');
    card('a');
    await settle();
    expect(client.asked(1)).toEqual(['a: 1 2']);
  });
});

describe('notes', () => {
  const note = (run: number | null, text: string) => ({ query: 0, run, is_error: false, text });

  test('come with the lines, each once, and stay until what they are about is asked for again', async () => {
    const a = card('a');
    await settle();
    await client.note(0, [note(null, 'About all'), note(2, 'About 2')]);
    expect(a.last.notes.map(({ text }) => text)).toEqual(['About all', 'About 2']);
    loader.change({ runs: [2], tags: null });
    await vi.advanceTimersByTimeAsync(100);
    await client.answer(1);
    expect(a.last.notes.map(({ text }) => text)).toEqual(['About all']);
  });

  test('that count are not repeated with another count when one run grows', async () => {
    page.visible = [1, 2, 3];
    const a = card('a');
    await settle();
    await client.note(0, [note(null, 'No line for 2 of 3 runs')]);
    loader.change({ runs: [2], tags: null });
    await vi.advanceTimersByTimeAsync(100);
    await client.note(1, [note(null, 'No line for this run')]);
    expect(a.last.notes.map(({ text }) => text)).toEqual(['No line for 2 of 3 runs']);
  });

  test('about a run that is not shown are not shown', async () => {
    const a = card('a');
    await settle();
    await client.note(0, [note(2, 'About 2')]);
    page.visible = [1];
    await settle();
    expect(a.last.notes).toEqual([]);
  });
});
