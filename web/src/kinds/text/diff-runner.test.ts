import { expect, it, vi } from 'vitest';
import { compareTexts } from './diff-runner';
import { diffTexts } from './diff-texts';

const LARGE = { before: 'word '.repeat(2000), after: 'word '.repeat(2001), level: 'words' as const };

function fakeWorker() {
  return {
    postMessage: vi.fn(),
    terminate: vi.fn(),
    onmessage: null as ((event: MessageEvent) => void) | null,
    onerror: null as (() => void) | null,
  };
}

it('compares small texts without a worker', async () => {
  const start = vi.fn();
  const found = await compareTexts(
    { before: 'a', after: 'b', level: 'words' },
    new AbortController().signal,
    start,
  );
  expect(found).toMatchObject({ added: 1, removed: 1 });
  expect(start).not.toHaveBeenCalled();
});

it('asks a worker about large ones, and ends it', async () => {
  const worker = fakeWorker();
  const answer = compareTexts(LARGE, new AbortController().signal, () => worker);
  expect(worker.postMessage).toHaveBeenCalledWith(LARGE);
  worker.onmessage?.({ data: diffTexts('a', 'a', 'words') } as MessageEvent);
  expect(await answer).toMatchObject({ added: 0 });
  expect(worker.terminate).toHaveBeenCalledOnce();
});

it('ends the worker when nobody waits any more', async () => {
  const worker = fakeWorker();
  const abort = new AbortController();
  const answer = compareTexts(LARGE, abort.signal, () => worker);
  abort.abort();
  await expect(answer).rejects.toThrow('could not be compared');
  expect(worker.terminate).toHaveBeenCalledOnce();
});
