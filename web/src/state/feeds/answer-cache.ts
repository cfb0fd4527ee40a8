// Fetches pictures, sounds and the like: a few at a time, the latest wish first (whoever scrolls wants what is in sight now),
// given up when nobody waits any more, and kept for a while, because people go back and forth between steps.
import { ApiError, isAbort, type Client } from '../../wire/client';
import { onePer } from '../one-per-page.svelte';
import { RecentlyUsed } from './recently-used';

export interface LoadedAnswer {
  readonly blob: Blob;
  readonly headers: Headers;
}

/** What is shown in place of something: why it cannot be, in the server's words. */
export interface LoadProblem {
  readonly message: string;
  /** It may work later: the server did not answer, or something went wrong in it. */
  readonly isTemporary: boolean;
}

interface Task {
  readonly path: string;
  readonly promise: Promise<LoadedAnswer>;
  readonly resolve: (answer: LoadedAnswer) => void;
  readonly reject: (error: unknown) => void;
  readonly abort: AbortController;
  waiting: number;
  isRunning: boolean;
}

const MOST_BYTES = 96 * 1024 * 1024;
/** HTTP/1.1 gives six connections to a host; one is for events, one for everything else. */
const AT_ONCE = 4;

export class AnswerCache {
  readonly #client: Pick<Client, 'get'>;
  readonly #mostBytes: number;
  readonly #kept: RecentlyUsed<LoadedAnswer>;
  /** Latest wish last. */
  readonly #tasks = new Map<string, Task>();
  #running = 0;
  /** Another one after `clear`: what was asked for before is kept no more. */
  #era = 0;

  constructor(client: Pick<Client, 'get'>, mostBytes = MOST_BYTES) {
    this.#client = client;
    this.#mostBytes = mostBytes;
    this.#kept = new RecentlyUsed(mostBytes);
  }

  /** Already here? Then without a wait. */
  peek(path: string): LoadedAnswer | undefined {
    return this.#kept.use(path);
  }

  /** `path` is below api/v1/. Rejects with an ApiError, or with an AbortError when the signal fires. */
  load(path: string, signal?: AbortSignal): Promise<LoadedAnswer> {
    const kept = this.peek(path);
    if (kept !== undefined) return Promise.resolve(kept);
    signal?.throwIfAborted();
    const task = this.#taskOf(path);
    task.waiting += 1;
    this.#start();
    if (signal === undefined) return task.promise;
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        task.waiting -= 1;
        if (task.waiting === 0) this.#drop(task);
        reject(signal.reason instanceof Error ? signal.reason : new DOMException('Given up', 'AbortError'));
      };
      signal.addEventListener('abort', giveUp, { once: true });
      task.promise
        .finally(() => {
          signal.removeEventListener('abort', giveUp);
        })
        .then(resolve, reject);
    });
  }

  /** For what may be wanted next: nobody waits for it until it is loaded in earnest. Never rejects. */
  async loadAhead(path: string): Promise<void> {
    if (this.peek(path) !== undefined) return;
    const { promise } = this.#taskOf(path);
    this.#start();
    await promise.catch(() => undefined);
  }

  /** Resolves when nothing that somebody waits for is on its way. */
  async settled(): Promise<void> {
    for (;;) {
      const awaited = [...this.#tasks.values()].filter(({ waiting }) => waiting > 0);
      if (awaited.length === 0) return;
      await Promise.allSettled(awaited.map(({ promise }) => promise));
    }
  }

  /** Forgets everything: numbers of runs mean other runs now. */
  clear(): void {
    this.#kept.clear();
    this.#era += 1;
    // Who waits gets what was asked for; who asks from now on asks anew.
    for (const [path, { isRunning }] of this.#tasks) if (isRunning) this.#tasks.delete(path);
  }

  #taskOf(path: string): Task {
    const known = this.#tasks.get(path);
    if (known !== undefined) {
      // Wished for again: it goes to the front of the line.
      this.#tasks.delete(path);
      this.#tasks.set(path, known);
      return known;
    }
    let resolve: Task['resolve'] = () => undefined;
    let reject: Task['reject'] = () => undefined;
    const promise = new Promise<LoadedAnswer>((...ends) => {
      [resolve, reject] = ends;
    });
    const abort = new AbortController();
    const task: Task = { path, promise, resolve, reject, abort, waiting: 0, isRunning: false };
    task.promise.catch(() => undefined); // those who wait hear of it; given up by all of them it is nobody's concern
    this.#tasks.set(path, task);
    return task;
  }

  #drop(task: Task): void {
    if (this.#tasks.get(task.path) === task) this.#tasks.delete(task.path);
    task.abort.abort();
    task.reject(new DOMException('Given up', 'AbortError'));
  }

  #start(): void {
    while (this.#running < AT_ONCE) {
      const next = [...this.#tasks.values()].reverse().find(({ isRunning }) => !isRunning);
      if (next === undefined) return;
      next.isRunning = true;
      this.#running += 1;
      void this.#run(next).finally(() => {
        this.#running -= 1;
        this.#start();
      });
    }
  }

  async #run(task: Task): Promise<void> {
    const era = this.#era;
    try {
      const answer = await this.#client.get(task.path, task.abort.signal);
      const loaded = { blob: await wholeOf(answer), headers: answer.headers };
      // One film must not push out everything else.
      const isKept = era === this.#era && loaded.blob.size <= this.#mostBytes / 4;
      if (isKept) this.#kept.put(task.path, loaded, loaded.blob.size);
      task.resolve(loaded);
    } catch (error) {
      task.reject(error);
    } finally {
      if (this.#tasks.get(task.path) === task) this.#tasks.delete(task.path);
    }
  }
}

/** What to show in place of something that could not be loaded; null when it was merely given up. */
export function problemOf(error: unknown): LoadProblem | null {
  if (isAbort(error)) return null;
  const message = error instanceof Error ? error.message : String(error);
  return { message, isTemporary: error instanceof ApiError && (error.status === 0 || error.status >= 500) };
}

/** The connection may break in the middle of an answer: what browsers say about that is no sentence. */
async function wholeOf(answer: Response): Promise<Blob> {
  return answer.blob().catch((error: unknown) => {
    throw isAbort(error) ? error : new ApiError(0, 'The answer of the server broke off');
  });
}

/** The one cache of a page's client. */
export const answersOf = onePer((client: Client) => new AnswerCache(client));
