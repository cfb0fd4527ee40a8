import { describe, expect, test } from 'vitest';
import { ApiError, type Client } from '../../wire/client';
import { AnswerCache, problemOf } from './answer-cache';

/** A server that answers when it is told to. */
class SlowServer implements Pick<Client, 'get'> {
  readonly asked: string[] = [];
  readonly given: string[] = [];
  readonly #open = new Map<string, { answer: (bytes: number) => void; fail: (error: Error) => void }>();

  get(path: string, signal?: AbortSignal): Promise<Response> {
    this.asked.push(path);
    return new Promise((resolve, reject) => {
      this.#open.set(path, {
        answer: (bytes) => {
          resolve(new Response(new Uint8Array(bytes), { headers: { 'sightline-facts': path } }));
        },
        fail: reject,
      });
      signal?.addEventListener('abort', () => {
        this.given.push(path);
        reject(new DOMException('', 'AbortError'));
      });
    });
  }

  async answer(path: string, bytes = 10): Promise<void> {
    this.#open.get(path)!.answer(bytes);
    await turns();
  }

  async fail(path: string, error: Error): Promise<void> {
    this.#open.get(path)!.fail(error);
    await turns();
  }
}

async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
  // A blob is read in a task of its own.
  await new Promise((resolve) => setTimeout(resolve, 0));
}

