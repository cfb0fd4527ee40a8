// Decides which names match what the user typed. Plain text is matched at once. A regular expression goes to a worker; when it
// takes too long, the filter keeps what it matched before and says why.
import { compileRegex, isPlainText, textMatcher } from '../base/regex';
import { RegexWorker, type FilterWorker, type RegexAnswer, type RegexQuestion } from './regex-worker';

/** null: everything matches. */
export type Matches = ReadonlySet<string> | null;

export interface FilterResult {
  /** undefined: it could not be found out; keep what was matched before. */
  readonly matches?: Matches;
  readonly error: string | null;
  /** Nothing is known yet: a worker was asked, and its answer follows. */
  readonly isPending?: boolean;
}

export class NameFilter {
  readonly #onResult: (result: FilterResult) => void;
  readonly #worker: RegexWorker;
  #isBusy = false;
  /** Asked while the worker was busy; only the last one matters. */
  #next: RegexQuestion | null = null;
  #isCurrentWanted = false;

  constructor(onResult: (result: FilterResult) => void, start?: () => FilterWorker | null) {
    this.#onResult = onResult;
    this.#worker = new RegexWorker(start);
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
    this.#next = { names, aliases, source: text, regex };
    this.#onResult({ error: null, isPending: true });
    if (!this.#isBusy) this.#askNext();
  }

  #askNext(): void {
    const question = this.#next;
    this.#next = null;
    this.#isBusy = question !== null;
    if (question === null) return;
    this.#isCurrentWanted = true;
    const tell = (answer: RegexAnswer): void => {
      const isWanted = this.#isCurrentWanted;
      this.#askNext();
      if (!isWanted) return;
      if (typeof answer === 'string') this.#onResult({ error: answer });
      else {
        const isMatch = (_: string, i: number): boolean => answer.matches[i] === 1;
        this.#onResult({ matches: new Set(question.names.filter(isMatch)), error: null });
      }
    };
    this.#worker.ask(question, tell, () => this.#isCurrentWanted);
  }

  destroy(): void {
    this.#next = null;
    this.#worker.end();
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
