// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../wire/client';
import { Feed, type Answer, type FeedOptions } from './feed';

interface Asked {
  readonly keys: readonly string[];
  readonly signal: AbortSignal;
  /** With a number for each key: how many requests there were. */
  answer(serverId?: string): Promise<void>;
  fail(error?: Error): Promise<void>;
}

let feed: Feed<string, number>;
let asked: Asked[];
let serverId: string;
/** What was told, in order: "a=1", "a: the error". */
let told: string[];

const busy = new ApiError(500, 'busy');
const keysAsked = (): string[] => asked.map(({ keys }) => keys.join(' '));
const after = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

function ask(keys: readonly string[], signal: AbortSignal): Promise<Answer<string, number>> {
  const count = asked.length + 1;
  return new Promise((resolve, reject) => {
    asked.push({
      keys,
      signal,
      answer: async (from = 'server') => {
        const values = keys.filter((key) => key !== 'missing').map((key) => [key, count] as const);
        resolve({ serverId: from, values: new Map(values) });
        await after(0);
      },
      fail: async (error = busy) => {
        reject(error);
        await after(0);
      },
    });
  });
}

function start(options: Partial<FeedOptions<string, number>> = {}): void {
  feed = new Feed({
    ask,
    take: (key, value) => told.push(`${key}=${value}`),
    fail: (key, { message }) => told.push(`${key}: ${message}`),
    serverId: () => serverId,
    refreshMs: 500,
    ...options,
  });
}

