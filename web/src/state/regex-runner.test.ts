import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FilterAnswer, FilterQuestion } from '../workers/filter.worker';
import { RegexRunner } from './regex-runner';
import { TIME_LIMIT_MS, type FilterWorker } from './regex-worker';

/** A worker that answers what the test wants, or never. */
class FakeWorker implements FilterWorker {
  onmessage: FilterWorker['onmessage'] = null;
  onerror: FilterWorker['onerror'] = null;
  isEnded = false;
  readonly questions: FilterQuestion[] = [];

  constructor(private readonly answerOf: ((question: FilterQuestion) => Partial<FilterAnswer>) | null) {}

  postMessage(question: FilterQuestion): void {
    this.questions.push(question);
    queueMicrotask(() => {
      this.say({ id: 0, matches: new Uint8Array() });
      const answer = this.answerOf?.(question);
      if (answer) this.say({ id: question.id, matches: new Uint8Array(), ...answer });
    });
  }

  terminate(): void {
    this.isEnded = true;
  }

  private say(data: FilterAnswer): void {
    if (!this.isEnded) this.onmessage?.({ data } as MessageEvent<FilterAnswer>);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('gives what matches and what is captured', async () => {
  const worker = new FakeWorker((question) =>
    question.isCapturing === true ? { captures: ['x', null] } : { matches: Uint8Array.from([0, 1]) },
  );
  const runner = new RegexRunner(() => worker);
  expect(await runner.matching('b+', ['a', 'b'])).toEqual(new Set(['b']));
  expect(await runner.captured('(x)', ['ax', 'b'])).toEqual(new Map([['ax', 'x']]));
  expect(worker.questions.map(({ id }) => id)).toEqual([1, 2]);
});

test('what is no expression is said without a worker', async () => {
  const start = vi.fn(() => null);
  await expect(new RegexRunner(start).matching('(', ['a'])).rejects.toThrow('Not a regular expression');
  expect(start).not.toHaveBeenCalled();
});

test('an expression that takes too long is tried once more, then given up; the next one works', async () => {
  const workers: FakeWorker[] = [];
  const runner = new RegexRunner(() => {
    const worker = new FakeWorker(workers.length < 2 ? null : () => ({ matches: Uint8Array.from([1]) }));
    workers.push(worker);
    return worker;
  });
  const slow = runner.matching('(a+)+$', ['aaaa!']);
  const next = runner.matching('a.', ['ab']);
  const outcome = expect(slow).rejects.toThrow('takes too long');
  await vi.advanceTimersByTimeAsync(2 * TIME_LIMIT_MS + 10);
  await outcome;
  expect(await next).toEqual(new Set(['ab']));
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, true, false]);
});

test('works without workers', async () => {
  const runner = new RegexRunner(() => null);
  expect(await runner.matching('^A', ['ab', 'ba'])).toEqual(new Set(['ab']));
  expect(await runner.captured('(\\d)', ['a1', 'b'])).toEqual(new Map([['a1', '1']]));
});
