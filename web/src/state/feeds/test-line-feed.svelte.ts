// A loader of scalars on a server that answers when the test says so, new for each test.
import { flushSync } from 'svelte';
import { afterEach, beforeEach, vi } from 'vitest';
import type { ApiError, ScalarRequest } from '../../wire/client';
import type { Frame } from '../../wire/frame';
import { queryShape } from './line-query';
import { LineFeed } from './line-feed.svelte';
import { RecentlyUsed } from './recently-used';
import type { Stock } from './wanted-line';
import { frameFor, lineSource } from '../testing.fixture';
import type { CardData, CardRequest } from '../types';

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

export async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
  flushSync();
  await vi.advanceTimersByTimeAsync(0);
}

/** The tab is hidden, or seen again. */
export function setHidden(isHidden: boolean): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isHidden ? 'hidden' : 'visible');
  document.dispatchEvent(new Event('visibilitychange'));
}

/** What the loader hears from the rest of the page. */
class PageFixture {
  visible = $state.raw<readonly number[]>([1, 2]);
  amount = $state(0.6);
  serverId = 'server-1';
  baseline = $state.raw<{ run: number; mode: 'difference' } | null>(null);
}

export let client: ScriptedClient;
export let page: PageFixture;
export let loader: LineFeed;
export const onOtherServer = vi.fn();

export function startLoader(shelf = new RecentlyUsed<Stock<object>>(Infinity)): void {
  loader = new LineFeed({
    client,
    shelf,
    serverId: () => page.serverId,
    onOtherServer,
    runsOf: () => page.visible,
    shapeOf: ({ source, widthPx, xRange }) =>
      queryShape({
        widthPx,
        xRange,
        x: source.x ?? { axis: 'step', tag: '' },
        xScale: 'linear',
        baseline: page.baseline,
        smoothing: { kind: 'ema', amount: page.amount },
        showSuperseded: false,
      }),
  });
}

export interface CardFixture {
  readonly last: CardData;
  readonly all: CardData[];
  leave: () => void;
}

export function card(tag: string, more: Partial<CardRequest> = {}): CardFixture {
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

export const runsOf = (data: CardData): number[] => data.series.map(({ run }) => run);
export const valuesOf = (data: CardData): number[] => data.series.map(({ value }) => value[0]!);

/** To be called once by a file of tests: each of them gets a server, a page and a loader of its own. */
export function startEachTestAnew(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    client = new ScriptedClient();
    page = new PageFixture();
    onOtherServer.mockReset();
    startLoader();
  });

  afterEach(() => {
    loader.destroy();
    vi.useRealTimers();
  });
}
