// Runs regular expressions over many texts, away from the page: an expression like (a+)+$ can take longer than anyone
// lives, and a worker can be ended from outside. Who asks, and when it gives up, is state/regex-worker.ts.
import { capturedText } from '../base/captures';
import { compileRegex } from '../base/regex';

export interface FilterQuestion {
  readonly id: number;
  readonly source: string;
  /** As RegExp has them. */
  readonly flags: string;
  /** Left out: the names of the last question. */
  readonly names?: readonly string[];
  /** With `names`: what else each is called, '' for nothing; it matches if either does. */
  readonly aliases?: readonly string[];
  /** What was captured is wanted too. */
  readonly isCapturing?: boolean;
}

export interface FilterAnswer {
  /** 0: no answer yet, but the worker has started and listens. */
  readonly id: number;
  /** One byte per name, 1 for a match. */
  readonly matches: Uint8Array;
  /** One per name, if they were asked for; null: no match. */
  readonly captures?: readonly (string | null)[];
}

let names: readonly string[] = [];
let aliases: readonly string[] | undefined;

self.onmessage = (event: MessageEvent<FilterQuestion>) => {
  const { id, source, flags, isCapturing } = event.data;
  if (event.data.names) ({ names, aliases } = event.data as Required<FilterQuestion>);
  const matches = new Uint8Array(names.length);
  // The page compiles the expression first, so it is known to be one.
  const { regex } = compileRegex(source, flags);
  if (regex && isCapturing) {
    const captures = names.map((name) => capturedText(regex, name));
    self.postMessage({ id, matches, captures } satisfies FilterAnswer);
    return;
  }
  if (regex) {
    for (let i = 0; i < names.length; i++) {
      const alias = aliases?.[i];
      matches[i] = regex.test(names[i]!) || (alias && regex.test(alias)) ? 1 : 0;
    }
  }
  const answer: FilterAnswer = { id, matches };
  self.postMessage(answer, { transfer: [matches.buffer] });
};

self.postMessage({ id: 0, matches: new Uint8Array() } satisfies FilterAnswer);
