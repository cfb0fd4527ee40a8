// @vitest-environment happy-dom
// What is asked for, when, and how often; what the cards are shown is in line-feed-answers.svelte.test.ts.
import { describe, expect, test, vi } from 'vitest';
import { lineSource } from '../testing.fixture';
import {
  card,
  client,
  loader,
  page,
  runsOf,
  setHidden,
  settle,
  startEachTestAnew,
  valuesOf,
} from './test-line-feed.svelte';
import type { CardData } from '../types';

startEachTestAnew();

describe('batches', () => {
  test('cards of one moment share a request', async () => {
    const [a, b] = [card('a'), card('b')];
    await settle();
    expect(client.requests.length).toBe(1);
    expect(client.asked(0)).toEqual(['a: 1 2', 'b: 1 2']);
    expect(a.last).toMatchObject({ isFirstLoad: true, isStale: false, series: [] });
    await client.answer(0);
    expect(runsOf(a.last)).toEqual([1, 2]);
    expect(b.last).toMatchObject({ isFirstLoad: false, isStale: false, error: null });
  });

  test('a dozen cards per request, two requests at a time, the rest afterwards', async () => {
    const cards = Array.from({ length: 30 }, (_, i) => card(`t${i}`));
    await settle();
    expect(client.requests.map(({ request }) => request.queries.length)).toEqual([12, 12]);
    await client.answer(0);
    expect(client.requests.map(({ request }) => request.queries.length)).toEqual([12, 12, 6]);
    expect(runsOf(cards[11]!.last)).toEqual([1, 2]);
    expect(cards[12]!.last.isFirstLoad).toBe(true);
  });

  test('a card without runs asks nothing and is not loading', async () => {
    page.visible = [];
    const a = card('a');
    await settle();
    expect(client.requests).toEqual([]);
    expect(a.last).toMatchObject({ series: [], isFirstLoad: false });
  });

  test('nothing is asked before the run table is known', async () => {
    page.serverId = '';
    card('a');
    await settle();
    expect(client.requests).toEqual([]);
  });
});