describe('answers', () => {
  test('come once for all who wait, and again without asking', async () => {
    const server = new SlowServer();
    const answers = new AnswerCache(server);
    const both = [answers.load('a'), answers.load('a')];
    expect(answers.peek('a')).toBeUndefined();
    await server.answer('a', 7);
    const [one, other] = await Promise.all(both);
    expect(one).toBe(other);
    expect(one!.blob.size).toBe(7);
    expect(one!.headers.get('sightline-facts')).toBe('a');
    expect(await answers.load('a')).toBe(one);
    expect(answers.peek('a')).toBe(one);
    expect(server.asked).toEqual(['a']);
  });

  test('are asked for four at a time, the latest wish first, and one that is wished for again before others', async () => {
    const server = new SlowServer();
    const answers = new AnswerCache(server);
    for (const path of 'abcdefg') void answers.load(path);
    expect(server.asked).toEqual(['a', 'b', 'c', 'd']);
    void answers.load('e');
    await server.answer('a');
    await server.answer('b');
    await server.answer('c');
    expect(server.asked.slice(4)).toEqual(['e', 'g', 'f']);
  });

  test('that nobody waits for any more are given up; a line that was not its turn is never asked', async () => {
    const server = new SlowServer();
    const answers = new AnswerCache(server);
    const leaving = new AbortController();
    const paths = ['a', 'b', 'c', 'd', 'e', 'f'];
    const waits = paths.map((path) =>
      answers.load(path, leaving.signal).catch((error: unknown) => (error as Error).name),
    );
    const stays = answers.load('a');
    leaving.abort();
    expect(await Promise.all(waits)).toEqual(paths.map(() => 'AbortError'));
    await turns();
    expect(server.asked).toEqual(['a', 'b', 'c', 'd']);
    expect(server.given).toEqual(['b', 'c', 'd']);
    await server.answer('a');
    expect((await stays).blob.size).toBe(10);
    // Wished for again, it is asked for again.
    const again = answers.load('b');
    await server.answer('b');
    expect((await again).blob.size).toBe(10);
    expect(() => answers.load('z', leaving.signal)).toThrow();
  });

  test('that fail are told to all and asked for again by the next', async () => {
    const server = new SlowServer();
    const answers = new AnswerCache(server);
    const waits = [answers.load('a'), answers.load('a', new AbortController().signal)];
    const told = Promise.allSettled(waits);
    await server.fail('a', new ApiError(422, 'Not a picture'));
    expect((await told).map((one) => one.status)).toEqual(['rejected', 'rejected']);
    const again = answers.load('a');
    await server.answer('a');
    await again;
    expect(server.asked).toEqual(['a', 'a']);
  });

  test('take a bounded room: the longest unused goes first, and what is very large is not kept', async () => {
    const server = new SlowServer();
    const answers = new AnswerCache(server, 100);
    for (const path of 'abcd') {
      const loaded = answers.load(path);
      await server.answer(path, 25);
      await loaded;
    }
    answers.peek('a');
    const large = answers.load('large');
    await server.answer('large', 26);
    await large;
    expect(answers.peek('large')).toBeUndefined();
    const next = answers.load('e');
    await server.answer('e', 25);
    await next;
    expect(['a', 'b', 'c', 'd', 'e'].filter((path) => answers.peek(path))).toEqual(['a', 'c', 'd', 'e']);
  });

  test('of numbers that mean other runs now are forgotten, those that are on their way too', async () => {
    const server = new SlowServer();
    const answers = new AnswerCache(server);
    const before = answers.load('a');
    const queued = ['b', 'c', 'd', 'e'].map((path) => answers.load(path));
    answers.clear();
    const after = answers.load('a');
    await server.answer('a', 1);
    for (const path of 'bcd') await server.answer(path, 2);
    expect((await before).blob.size).toBe(1);
    expect(answers.peek('b')).toBeUndefined();
    await server.answer('a', 3);
    await server.answer('e', 4);
    expect((await after).blob.size).toBe(3);
    expect((await Promise.all(queued)).map(({ blob }) => blob.size)).toEqual([2, 2, 2, 4]);
    expect(answers.peek('a')?.blob.size).toBe(3);
    expect(answers.peek('e')?.blob.size).toBe(4);
  });

  test('have settled when all have come, failed or been given up', async () => {
    const server = new SlowServer();
    const answers = new AnswerCache(server);
    let isSettled = false;
    const leaving = new AbortController();
    void answers.load('a');
    answers.load('b').catch(() => undefined);
    for (const path of 'cdefg') answers.load(path, leaving.signal).catch(() => undefined);
    const settled = answers.settled().then(() => (isSettled = true));
    await server.answer('a');
    await server.fail('b', new ApiError(0, 'gone'));
    expect(isSettled).toBe(false);
    leaving.abort();
    await settled;
    expect(isSettled).toBe(true);
    await answers.settled();
  });

  test('that are fetched ahead keep nobody waiting, until somebody wants them', async () => {
    const server = new SlowServer();
    const answers = new AnswerCache(server);
    const ahead = answers.loadAhead('a');
    void answers.loadAhead('b');
    await answers.settled();
    let isSettled = false;
    const wanted = answers.load('a');
    const settled = answers.settled().then(() => (isSettled = true));
    await turns();
    expect([isSettled, server.asked]).toEqual([false, ['a', 'b']]);
    await server.answer('a', 7);
    await Promise.all([settled, ahead]);
    expect((await wanted).blob.size).toBe(7);
    // What is wrong is heard by whoever asks in earnest.
    await server.fail('b', new ApiError(422, 'Not a picture'));
    expect(answers.peek('b')).toBeUndefined();
  });
});

test('a problem is the sentence of the server, and nothing when it was given up', () => {
  expect(problemOf(new ApiError(422, 'Not a picture'))).toEqual({
    message: 'Not a picture',
    isTemporary: false,
  });
  expect(problemOf(new ApiError(0, 'No answer'))).toEqual({ message: 'No answer', isTemporary: true });
  expect(problemOf(new ApiError(500, 'Oops'))).toEqual({ message: 'Oops', isTemporary: true });
  expect(problemOf(new DOMException('', 'AbortError'))).toBeNull();
  expect(problemOf('odd')).toEqual({ message: 'odd', isTemporary: false });
});

test('an answer that breaks off may come whole the next time', async () => {
  const broken = new Response(
    new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) }),
  );
  const answers = new AnswerCache({ get: () => Promise.resolve(broken) });
  const problem = await answers.load('a').catch(problemOf);
  expect(problem).toEqual({ message: 'The answer of the server broke off', isTemporary: true });
});
