// Decides which names match what the user typed. Plain text is matched at once. A regular expression goes to a worker
// with a time limit: when it is over, the worker is ended, and a new one tries once more – the first may have lost to a
// busy page. Then the filter keeps what it matched before and says why. So no expression can hang the page.
import { compileRegex, isPlainText, textMatcher } from '../base/regex';
import type { FilterAnswer, FilterQuestion } from '../workers/filter.worker';

/** For the expression alone. */
export const TIME_LIMIT_MS = 300;
/** For fetching and starting the worker, on a slow line. */
const START_LIMIT_MS = 10_000;

/** null: everything matches. */
export type Matches = ReadonlySet<string> | null;

export interface FilterResult {
  /** undefined: it could not be found out; keep what was matched before. */
  readonly matches?: Matches;
  readonly error: string | null;
  /** Nothing is known yet: a worker was asked, and its answer follows. */
  readonly isPending?: boolean;
}

/** The part of a Worker that is needed. */
export interface FilterWorker {
  onmessage: ((event: MessageEvent<FilterAnswer>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(question: FilterQuestion): void;
  terminate(): void;
}

export function startFilterWorker(): FilterWorker | null {
  if (typeof Worker === 'undefined') return null;
  try {
    return new Worker(new URL('../workers/filter.worker.ts', import.meta.url), { type: 'module' });
  } catch {
    return null;
  }
}

interface Question {
  readonly names: readonly string[];
  readonly aliases: readonly string[] | undefined;
  readonly source: string;
  readonly regex: RegExp;
  isRetry: boolean;
}

export class NameFilter {
  readonly #onResult: (result: FilterResult) => void;
  readonly #start: () => FilterWorker | null;
  #worker: FilterWorker | null = null;
  #isWorkerReady = false;
  /** What the worker remembers, so that typing does not send ten thousand names with every letter. */
  #workerNames: readonly string[] | null = null;
  #workerAliases: readonly string[] | undefined;
  #questionId = 0;
  #current: Question | null = null;
  /** Asked while the worker was busy; only the last one matters. */
  #next: Question | null = null;
  #isCurrentWanted = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onResult: (result: FilterResult) => void, start = startFilterWorker) {
    this.#onResult = onResult;
    this.#start = start;
  }

  /** No answer is wanted any more. */
  forget(): void {
    this.#next = null;
    this.#isCurrentWanted = false;
  }

  /**
   * Answers through onResult, at once where that is possible; an earlier question is forgotten. `aliases`: what else each
   * name is called, '' for nothing; it matches if either does.
   */
  ask(names: readonly string[], text: string, isRegex: boolean, aliases?: readonly string[]): void {
    this.forget();
    if (text === '' || (!isRegex && text.trim() === '')) {
      this.#onResult({ matches: null, error: null });
      return;
    }
    if (!isRegex || isPlainText(text)) {
      const lower = text.toLowerCase();
      // In an expression a space is a letter like any other.
      const isMatch = isRegex ? (name: string) => name.toLowerCase().includes(lower) : textMatcher(text);
      this.#onResult({ matches: matching(names, aliases, isMatch), error: null });
      return;
    }
    const { regex, error } = compileRegex(text);
    if (regex === null) {
      this.#onResult({ error });
      return;
    }
    this.#next = { names, aliases, source: text, regex, isRetry: false };
    this.#onResult({ error: null, isPending: true });
    if (this.#current === null) this.#askNext();
  }

  #askNext(): void {
    const question = this.#next;
    this.#next = null;
    this.#current = null;
    if (question === null) return;
    this.#worker ??= this.#startWorker();
    if (this.#worker === null) {
      // No workers here (a test, a locked-down browser): better an expression that may be slow than none.
      const { names, aliases, regex } = question;
      this.#onResult({ matches: matching(names, aliases, (name) => regex.test(name)), error: null });
      return;
    }
    this.#current = question;
    this.#isCurrentWanted = true;
    const { names, aliases, source } = question;
    const id = ++this.#questionId;
    const isKnown = this.#workerNames === names && this.#workerAliases === aliases;
    this.#worker.postMessage(isKnown ? { id, source } : { id, source, names, ...(aliases && { aliases }) });
    this.#workerNames = names;
    this.#workerAliases = aliases;
    this.#limit(this.#isWorkerReady ? TIME_LIMIT_MS : START_LIMIT_MS);
  }

  #startWorker(): FilterWorker | null {
    const worker = this.#start();
    if (worker === null) return null;
    this.#isWorkerReady = false;
    worker.onmessage = ({ data }) => {
      this.#isWorkerReady = true;
      if (data.id === 0) {
        if (this.#current) this.#limit(TIME_LIMIT_MS);
        return;
      }
      if (data.id !== this.#questionId || this.#current === null) return;
      clearTimeout(this.#timer);
      const { names } = this.#current;
      const isWanted = this.#isCurrentWanted;
      this.#askNext();
      if (isWanted) {
        this.#onResult({ matches: new Set(names.filter((_, i) => data.matches[i] === 1)), error: null });
      }
    };
    worker.onerror = () => {
      this.#giveUp('Regular expressions do not work in this browser; switch to text search');
    };
    return worker;
  }

  #limit(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#giveUp('This expression takes too long; make it simpler');
    }, ms);
  }

  #giveUp(error: string): void {
    const isWanted = this.#isCurrentWanted;
    const question = this.#current;
    this.#endWorker();
    if (isWanted && question?.isRetry === false) {
      question.isRetry = true;
      this.#next = question;
      this.#askNext();
      return;
    }
    this.#askNext();
    if (isWanted) this.#onResult({ error });
  }

  #endWorker(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
    this.#workerNames = null;
  }

  destroy(): void {
    this.#next = null;
    this.#current = null;
    this.#endWorker();
  }
}

function matching(
  names: readonly string[],
  aliases: readonly string[] | undefined,
  isMatch: (text: string) => boolean,
): Set<string> {
  return new Set(
    names.filter((name, i) => {
      const alias = aliases?.[i];
      return isMatch(name) || (!!alias && isMatch(alias));
    }),
  );
}
