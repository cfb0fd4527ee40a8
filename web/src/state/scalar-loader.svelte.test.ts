import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError, type ScalarRequest } from '../wire/client';
import type { Frame } from '../wire/frame';
import { queryShape } from './card-query';
import { ScalarLoader } from './scalar-loader.svelte';
import { StockShelf } from './stock-shelf';
import { frameFor, lineSource } from './testing.fixture';
import type { CardData, CardRequest } from './types';

/** A server that answers when the test says so. Values count how often a run was asked for. */
class ScriptedClient {
  readonly requests: {
    request: ScalarRequest;
    signal: AbortSignal;
    resolve: (frame: Frame) => void;
    reject: (error: unknown) => void;
  }[] = [];
  serverId = 'server-1';
  #answers = 0;

  scalars(request: ScalarRequest, signal: AbortSignal): Promise<Frame> {
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => {
        reject(new DOMException('aborted', 'AbortError'));
      });
      this.requests.push({ request, signal, resolve, reject });
    });
  }

  /** What is asked in the n-th request, as "tag: runs". */
  asked(n: number): string[] {
    return this.requests[n]!.request.queries.map(
      ({ tag, formula, runs }) => `${tag ?? formula}: ${runs.join(' ')}`,
    );
  }

  async answer(n: number): Promise<void> {
    this.#answers++;
    const { request, resolve } = this.requests[n]!;
    resolve({ ...frameFor(request, () => this.#answers), serverId: this.serverId });
    await settle();
  }

  /** The same, and something to say about it. */
  async note(n: number, notes: Frame['notes']): Promise<void> {
    const { request, resolve } = this.requests[n]!;
    resolve({ ...frameFor(request, () => 0), notes, serverId: this.serverId });
    await settle();
  }

  async fail(n: number, error: ApiError): Promise<void> {
    this.requests[n]!.reject(error);
    await settle();
  }
}

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
  flushSync();
  await vi.advanceTimersByTimeAsync(0);
}

let client: ScriptedClient;
let loader: ScalarLoader;
let visible = $state.raw<readonly number[]>([1, 2]);
let amount = $state(0.6);
let serverId: string;
let baseline = $state.raw<{ run: number; mode: 'difference' } | null>(null);
const onOtherServer = vi.fn();

function makeLoader(shelf = new StockShelf()): ScalarLoader {
  return new ScalarLoader({
    client,
    shelf,
    serverId: () => serverId,
    onOtherServer,
    runsOf: () => visible,
    shapeOf: ({ source, widthPx, xRange }) =>
      queryShape({
        widthPx,
        xRange,
        x: source.x ?? { axis: 'step', tag: '' },
        xScale: 'linear',
        baseline,
        smoothing: { kind: 'ema', amount },
        showSuperseded: false,
      }),
  });
}

interface CardFixture {
  readonly last: CardData;
  readonly all: CardData[];
  leave: () => void;
}

function card(tag: string, more: Partial<CardRequest> = {}): CardFixture {
  const all: CardData[] = [];
  const leave = loader.subscribe(
    () => ({ source: lineSource(tag), widthPx: 400, xRange: null, ...more }),
    (data) => all.push(data),
  );
  return {
    all,
    leave,
    get last() {
      return all.at(-1)!;
    },
  };
}

const runsOf = (data: CardData): number[] => data.series.map(({ run }) => run);
const valuesOf = (data: CardData): number[] => data.series.map(({ value }) => value[0]!);

beforeEach(() => {
  vi.useFakeTimers();
  client = new ScriptedClient();
  visible = [1, 2];
  amount = 0.6;
  baseline = null;
  serverId = 'server-1';
  onOtherServer.mockReset();
  loader = makeLoader();
});

afterEach(() => {
  loader.destroy();
  vi.useRealTimers();
});

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
    visible = [];
    const a = card('a');
    await settle();
    expect(client.requests).toEqual([]);
    expect(a.last).toMatchObject({ series: [], isFirstLoad: false });
  });

  test('nothing is asked before the run table is known', async () => {
    serverId = '';
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
    visible = [1, 5, 2];
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
    visible = [2];
    await settle();
    expect(runsOf(a.last)).toEqual([2]);
    expect(client.requests.length).toBe(1);
  });

  test('another smoothing asks for everything and keeps the old lines meanwhile, as stale', async () => {
    const a = card('a');
    await settle();
    await client.answer(0);
    amount = 0.9;
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
    amount = 0.7;
    await settle();
    amount = 0.8;
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
    amount = 0.9;
    loader.change({ runs: [1], tags: ['a'] });
    await settle();
    expect(client.asked(1)).toEqual(['a: 1 2']);
    amount = 0.6;
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
    amount = 0.9;
    await settle();
    amount = 0.6;
    await settle();
    expect(client.asked(client.requests.length - 1)).toEqual(['a: 1']);
  });

  test('what another smoothing brought is not asked for twice', async () => {
    card('a');
    await settle();
    await client.answer(0);
    loader.change({ runs: [1], tags: ['a'] });
    amount = 0.9;
    await settle();
    await client.answer(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(client.requests.length).toBe(2);
  });

  test('a hidden tab asks nothing, and catches up when it is seen', async () => {
    card('a');
    await settle();
    await client.answer(0);
    loader.pause();
    loader.change({ runs: [1], tags: ['a'] });
    loader.change({ runs: [2], tags: ['a'] });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(client.requests.length).toBe(1);
    loader.resume();
    await settle();
    expect(client.asked(1)).toEqual(['a: 1 2']);
  });
});

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
    serverId = 'server-2';
    client.serverId = 'server-2';
    visible = [8, 9];
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
    visible = [2];
    await settle();
    loader.change({ runs: [2], tags: null });
    await vi.advanceTimersByTimeAsync(100);
    await client.answer(1);
    visible = [1, 2];
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
    const shelf = new StockShelf(50);
    loader = makeLoader(shelf);
    const [a, b] = [card('a'), card('b')];
    await settle();
    await client.answer(0);
    a.leave();
    b.leave();
    expect(shelf.bytes).toBeLessThanOrEqual(50);
    card('b');
    card('a');
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
    baseline = { run: 9, mode: 'difference' };
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
    baseline = { run: 9, mode: 'difference' };
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
    visible = [1, 2, 3];
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
    visible = [1];
    await settle();
    expect(a.last.notes).toEqual([]);
  });
});
