import { expect, test, vi } from 'vitest';
import { Later } from './later.svelte';

const part = () => ({ destroy: vi.fn() });

test('is loaded by the first look, once', async () => {
  const made = part();
  const load = vi.fn(() => Promise.resolve(made));
  const later = new Later(load);
  expect([later.loaded, load.mock.calls.length]).toEqual([null, 0]);
  expect([later.value, later.value]).toEqual([null, null]);
  expect(await later.load()).toBe(made);
  expect([later.value, later.loaded, load.mock.calls.length]).toEqual([made, made, 1]);
  later.destroy();
  expect(made.destroy).toHaveBeenCalledOnce();
});

test('what cannot be fetched is told, and tried again by the next look', async () => {
  const made = part();
  const load = vi.fn(() => Promise.resolve(made)).mockRejectedValueOnce(new Error('away'));
  const onError = vi.fn();
  const later = new Later(load, onError);
  expect(await later.load()).toBeNull();
  expect(onError).toHaveBeenCalledOnce();
  expect(await later.load()).toBe(made);
});

test('what arrives too late is ended', async () => {
  const made = part();
  const later = new Later(() => Promise.resolve(made));
  const loading = later.load();
  later.destroy();
  await loading;
  expect([made.destroy.mock.calls.length, later.loaded]).toEqual([1, null]);
});
