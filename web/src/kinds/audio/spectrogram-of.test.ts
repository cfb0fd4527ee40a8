import { expect, test, vi } from 'vitest';
import type { QuestionWorker } from '../../base/ask-worker';
import type { SpectrogramQuestion } from '../../workers/spectrogram.worker';
import { spectrogramOf } from './spectrogram-of';

const SHAPE = { columns: 1, rows: 1, windowSize: 2, isLog: false };
const sound = (sampleRate: number) => ({
  ...{ sampleRate, numberOfChannels: 1 },
  getChannelData: () => new Float32Array(1),
});

/** Workers that are answered by the test, and what they were asked. */
function makeWorkers() {
  const workers: QuestionWorker[] = [];
  const rates: number[] = [];
  const start = (): QuestionWorker => {
    const worker = {
      ...{ terminate: vi.fn(), onmessage: null, onerror: null },
      postMessage: (question: SpectrogramQuestion) => rates.push(question.rateHz),
    } as unknown as QuestionWorker;
    workers.push(worker);
    return worker;
  };
  const answer = (at: number): void =>
    void workers[at]!.onmessage?.call(workers[at] as Worker, { data: Float32Array.of(at) } as MessageEvent);
  return { workers, rates, start, answer };
}

test('one at a time; what is given up before its turn is never begun', async () => {
  const { workers, rates, start, answer } = makeWorkers();
  const [one, other] = [new AbortController(), new AbortController()];
  const first = spectrogramOf(sound(1), SHAPE, one.signal, start);
  const second = spectrogramOf(sound(2), SHAPE, other.signal, start);
  const third = spectrogramOf(sound(3), SHAPE, one.signal, start);
  await vi.waitFor(() => expect(rates).toEqual([1]));
  other.abort();
  answer(0);
  expect(await first).toEqual(Float32Array.of(0));
  await expect(second).rejects.toMatchObject({ name: 'AbortError' });
  await vi.waitFor(() => expect(rates).toEqual([1, 3]));
  answer(1);
  await third;
  expect(workers.map(({ terminate }) => vi.mocked(terminate).mock.calls.length)).toEqual([1, 1]);
});

test('given up in the middle it ends its worker, and the next one has its turn', async () => {
  const { workers, rates, start, answer } = makeWorkers();
  const abort = new AbortController();
  const first = spectrogramOf(sound(1), SHAPE, abort.signal, start);
  const second = spectrogramOf(sound(2), SHAPE, new AbortController().signal, start);
  await vi.waitFor(() => expect(rates).toEqual([1]));
  abort.abort();
  await expect(first).rejects.toThrow('could not be computed');
  expect(workers[0]!.terminate).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(rates).toEqual([1, 2]));
  answer(1);
  expect(await second).toEqual(Float32Array.of(1));
});
