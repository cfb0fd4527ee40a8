// Runs regular expressions over many texts in the filter worker, one question after the other. For groups and filter
// expressions; the plain filter boxes have name-filter.ts, where only the last question matters.
import { compileRegex } from '../base/regex';
import { RegexWorker, type FilterWorker, type RegexAnswer } from './regex-worker';

/** The expression is none, or takes too long; the message is for people. */
export class RegexError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'RegexError';
  }
}

export class RegexRunner {
  readonly #worker: RegexWorker;
  #last: Promise<unknown> = Promise.resolve();

  constructor(start?: () => FilterWorker | null) {
    this.#worker = new RegexWorker(start);
  }

  /** Those of the texts that match. Rejects with a RegexError. */
  async matching(source: string, texts: readonly string[], flags?: string): Promise<Set<string>> {
    const { matches } = await this.#ask(source, texts, false, flags);
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
    this.#worker.end();
  }

  async #ask(
    source: string,
    names: readonly string[],
    isCapturing: boolean,
    flags?: string,
  ): Promise<Exclude<RegexAnswer, string>> {
    const { regex, error } = compileRegex(source, flags);
    if (regex === null) throw new RegexError(error);
    const question = { source, regex, names, isCapturing };
    const turn = this.#last.then(
      () => new Promise<RegexAnswer>((resolve) => this.#worker.ask(question, resolve)),
    );
    this.#last = turn;
    const answer = await turn;
    if (typeof answer === 'string') throw new RegexError(answer);
    return answer;
  }
}
