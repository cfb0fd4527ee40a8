// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Client } from '../wire/client';
import { whenIdle } from './when-idle';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestIdleCallback', (tell: () => void) => setTimeout(tell, 1));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('between a question and its answer the page only looks idle', async () => {
  let answer = (_: Response): void => undefined;
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (answer = resolve)));
  const told = vi.fn();
  const question = new Client().get('tags');
  void whenIdle().then(told);
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).not.toHaveBeenCalled();
  answer(new Response('{}'));
  await question;
  await vi.advanceTimersByTimeAsync(100);
  expect(told).toHaveBeenCalledOnce();
});

test('a question that failed is none any more', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('gone')));
  const told = vi.fn();
  await expect(new Client().get('tags')).rejects.toThrow('does not answer');
  void whenIdle().then(told);
  await vi.advanceTimersByTimeAsync(10);
  expect(told).toHaveBeenCalledOnce();
});

// The last one: its question stays open.
test('a server that does not answer holds nothing up for ever', async () => {
  vi.stubGlobal('fetch', () => new Promise<Response>(() => undefined));
  const told = vi.fn();
  void new Client().get('tags');
  void whenIdle().then(told);
  await vi.advanceTimersByTimeAsync(4000);
  expect(told).toHaveBeenCalledOnce();
});
