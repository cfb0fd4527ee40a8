// Asks a worker for spectrograms, one after the other: several at once would only slow each other down. What nobody looks at any
// more is given up.
import { askWorker, type QuestionWorker } from '../../base/ask-worker';
import type { SpectrogramShape } from '../../base/spectrogram';
import { WorkQueue } from '../../base/work-queue';
import type { SpectrogramAnswer, SpectrogramQuestion } from '../../workers/spectrogram.worker';

type Samples = Pick<AudioBuffer, 'numberOfChannels' | 'sampleRate' | 'getChannelData'>;

const queue = new WorkQueue();

const startWorker = (): QuestionWorker =>
  new Worker(new URL('../../workers/spectrogram.worker.ts', import.meta.url), { type: 'module' });

/** Rejects when the signal fires, or the worker does not answer. */
export function spectrogramOf(
  sound: Samples,
  shape: SpectrogramShape,
  signal: AbortSignal,
  start = startWorker,
): Promise<SpectrogramAnswer> {
  return queue.take(() => {
    signal.throwIfAborted();
    const channels = Array.from({ length: sound.numberOfChannels }, (_, i) => sound.getChannelData(i));
    const question: SpectrogramQuestion = { channels, rateHz: sound.sampleRate, shape };
    return askWorker(start(), question, signal, 'The spectrogram could not be computed');
  });
}
