// The address of loaded bytes, for elements that show them. While another path is wanted the old bytes stay until the new ones
// are there, so that nothing flashes; addresses that nobody uses any more are given back.
import { problemOf, type LoadedAnswer, type LoadProblem } from '../../../state/feeds/answer-cache';

type Load = (path: string, signal: AbortSignal) => Promise<LoadedAnswer>;

/** Elements that were just taken away may still be reading. */
const REVOKE_AFTER_MS = 10_000;

export class BlobUrl {
  readonly #load: Load;
  #abort: AbortController | null = null;
  #path: string | null = null;
  #generation = 0;
  #url = $state<string | null>(null);
  #blob = $state.raw<Blob | null>(null);
  #problem = $state.raw<LoadProblem | null>(null);

  constructor(load: Load) {
    this.#load = load;
  }

  /** null: not there (yet). */
  get url(): string | null {
    return this.#url;
  }

  get blob(): Blob | null {
    return this.#blob;
  }

  /** Why what is wanted cannot be had. */
  get problem(): LoadProblem | null {
    return this.#problem;
  }

  /** Again, after a problem. */
  retry(): void {
    const path = this.#path;
    this.#path = null;
    this.#problem = null;
    this.want(path, this.#generation);
  }

  /** null: nothing. Of another generation the same path means other bytes. */
  want(path: string | null, generation = 0): void {
    if (path === this.#path && generation === this.#generation) return;
    this.#path = path;
    this.#generation = generation;
    this.#abort?.abort();
    this.#abort = null;
    if (path === null) {
      this.#set(null);
      this.#problem = null;
      return;
    }
    const abort = new AbortController();
    this.#abort = abort;
    this.#load(path, abort.signal).then(
      ({ blob }) => {
        if (abort.signal.aborted) return;
        this.#problem = null;
        this.#set(blob);
      },
      (error: unknown) => {
        const problem = problemOf(error);
        if (problem === null || abort.signal.aborted) return;
        this.#set(null);
        this.#problem = problem;
      },
    );
  }

  #set(blob: Blob | null): void {
    const before = this.#url;
    this.#blob = blob;
    this.#url = blob === null ? null : URL.createObjectURL(blob);
    if (before !== null) setTimeout(() => URL.revokeObjectURL(before), REVOKE_AFTER_MS);
  }
}
