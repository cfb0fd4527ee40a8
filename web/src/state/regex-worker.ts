// The filter worker, asked one question at a time, each with a time limit: when it is over, the worker is ended, and a new one
// tries once more – the first may have lost to a busy page. So no expression can hang the page.
import { capturedText } from '../base/captures';
import type { FilterAnswer, FilterQuestion } from '../workers/filter.worker';

/** For the expression alone. */
export const TIME_LIMIT_MS = 300;
/** For fetching and starting the worker, on a slow line. */
const START_LIMIT_MS = 10_000;

/** The part of a Worker that is needed. */
export interface FilterWorker {
  onmessage: ((event: MessageEvent<FilterAnswer>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(question: FilterQuestion): void;
  terminate(): void;
}

function startFilterWorker(): FilterWorker | null {
  if (typeof Worker === 'undefined') return null;
  try {
    return new Worker(new URL('../workers/filter.worker.ts', import.meta.url), { type: 'module' });
  } catch {
    return null;
  }
}

export interface RegexQuestion {
  readonly source: string;
  readonly regex: RegExp;
  readonly names: readonly string[];
  readonly aliases?: readonly string[] | undefined;
  readonly isCapturing?: boolean;
}

/** A sentence for people: there is no answer. */
export type RegexAnswer = Pick<FilterAnswer, 'matches' | 'captures'> | string;

export class RegexWorker {
  readonly #start: () => FilterWorker | null;
  #worker: FilterWorker | null = null;
  #isReady = false;
  /** What the worker remembers, so that typing does not send ten thousand names with every letter. */
  #sent: RegexQuestion | null = null;
  #questionId = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(start: () => FilterWorker | null = startFilterWorker) {
    this.#start = start;
  }

  /** Not before the last question has been answered. `isWanted`: whether it is worth a second try. */
  ask(
    question: RegexQuestion,
    tell: (answer: RegexAnswer) => void,
    isWanted: () => boolean = () => true,
    isRetry = false,
  ): void {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    if (worker === null) {
      tell(answerHere(question));
      return;
    }
    const giveUp = (why: string): void => {
      this.end();
      if (isRetry || !isWanted()) tell(why);
      else this.ask(question, tell, isWanted, true);
    };
    const limit = (ms: number): void => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => giveUp('This expression takes too long; make it simpler'), ms);
    };
    const id = ++this.#questionId;
    worker.onmessage = ({ data }) => {
      this.#isReady = true;
      if (data.id === 0) limit(TIME_LIMIT_MS);
      if (data.id !== id) return;
      clearTimeout(this.#timer);
      tell(data);
    };
    worker.onerror = () => giveUp('Regular expressions do not work in this browser; switch to text search');
    limit(this.#isReady ? TIME_LIMIT_MS : START_LIMIT_MS);
    const { source, regex, names, aliases, isCapturing } = question;
    const isKnown = this.#sent?.names === names && this.#sent.aliases === aliases;
    worker.postMessage({
      id,
      source,
      flags: regex.flags,
      ...(isCapturing && { isCapturing }),
      ...(!isKnown && { names, ...(aliases && { aliases }) }),
    });
    this.#sent = question;
  }

  /** No answer is wanted any more. */
  end(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
    this.#isReady = false;
    this.#sent = null;
  }
}

/** No workers here (a test, a locked-down browser): better an expression that may be slow than none. */
function answerHere({ regex, names, aliases, isCapturing }: RegexQuestion): RegexAnswer {
  const matches = Uint8Array.from(names, (name, i) => {
    const alias = aliases?.[i];
    return regex.test(name) || (alias && regex.test(alias)) ? 1 : 0;
  });
  return { matches, ...(isCapturing && { captures: names.map((name) => capturedText(regex, name)) }) };
}
