// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import type { SpectrogramQuestion } from '../../workers/spectrogram.worker';
import { SpectrogramRunner, type SpectrogramWish, type SpectrogramWorker } from './spectrogram-runner';

class FakeWorker implements SpectrogramWorker {
  static all: FakeWorker[] = [];
  onmessage: SpectrogramWorker['onmessage'] = null;
  onerror: SpectrogramWorker['onerror'] = null;
  isEnded = false;
  readonly questions: SpectrogramQuestion[] = [];

  constructor() {
    FakeWorker.all.push(this);
  }

  postMessage(question: unknown): void {
    this.questions.push(question as SpectrogramQuestion);
  }

  terminate(): void {
    this.isEnded = true;
  }

  answer(id: number, isLast = true): void {
    const data = { id, firstColumn: 0, values: new Float32Array(1), isLast };
    this.onmessage!.call(this as unknown as Worker, new MessageEvent('message', { data }));
  }
}

function makeRunner() {
  FakeWorker.all = [];
  return new SpectrogramRunner(() => new FakeWorker());
}

const wish = (rateHz: number, oncolumns = vi.fn()): SpectrogramWish => ({
  rateHz,
  shape: { columns: 1, rows: 1, windowSize: 2, isLog: false },
  channels: () => [new Float32Array(1)],
  oncolumns,
  onproblem: vi.fn(),
});

test('one at a time, the latest wish first', () => {
  const runner = makeRunner();
  const heard = vi.fn();
  runner.ask(wish(1, heard));
  runner.ask(wish(2));
  runner.ask(wish(3));
  const worker = FakeWorker.all[0]!;
  expect(worker.questions.map(({ rateHz }) => rateHz)).toEqual([1]);
  worker.answer(1, false);
  expect(worker.questions.length).toBe(1);
  worker.answer(1);
  expect(heard).toHaveBeenCalledTimes(2);
  worker.answer(2);
  expect(worker.questions.map(({ rateHz }) => rateHz)).toEqual([1, 3, 2]);
  expect(FakeWorker.all.length).toBe(1);
});

test('a wish that is taken back ends the work on it, and nothing else', () => {
  const runner = makeRunner();
  const heard = vi.fn();
  const takeBackFirst = runner.ask(wish(1, heard));
  const takeBackSecond = runner.ask(wish(2));
  runner.ask(wish(3));
  takeBackSecond();
  expect(FakeWorker.all[0]!.isEnded).toBe(false);
  takeBackFirst();
  expect(FakeWorker.all[0]!.isEnded).toBe(true);
  expect(FakeWorker.all[1]!.questions.map(({ rateHz }) => rateHz)).toEqual([3]);
  expect(heard).not.toHaveBeenCalled();
});

test('a broken worker is a sentence, and the next one gets another', () => {
  const runner = makeRunner();
  const first = wish(1);
  runner.ask(first);
  runner.ask(wish(2));
  FakeWorker.all[0]!.onerror!.call(FakeWorker.all[0] as unknown as Worker, new ErrorEvent('error'));
  expect(first.onproblem).toHaveBeenCalledOnce();
  expect(FakeWorker.all[1]!.questions.map(({ rateHz }) => rateHz)).toEqual([2]);
});
