// Runs regular expressions over many names, away from the page: an expression like (a+)+$ can take longer than anyone
// lives, and a worker can be ended from outside. Who asks, and when it gives up, is state/name-filter.ts.
import { compileRegex } from '../base/regex';

export interface FilterQuestion {
  readonly id: number;
  readonly source: string;
  /** Left out: the names of the last question. */
  readonly names?: readonly string[];
}

export interface FilterAnswer {
  /** 0: no answer yet, but the worker has started and listens. */
  readonly id: number;
  /** One byte per name, 1 for a match. */
  readonly matches: Uint8Array;
}

let names: readonly string[] = [];

self.onmessage = (event: MessageEvent<FilterQuestion>) => {
  const { id, source } = event.data;
  if (event.data.names) names = event.data.names;
  const matches = new Uint8Array(names.length);
  // The page compiles the expression first, so it is known to be one.
  const { regex } = compileRegex(source);
  if (regex) for (let i = 0; i < names.length; i++) matches[i] = regex.test(names[i]!) ? 1 : 0;
  const answer: FilterAnswer = { id, matches };
  self.postMessage(answer, { transfer: [matches.buffer] });
};

self.postMessage({ id: 0, matches: new Uint8Array() } satisfies FilterAnswer);
