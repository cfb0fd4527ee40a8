// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FilterAnswer, FilterQuestion } from '../workers/filter.worker';
import { NameFilter, type FilterResult } from './name-filter';
import { TIME_LIMIT_MS, type FilterWorker } from './regex-worker';

/** A worker that answers when the test says so. */
class ScriptedWorker implements FilterWorker {
  onmessage: ((event: MessageEvent<FilterAnswer>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly questions: FilterQuestion[] = [];
  isTerminated = false;
  #names: readonly string[] = [];

  postMessage(question: FilterQuestion): void {
    this.questions.push(question);
    this.#names = question.names ?? this.#names;
  }

  terminate(): void {
    this.isTerminated = true;
  }

  start(): void {
    this.onmessage?.(new MessageEvent('message', { data: { id: 0, matches: new Uint8Array() } }));
  }

  answer(question = this.questions.at(-1)!): void {
    const regex = new RegExp(question.source, 'i');
    const matches = Uint8Array.from(this.#names, (name) => Number(regex.test(name)));
    this.onmessage?.(new MessageEvent('message', { data: { id: question.id, matches } }));
  }
}

const NAMES = ['base/1', 'base/2', 'big/1'];
/** Without the word that an answer is on its way. */
let results: FilterResult[];
let pendingCount: number;
let workers: ScriptedWorker[];

beforeEach(() => {
  vi.useFakeTimers();
  results = [];
  pendingCount = 0;
  workers = [];
});

afterEach(() => {
  vi.useRealTimers();
});

function receive(result: FilterResult): void {
  if (result.isPending) pendingCount++;
  else results.push(result);
}

function makeFilter(): NameFilter {
  return new NameFilter(receive, () => {
    const worker = new ScriptedWorker();
    workers.push(worker);
    return worker;
  });
}

describe('NameFilter', () => {
  test('answers plain text at once, without a worker', () => {
    const filter = makeFilter();
    filter.ask(NAMES, '1 BASE', false);
    filter.ask(NAMES, 'BIG', true);
    expect(results).toEqual([
      { matches: new Set(['base/1']), error: null },
      { matches: new Set(['big/1']), error: null },
    ]);
    expect(workers).toEqual([]);
    expect(pendingCount).toBe(0);
  });

  test('an empty filter matches everything', () => {
    makeFilter().ask(NAMES, '', true);
    expect(results).toEqual([{ matches: null, error: null }]);
  });

  test('asks a worker about expressions', () => {
    makeFilter().ask(NAMES, '^b.*1$', true);
    expect(pendingCount).toBe(1);
    workers[0]!.start();
    workers[0]!.answer();
    expect(results).toEqual([{ matches: new Set(['base/1', 'big/1']), error: null }]);
  });

  test('sends the names only when they changed', () => {
    const filter = makeFilter();
    for (const source of ['^b', '^ba']) {
      filter.ask(NAMES, source, true);
      workers[0]!.answer();
    }
    expect(workers[0]!.questions.map(({ names }) => names)).toEqual([NAMES, undefined]);
    expect(results.at(-1)!.matches).toEqual(new Set(['base/1', 'base/2']));
  });

  test('ends a worker that takes too long, says so, and works again afterwards', () => {
    const filter = makeFilter();
    filter.ask(NAMES, '(a+)+$', true);
    workers[0]!.start();
    vi.advanceTimersByTime(TIME_LIMIT_MS);
    expect(workers[0]!.isTerminated).toBe(true);
    workers[1]!.start();
    vi.advanceTimersByTime(TIME_LIMIT_MS);
    expect(workers[1]!.isTerminated).toBe(true);
    expect(results).toEqual([{ error: 'This expression takes too long; make it simpler' }]);
    filter.ask(NAMES, '^big', true);
    workers[2]!.start();
    workers[2]!.answer();
    expect(results.at(-1)).toEqual({ matches: new Set(['big/1']), error: null });
  });

  test('tries once more when a worker does not work, before it gives up', () => {
    const filter = makeFilter();
    filter.ask(NAMES, '^big', true);
    workers[0]!.onerror?.(new ErrorEvent('error'));
    expect(results).toEqual([]);
    workers[1]!.start();
    workers[1]!.answer();
    expect(results).toEqual([{ matches: new Set(['big/1']), error: null }]);
    filter.ask(NAMES, '^b', true);
    workers[1]!.onerror?.(new ErrorEvent('error'));
    workers[2]!.onerror?.(new ErrorEvent('error'));
    expect(results.at(-1)!.error).toContain('do not work in this browser');
  });

  test('the time that the worker needs to start does not count', () => {
    makeFilter().ask(NAMES, '^b', true);
    vi.advanceTimersByTime(3000);
    workers[0]!.start();
    vi.advanceTimersByTime(TIME_LIMIT_MS - 1);
    workers[0]!.answer();
    expect(results).toEqual([{ matches: new Set(NAMES), error: null }]);
  });

  test('while the worker is busy only the last question is kept', () => {
    const filter = makeFilter();
    for (const source of ['^b', '^bi', '^big']) filter.ask(NAMES, source, true);
    workers[0]!.start();
    workers[0]!.answer();
    workers[0]!.answer();
    expect(workers[0]!.questions.map(({ source }) => source)).toEqual(['^b', '^big']);
    expect(results).toEqual([{ matches: new Set(['big/1']), error: null }]);
  });

  test('a late answer does not undo what was typed since', () => {
    const filter = makeFilter();
    filter.ask(NAMES, '^b', true);
    filter.ask(NAMES, '', true);
    workers[0]!.answer();
    expect(results).toEqual([{ matches: null, error: null }]);
  });

  test('what is no expression is said, and what was matched stays', () => {
    makeFilter().ask(NAMES, '(', true);
    expect(results[0]!.error).toContain('Not a regular expression');
    expect(results[0]).not.toHaveProperty('matches');
  });

  test('works without workers', () => {
    new NameFilter(receive, () => null).ask(NAMES, '^big', true);
    expect(results).toEqual([{ matches: new Set(['big/1']), error: null }]);
  });

  test('a name also matches by what else it is called', () => {
    const filter = makeFilter();
    const aliases = ['', 'Old', 'Newest'];
    filter.ask(NAMES, 'old', false, aliases);
    expect(results.at(-1)!.matches).toEqual(new Set(['base/2']));
    filter.ask(NAMES, '^(new|base/1)', true, aliases);
    filter.ask(NAMES, '^new', true, aliases);
    expect(workers[0]!.questions[0]).toMatchObject({ names: NAMES, aliases });
    workers[0]!.answer();
    expect(workers[0]!.questions[1]).toEqual({ id: 2, source: '^new', flags: 'i' });
    // Other names for the same runs are sent again.
    workers[0]!.answer();
    filter.ask(NAMES, '^n', true, ['n', '', '']);
    expect(workers[0]!.questions[2]).toMatchObject({ names: NAMES, aliases: ['n', '', ''] });
    new NameFilter(receive, () => null).ask(NAMES, '^new', true, aliases);
    expect(results.at(-1)!.matches).toEqual(new Set(['big/1']));
  });

  test('forgotten, an answer says nothing any more', () => {
    const filter = makeFilter();
    filter.ask(NAMES, '^b', true);
    filter.forget();
    workers[0]!.answer();
    expect(results).toEqual([]);
  });
});
