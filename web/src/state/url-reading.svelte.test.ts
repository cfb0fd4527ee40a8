// @vitest-environment happy-dom
// Addresses of TensorBoard are read by code that is fetched when there is one.
import { flushSync } from 'svelte';
import { expect, test, vi } from 'vitest';
import { LiveView } from './live-view.svelte';
import { ScriptedWindow } from './scripted-window.fixture';
import { emptyStorage } from './testing.fixture';
import { initialView, loadWriting, UrlSync } from './url-sync.svelte';

const reader = vi.hoisted(() => ({ coming: null as Promise<void> | null }));
vi.mock('./view-url', async (original) => ({ ...(await original()), readerFor: () => reader.coming }));

await loadWriting();

test('an address that cannot be read yet is not written over by what changes meanwhile', async () => {
  vi.useFakeTimers();
  const window = new ScriptedWindow('http://host:6006/');
  const options = { window, storage: emptyStorage().storage, announce: () => undefined };
  const view = new LiveView(initialView(options).view);
  const sync = new UrlSync(view, options);
  let arrive = (): void => undefined;
  reader.coming = new Promise((resolve) => (arrive = resolve));
  window.type('http://host:6006/#timeseries&smoothing=0.7');
  view.smoothing.amount = 0.3;
  flushSync();
  vi.advanceTimersByTime(1000);
  expect(window.location.hash).toBe('#timeseries&smoothing=0.7');

  reader.coming = null;
  arrive();
  await vi.advanceTimersByTimeAsync(1000);
  expect(view.smoothing.amount).toBe(0.7);
  expect(window.location.hash).toBe('#timeseries&smoothing=0.7');
  sync.destroy();
  vi.useRealTimers();
});