describe('changes of the view', () => {
  test('a run that is switched on is asked for alone, and takes its place in the order', async () => {
    const a = card('a');
    await settle();
    await client.answer(0);
    page.visible = [1, 5, 2];
    await settle();
    expect(client.asked(1)).toEqual(['a: 5']);
    expect(a.last.isStale).toBe(false);
    await client.answer(1);
    expect(runsOf(a.last)).toEqual([1, 5, 2]);
    expect(valuesOf(a.last)).toEqual([1, 2, 1]);
  });

  test('a run that is switched off goes at once, without a request', async () => {
    const a = card('a');
    await settle();
    await client.answer(0);
    page.visible = [2];
    await settle();
    expect(runsOf(a.last)).toEqual([2]);
    expect(client.requests.length).toBe(1);
  });

  test('another smoothing asks for everything and keeps the old lines meanwhile, as stale', async () => {
    const a = card('a');
    await settle();
    await client.answer(0);
    page.amount = 0.9;
    await settle();
    expect(a.last).toMatchObject({ isStale: true, isFirstLoad: false });
    expect(runsOf(a.last)).toEqual([1, 2]);
    expect(client.requests[1]!.request.queries[0]!.smoothing).toEqual({ kind: 'ema', amount: 0.9 });
    await client.answer(1);
    expect(a.last.isStale).toBe(false);
    expect(valuesOf(a.last)).toEqual([2, 2]);
  });

  test('a request that nobody waits for is aborted', async () => {
    const a = card('a');
    await settle();
    page.amount = 0.7;
    await settle();
    page.amount = 0.8;
    await settle();
    expect(client.requests.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
    await client.answer(2);
    expect(valuesOf(a.last)).toEqual([1, 1]);
    expect(a.last.error).toBeNull();
  });

  test('a request that one of its cards still waits for is not aborted', async () => {
    const [a, b] = [card('a'), card('b')];
    await settle();
    a.leave();
    expect(client.requests[0]!.signal.aborted).toBe(false);
    await client.answer(0);
    expect(runsOf(b.last)).toEqual([1, 2]);
    b.leave();
  });

  test('leaving before the answer aborts it', async () => {
    const a = card('a');
    await settle();
    a.leave();
    expect(client.requests[0]!.signal.aborted).toBe(true);
    await settle();
    expect(a.all.length).toBe(1);
  });

  test('an answer for an older smoothing is not shown', async () => {
    let own = $state(400);
    const all: CardData[] = [];
    loader.subscribe(
      () => ({ source: lineSource('a'), widthPx: own, xRange: null }),
      (data) => all.push(data),
    );
    card('b');
    await settle();
    own = 2000;
    await settle();
    expect(client.asked(1)).toEqual(['a: 1 2']);
    await client.answer(0);
    expect(all.at(-1)!.isFirstLoad).toBe(true);
    await client.answer(1);
    expect(valuesOf(all.at(-1)!)).toEqual([2, 2]);
  });
});

describe('live changes', () => {
  test('ask after a short pause for the changed runs of the changed tags only', async () => {
    const [a, b] = [card('a'), card('b')];
    await settle();
    await client.answer(0);
    const told = b.all.length;
    loader.change({ runs: [2, 77], tags: ['a'] });
    await vi.advanceTimersByTimeAsync(99);
    expect(client.requests.length).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(client.asked(1)).toEqual(['a: 2']);
    expect(a.last.isStale).toBe(false);
    await client.answer(1);
    expect(valuesOf(a.last)).toEqual([1, 2]);
    expect(b.all.length).toBe(told);
  });

  test('a burst of events is one request', async () => {
    card('a');
    await settle();
    await client.answer(0);
    for (let n = 0; n < 5; n++) {
      loader.change({ runs: [n % 2 ? 1 : 2], tags: null });
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(100);
    expect(client.requests.length).toBe(2);
    expect(client.asked(1)).toEqual(['a: 1 2']);
  });

  test('a run that grows while it is being asked for is asked for again', async () => {
    const a = card('a');
    await settle();
    loader.change({ runs: [1], tags: ['a'] });
    await client.answer(0);
    await vi.advanceTimersByTimeAsync(100);
    expect(client.asked(1)).toEqual(['a: 1']);
    await client.answer(1);
    expect(valuesOf(a.last)).toEqual([2, 1]);
  });

  test('a run that grew is not taken for fresh because another smoothing was asked for in between', async () => {
    const a = card('a');
    await settle();
    await client.answer(0);
    page.amount = 0.9;
    loader.change({ runs: [1], tags: ['a'] });
    await settle();
    expect(client.asked(1)).toEqual(['a: 1 2']);
    page.amount = 0.6;
    await settle();
    await vi.advanceTimersByTimeAsync(100);
    expect(client.asked(2)).toEqual(['a: 1']);
    await client.answer(2);
    expect(valuesOf(a.last)).toEqual([2, 1]);
  });

  test('a run that grew is asked for again when its question was given up for another smoothing', async () => {
    card('a');
    await settle();
    await client.answer(0);
    loader.change({ runs: [1], tags: ['a'] });
    await vi.advanceTimersByTimeAsync(100);
    expect(client.asked(1)).toEqual(['a: 1']);
    page.amount = 0.9;
    await settle();
    page.amount = 0.6;
    await settle();
    expect(client.asked(client.requests.length - 1)).toEqual(['a: 1']);
  });

  test('what another smoothing brought is not asked for twice', async () => {
    card('a');
    await settle();
    await client.answer(0);
    loader.change({ runs: [1], tags: ['a'] });
    page.amount = 0.9;
    await settle();
    await client.answer(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(client.requests.length).toBe(2);
  });

  test('a hidden tab asks nothing, and catches up when it is seen', async () => {
    card('a');
    await settle();
    await client.answer(0);
    setHidden(true);
    loader.change({ runs: [1], tags: ['a'] });
    loader.change({ runs: [2], tags: ['a'] });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(client.requests.length).toBe(1);
    setHidden(false);
    await settle();
    expect(client.asked(1)).toEqual(['a: 1 2']);
  });
});

describe('lines that are computed', () => {
  const change = async (runs: number[], tags: string[]): Promise<void> => {
    loader.change({ runs, tags });
    await vi.advanceTimersByTimeAsync(100);
  };

  test('a formula is asked for as one, and again when a tag in it grows', async () => {
    card('', { source: lineSource('', { formula: 'train/loss - val/loss' }) });
    await settle();
    expect(client.requests[0]!.request.queries[0]).toMatchObject({ formula: 'train/loss - val/loss' });
    expect(client.requests[0]!.request.queries[0]).not.toHaveProperty('tag');
    await client.answer(0);
    await change([1], ['other']);
    expect(client.requests.length).toBe(1);
    await change([1], ['val/loss']);
    expect(client.asked(1)).toEqual(['train/loss - val/loss: 1']);
  });

  test('what is drawn over a metric is asked for again when the metric grows', async () => {
    const over = card('a', { source: lineSource('a', { x: { axis: 'metric', tag: 'tokens' } }) });
    await settle();
    await client.answer(0);
    expect(over.last.xKey).toBe('metric tokens');
    await change([2], ['tokens']);
    expect(client.asked(1)).toEqual(['a: 2']);
  });

  test('everything that is compared with a run is asked for again when that run grows', async () => {
    page.baseline = { run: 9, mode: 'difference' };
    card('a');
    await settle();
    await client.answer(0);
    await change([9], ['a']);
    expect(client.asked(1)).toEqual(['a: 1 2']);
    await change([9], ['a']);
    await client.answer(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(client.asked(2)).toEqual(['a: 1 2']);
  });

  test('a card out of sight hears of the baseline, too', async () => {
    page.baseline = { run: 9, mode: 'difference' };
    const first = card('a');
    await settle();
    await client.answer(0);
    first.leave();
    loader.change({ runs: [9], tags: ['a'] });
    card('a');
    await settle();
    expect(client.asked(1)).toEqual(['a: 1 2']);
  });

  test('a line that changes its tag shows nothing of the old one, not even a late answer', async () => {
    let tag = $state('a');
    const all: CardData[] = [];
    loader.subscribe(
      () => ({ source: lineSource(tag), widthPx: 400, xRange: null }),
      (data) => all.push(data),
    );
    await settle();
    tag = 'b';
    await settle();
    expect(client.asked(1)).toEqual(['b: 1 2']);
    await client.answer(0);
    expect(all.at(-1)!.series).toEqual([]);
    await client.answer(1);
    expect(valuesOf(all.at(-1)!)).toEqual([2, 2]);
  });
});
