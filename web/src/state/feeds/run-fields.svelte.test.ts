// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunField } from '../../wire/client';
import { RunFieldStore } from './run-fields.svelte';

let answer: { server_id: string; revision: number; fields: RunField[] };
let asked = 0;
let isDown = false;
let store: RunFieldStore;

beforeEach(() => {
  vi.useFakeTimers();
  asked = 0;
  isDown = false;
  answer = {
    server_id: 's',
    revision: 1,
    fields: [
      { name: 'lr', kind: 'number', run: [0, 1], value: [0.1, 0.2] },
      { name: 'bn', kind: 'boolean', run: [1], value: [false] },
    ],
  };
  store = new RunFieldStore({
    serverId: () => 's',
    client: {
      fields: () => {
        asked++;
        return isDown ? Promise.reject(new Error('away')) : Promise.resolve(answer);
      },
    },
  });
});

afterEach(() => {
  store.destroy();
  vi.useRealTimers();
});

test('loads once and answers by name and run', async () => {
  expect([store.isLoaded, store.names]).toEqual([false, []]);
  await vi.advanceTimersByTimeAsync(0);
  expect([store.isLoaded, store.names]).toEqual([true, ['lr', 'bn']]);
  expect([
    store.value('lr', 1),
    store.value('bn', 1),
    store.value('bn', 0),
    store.value('toString', 0),
  ]).toEqual([0.2, false, undefined, undefined]);
  expect([store.kindOf('lr'), store.kindOf('none')]).toEqual(['number', undefined]);
  expect(asked).toBe(1);
});

test('many new runs ask seldom; the same answer is no news', async () => {
  await vi.advanceTimersByTimeAsync(0);
  const { names } = store;
  for (let i = 0; i < 50; i++) store.outdate();
  await vi.advanceTimersByTimeAsync(2000);
  expect(asked).toBe(1);
  answer = structuredClone(answer);
  await vi.advanceTimersByTimeAsync(2000);
  expect(asked).toBe(2);
  expect(store.names).toBe(names);
  answer.fields.push({ name: 'wd', kind: 'number', run: [0], value: [1] });
  answer = structuredClone(answer);
  store.outdate();
  await vi.advanceTimersByTimeAsync(4000);
  expect(store.names).toEqual(['lr', 'bn', 'wd']);
});

test('an answer of another server is not taken, one that fails is asked for again', async () => {
  answer.server_id = 'other';
  await vi.advanceTimersByTimeAsync(0);
  expect(store.isLoaded).toBe(false);
  answer.server_id = 's';
  isDown = true;
  await vi.advanceTimersByTimeAsync(3000);
  isDown = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(store.isLoaded).toBe(true);
});

test('after a restart nothing is known until the answer', async () => {
  await vi.advanceTimersByTimeAsync(0);
  store.clear();
  expect([store.isLoaded, store.value('lr', 0)]).toEqual([false, undefined]);
  await vi.advanceTimersByTimeAsync(0);
  expect(store.value('lr', 0)).toBe(0.1);
});
