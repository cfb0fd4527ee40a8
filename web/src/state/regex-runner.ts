// Runs regular expressions over many texts in the filter worker, one question after the other, each with a time limit:
// when it is over, the worker is ended, and a new one tries once more – the first may have lost to a busy page. For groups
// and filter expressions; the plain filter boxes have name-filter.ts, which begins before anything is loaded.
import { capturedText } from '../base/captures';
import { compileRegex } from '../base/regex';
import type { FilterAnswer, FilterQuestion } from '../workers/filter.worker';
import { startFilterWorker, TIME_LIMIT_MS, type FilterWorker } from './name-filter';

/** For fetching and starting the worker, on a slow line. */
const START_LIMIT_MS = 10_000;

/** The expression is none, or takes too long; the message is for people. */
export class RegexError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RegexError';
  }
}

export class RegexRunner {
  readonly #start: () => FilterWorker | null;
  #worker: FilterWorker | null = null;
  #isReady = false;
  #questionId = 0;
  #last: Promise<unknown> = Promise.resolve();
  #isDestroyed = false;

  constructor(start: () => FilterWorker | null = startFilterWorker) {
    this.#start = start;
  }

  /** Those of the texts that match. Rejects with a RegexError. */
  async matching(source: string, texts: readonly string[]): Promise<Set<string>> {
    const { matches } = await this.#ask(source, texts, false);
    return new Set(texts.filter((_, i) => matches[i] === 1));
  }

  /** Text → what was captured, without those that do not match. Rejects with a RegexError. */
  async captured(source: string, texts: readonly string[]): Promise<Map<string, string>> {
    const { captures = [] } = await this.#ask(source, texts, true);
    return new Map(
      texts.flatMap((text, i) => {
        const capture = captures[i];
        return typeof capture === 'string' ? [[text, capture] as const] : [];
      }),
    );
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#end();
  }

  #ask(source: string, names: readonly string[], isCapturing: boolean): Promise<FilterAnswer> {
    const { regex, error } = compileRegex(source);
    if (regex === null) return Promise.reject(new RegexError(error));
    const turn = this.#last
      .catch(() => undefined)
      .then(async () => {
        const question = { source, names, isCapturing };
        return (await this.#try(question, regex)) ?? (await this.#try(question, regex));
      })
      .then((answer) => {
        if (answer === null) throw new RegexError('This expression takes too long; make it simpler');
        return answer;
      });
    this.#last = turn;
    return turn;
  }

  /** null: it took too long, or the worker broke. */
  #try(question: Omit<FilterQuestion, 'id'>, regex: RegExp): Promise<FilterAnswer | null> {
    const names = question.names ?? [];
    if (!this.#isDestroyed) this.#worker ??= this.#startWorker();
    const worker = this.#worker;
    if (worker === null) {
      // No workers here (a test, a locked-down browser): better an expression that may be slow than none.
      return Promise.resolve({
        id: 0,
        matches: Uint8Array.from(names, (name) => (regex.test(name) ? 1 : 0)),
        captures: names.map((name) => capturedText(regex, name)),
      });
    }
    const id = ++this.#questionId;
    return new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout>;
      const giveUp = (): void => {
        clearTimeout(timer);
        this.#end();
        resolve(null);
      };
      const limit = (ms: number): void => {
        clearTimeout(timer);
        timer = setTimeout(giveUp, ms);
      };
      worker.onmessage = ({ data }) => {
        this.#isReady = true;
        if (data.id === 0) limit(TIME_LIMIT_MS);
        if (data.id !== id) return;
        clearTimeout(timer);
        resolve(data);
      };
      worker.onerror = giveUp;
      limit(this.#isReady ? TIME_LIMIT_MS : START_LIMIT_MS);
      worker.postMessage({ ...question, id });
    });
  }

  #startWorker(): FilterWorker | null {
    this.#isReady = false;
    return this.#start();
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }
}