function setVisibility(state: 'hidden' | 'visible'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  told = [];
  serverId = 'server';
  start();
});
afterEach(() => {
  feed.destroy();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('wants', () => {
  test('of one moment go together, each once, and what the server does not have is answered too', async () => {
    feed.want(['a', 'b']);
    feed.want(['b', 'missing']);
    await after(0);
    expect(keysAsked()).toEqual(['a b missing']);
    await asked[0]!.answer();
    expect(told).toEqual(['a=1', 'b=1', 'missing=undefined']);
    await after(60_000);
    expect(asked).toHaveLength(1);
  });

  test('that come during a request wait for its end, unless more requests are allowed', async () => {
    feed.want(['a']);
    await after(0);
    feed.want(['b']);
    await after(1000);
    expect(keysAsked()).toEqual(['a']);
    await asked[0]!.answer();
    expect(keysAsked()).toEqual(['a', 'b']);

    asked = [];
    start({ atOnce: 2 });
    feed.want(['a']);
    await after(0);
    feed.want(['b']);
    await after(0);
    feed.want(['c']);
    await after(0);
    expect(keysAsked()).toEqual(['a', 'b']);
  });

  test('go out in the batches that their owner makes', async () => {
    start({ batch: (due) => due.slice(0, 2) });
    feed.want(['a', 'b', 'c']);
    await after(0);
    await asked[0]!.answer();
    expect(keysAsked()).toEqual(['a b', 'c']);
  });

  test('for which nothing has to be asked are at rest until they change', async () => {
    let isNeeded = false;
    start({ batch: (due) => (isNeeded ? due : []) });
    feed.want(['a']);
    await after(1000);
    isNeeded = true;
    await after(1000);
    expect(asked).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
    feed.renew('a');
    await after(0);
    expect(keysAsked()).toEqual(['a']);
  });

  test('wait until the run table is known', async () => {
    serverId = '';
    feed.want(['a']);
    await after(5000);
    expect(asked).toEqual([]);
    serverId = 'server';
    await after(1000);
    expect(keysAsked()).toEqual(['a']);
  });
});

describe('a want that is withdrawn', () => {
  test('is not asked for', async () => {
    feed.want(['a', 'b'])();
    feed.want(['b']);
    await after(0);
    expect(keysAsked()).toEqual(['b']);
    expect([feed.isWanted('a'), feed.isWanted('b')]).toEqual([false, true]);
  });

  test('aborts its request when nobody else waits for it, and others can be asked at once', async () => {
    const leave = feed.want(['a', 'b']);
    const stay = feed.want(['b']);
    await after(0);
    leave();
    leave();
    expect(asked[0]!.signal.aborted).toBe(false);
    stay();
    expect(asked[0]!.signal.aborted).toBe(true);
    feed.want(['c']);
    await after(0);
    expect(keysAsked()).toEqual(['a b', 'c']);
    await asked[0]!.answer();
    expect(told).toEqual([]);
  });

  test('is known when it comes again, and asked for if it grew meanwhile or was forgotten', async () => {
    const leave = feed.want(['a', 'b', 'c']);
    await after(0);
    await asked[0]!.answer();
    leave();
    feed.outdate((key) => key === 'b');
    feed.forget('c');
    feed.want(['a', 'b', 'c']);
    await after(0);
    expect(keysAsked().slice(1)).toEqual(['c']);
    await asked[1]!.answer();
    await after(500);
    expect(keysAsked().slice(2)).toEqual(['b']);
  });
});

describe('growth', () => {
  beforeEach(async () => {
    feed.want(['a', 'b']);
    await after(0);
    await asked[0]!.answer();
  });

  test('is asked for some time after the last answer, together, and alone', async () => {
    feed.outdate((key) => key === 'a');
    await after(499);
    feed.outdate((key) => key === 'a');
    expect(asked).toHaveLength(1);
    await after(1);
    expect(keysAsked().slice(1)).toEqual(['a']);
    await asked[1]!.answer();
    await after(60_000);
    expect(asked).toHaveLength(2);
    feed.outdate();
    await after(0);
    expect(keysAsked().slice(2)).toEqual(['a b']);
  });

  test('does not hold up what is new', async () => {
    feed.outdate();
    feed.want(['c']);
    await after(0);
    expect(keysAsked().slice(1)).toEqual(['c']);
  });

  test('during a request is asked for after it, and does not disturb it', async () => {
    feed.outdate();
    await after(500);
    feed.outdate((key) => key === 'b');
    await after(1000);
    expect(asked).toHaveLength(2);
    await asked[1]!.answer();
    expect(told.slice(2)).toEqual(['a=2', 'b=2']);
    await after(500);
    expect(keysAsked().slice(2)).toEqual(['b']);
  });
});

describe('a want of something else', () => {
  test('lets the running request end, then asks again after the pause', async () => {
    start({ pauseMs: 40 });
    feed.want(['a']);
    await after(0);
    feed.renew('a');
    await asked[0]!.answer();
    expect(told).toEqual(['a=1']);
    await after(39);
    expect(asked).toHaveLength(1);
    await after(1);
    expect(asked).toHaveLength(2);
  });

  test('that has no use for the running request asks at once and does not hear of it', async () => {
    start({ atOnce: 2 });
    feed.want(['a', 'b']);
    await after(0);
    feed.replace('a');
    await after(0);
    expect(keysAsked()).toEqual(['a b', 'a']);
    expect(asked[0]!.signal.aborted).toBe(false);
    await asked[0]!.answer();
    expect(told).toEqual(['b=1']);
    feed.replace('a');
    expect(asked[1]!.signal.aborted).toBe(true);
  });
});

describe('a refresh', () => {
  let done: string[];
  const refresh = (name: string): void => void feed.refresh('a').then(() => done.push(name));
  beforeEach(() => {
    done = [];
    feed.want(['a']);
  });

  test('asks at once, and is over when an answer is here that was asked for after it', async () => {
    refresh('first');
    expect(keysAsked()).toEqual(['a']);
    refresh('second');
    await asked[0]!.answer();
    expect([told, done, keysAsked()]).toEqual([['a=1'], [], ['a', 'a']]);
    await asked[1]!.answer();
    expect([told, done]).toEqual([
      ['a=1', 'a=2'],
      ['first', 'second'],
    ]);
    await after(60_000);
    expect(asked).toHaveLength(2);
  });

  test('is over when there is no answer', async () => {
    refresh('first');
    await asked[0]!.fail();
    expect(done).toEqual(['first']);
  });
});

describe('errors', () => {
  test('are told, and the question is asked again after pauses that double', async () => {
    feed.want(['a']);
    await after(0);
    for (const pauseMs of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      await asked.at(-1)!.fail();
      const count = asked.length;
      await after(pauseMs - 1);
      expect(asked).toHaveLength(count);
      await after(1);
      expect(asked).toHaveLength(count + 1);
    }
    expect(told).toEqual(Array.from({ length: 7 }, () => 'a: busy'));
    await asked.at(-1)!.answer();
    feed.renew('a');
    await after(0);
    await asked.at(-1)!.fail();
    await after(1000);
    expect(asked).toHaveLength(10);
  });

  test('do not hold up other wants, and what grows does not ask sooner', async () => {
    feed.want(['a']);
    await after(0);
    await asked[0]!.fail();
    feed.want(['b']);
    feed.outdate();
    await after(0);
    expect(keysAsked().slice(1)).toEqual(['b']);
  });

  test('are forgotten when somebody does not want to wait', async () => {
    feed.want(['a']);
    await after(0);
    await asked[0]!.fail();
    feed.retry();
    await after(0);
    expect(asked).toHaveLength(2);
    await asked[1]!.fail();
    await after(1000);
    expect(asked).toHaveLength(3);
  });

  test.each([
    ['growth', () => feed.outdate()],
    ['another want', () => feed.renew('a')],
    ['a retry', () => feed.retry()],
  ])('that stay are not asked away, but %s asks again', async (_what, act) => {
    start({ onError: () => 'never' });
    feed.want(['a']);
    await after(0);
    await asked[0]!.fail();
    await after(60_000);
    expect(asked).toHaveLength(1);
    act();
    await after(500);
    expect(asked).toHaveLength(2);
  });

  test('that their owner can do something about are asked again at once, without a word', async () => {
    let most = 4;
    start({
      batch: (due) => due.slice(0, most),
      onError: (_error, batch) => {
        most = batch.length / 2;
        return 'now';
      },
    });
    feed.want(['a', 'b', 'c', 'd']);
    await after(0);
    await asked[0]!.fail();
    expect(keysAsked()).toEqual(['a b c d', 'a b']);
    expect(told).toEqual([]);
  });
});

describe('a server that was started anew', () => {
  test.each([
    ['answers with its own numbers', () => asked[0]!.answer('other')],
    ['refuses the old ones', () => asked[0]!.fail(new ApiError(409, 'no'))],
  ])('%s: they are not taken, and asked for again later', async (_what, answer) => {
    const onOtherServer = vi.fn();
    start({ onOtherServer, onError: () => 'never' });
    feed.want(['a']);
    await after(0);
    await answer();
    expect(onOtherServer).toHaveBeenCalledOnce();
    expect(told).toEqual([expect.stringMatching(/^a: /)]);
    await after(1000);
    expect(asked).toHaveLength(2);
  });

  test('leaves nothing known, and no answer of the old one counts', async () => {
    const leave = feed.want(['a']);
    feed.want(['b']);
    await after(0);
    await asked[0]!.answer();
    leave();
    feed.want(['c']);
    await after(0);
    feed.restart();
    expect(asked[1]!.signal.aborted).toBe(true);
    await asked[1]!.answer();
    expect(told).toEqual(['a=1', 'b=1']);
    feed.want(['a']);
    await asked[2]!.answer();
    expect(keysAsked().slice(2)).toEqual(['b c', 'a']);
  });
});

test('a hidden page asks nothing, and catches up when it is seen', async () => {
  feed.want(['a']);
  await after(0);
  await asked[0]!.answer();
  setVisibility('hidden');
  feed.outdate();
  feed.want(['b']);
  await after(60_000);
  expect(asked).toHaveLength(1);
  setVisibility('visible');
  await after(0);
  expect(keysAsked().slice(1)).toEqual(['a b']);
});

test('what is urgent is asked for on a hidden page, too', async () => {
  start({ isUrgent: () => true });
  setVisibility('hidden');
  feed.want(['a']);
  await after(0);
  expect(keysAsked()).toEqual(['a']);
});

test('a feed that has ended asks and tells no more', async () => {
  feed.want(['a']);
  await after(0);
  feed.destroy();
  expect(asked[0]!.signal.aborted).toBe(true);
  await asked[0]!.answer();
  setVisibility('visible');
  feed.outdate();
  await after(60_000);
  expect(told).toEqual([]);
  expect(asked).toHaveLength(1);
});
