// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, type LastValuesAnswer } from '../../wire/client';
import { defaultView } from '../settings/view';
import { LastValues } from './last-values.svelte';
import { liveView, type LiveView } from '../live-view.svelte';

/** Answers when the test says so. */
const questions: {
  tags: readonly string[];
  signal: AbortSignal | undefined;
  resolve: (answer: LastValuesAnswer) => void;
  reject: (error: Error) => void;
}[] = [];
let serverId: string;
let view: LiveView;
let values: LastValues;

beforeEach(() => {
  vi.useFakeTimers();
  questions.length = 0;
  serverId = 'server-1';
  view = liveView(defaultView());
  view.table = { ...view.table, columns: ['metric:loss'] };
  values = new LastValues({
    client: {
      lastValues: (tags, signal) =>
        new Promise((resolve, reject) => questions.push({ tags, signal, resolve, reject })),
    },
    view,
    serverId: () => serverId,
  });
});

afterEach(() => {
  values.destroy();
  vi.useRealTimers();
});

async function settle(ms = 0): Promise<void> {
  flushSync();
  await vi.advanceTimersByTimeAsync(ms);
  flushSync();
  await vi.advanceTimersByTimeAsync(1);
}

async function answer(value: number): Promise<void> {
  const { tags, resolve } = questions.at(-1)!;
  resolve({
    server_id: serverId,
    revision: 1,
    tags: tags.map((tag) => ({ tag, run: [0], step: [0], value: [value] })),
  });
  await settle();
}

test('a slow answer arrives although runs keep growing, and is asked for once more', async () => {
  await settle();
  for (let i = 0; i < 5; i++) {
    values.outdate();
    await settle(1000);
  }
  expect(questions.length).toBe(1);
  expect(questions[0]!.signal?.aborted).toBe(false);
  await answer(0.5);
  expect(values.get('loss', 0)).toBe(0.5);
  await settle(1000);
  expect(questions.length).toBe(2);
  await answer(0.25);
  await settle(60_000);
  expect(questions.length).toBe(2);
});

test('values do not outlive a restart of the server', async () => {
  await settle();
  await answer(0.5);
  serverId = 'server-2';
  values.clear();
  expect(values.get('loss', 0)).toBeUndefined();
  await settle();
  await answer(0.75);
  expect(values.get('loss', 0)).toBe(0.75);
});

test('a question that failed is asked again', async () => {
  await settle();
  questions[0]!.reject(new ApiError(500, 'Something broke'));
  await settle(1000);
  expect(questions.length).toBe(2);
  await answer(0.5);
  expect(values.get('loss', 0)).toBe(0.5);
});

test('a column that is added meanwhile is asked for at once, and alone', async () => {
  await settle();
  view.table = { ...view.table, columns: ['metric:loss', 'metric:acc'] };
  await settle();
  await answer(0.5);
  await settle();
  expect(questions.at(-1)!.tags).toEqual(['acc']);
});

test('what a filter wants is fetched too, once, until it wants something else', async () => {
  await settle();
  await answer(0.5);
  values.want(['acc', 'loss']);
  expect(values.has('acc')).toBe(false);
  await settle();
  expect(questions.at(-1)!.tags).toEqual(['acc']);
  await answer(0.75);
  expect([values.has('acc'), values.get('acc', 0)]).toEqual([true, 0.75]);
  values.want([]);
  values.outdate();
  await settle(1000);
  expect(questions.at(-1)!.tags).toEqual(['loss']);
});
