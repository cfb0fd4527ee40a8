// The one way to ask the server for what the page shows, and to keep it fresh. A feed decides when to ask; its owner says
// what to ask, and keeps the values.
//
// - A *want* is a key that somebody needs the value of. It counts from `want` until the function that `want` returned is
//   called. A running request none of whose wants counts any more is aborted.
// - A *batch* is what one request asks for: all wants of one moment, or those of them that `batch` chooses. At most `atOnce`
//   requests run at a time, and each want is in at most one of them.
// - An *answer* has a value for each want of its batch; one without a value is answered, too: the server has nothing.
// - A want is *new* until it has been asked for, and again when it is wanted otherwise than before (`renew`, `replace`): it is
//   asked for at once, or `pauseMs` after the last answer. It is *stale* when its data grew (`outdate`): what is known stays,
//   and is asked for again no sooner than `refreshMs` after the last answer. What grows during a request is asked for after it.
// - After an *error* the wants of the batch are asked for again after a pause that doubles with each error (`later`), unless
//   `onError` knows better: `now`, or `never`, which means not before `renew`, `outdate` or `retry`.
// - An answer of *another server* than the run table's is not taken, since its numbers mean other runs: `onOtherServer` is told,
//   and the wants are asked for again later. When the table has the new numbers, its owner calls `restart`.
// - While the *page is hidden* nothing is asked, unless it is urgent, and neither before a run table has come. Who wants no live
//   updates hears of no growth, and so nothing is asked again.
import { ApiError } from '../../wire/client';

export const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;

export interface Answer<Key, Value> {
  /** Without it, it does not matter which server answers. */
  readonly serverId?: string;
  readonly values: ReadonlyMap<Key, Value>;
}

export interface FeedOptions<Key, Value> {
  /** Those of the wants that go into one request; all of them without it. None: nothing has to be asked for any of them. */
  readonly batch?: (due: readonly Key[]) => readonly Key[];
  readonly ask: (batch: readonly Key[], signal: AbortSignal) => Promise<Answer<Key, Value>>;
  /** undefined: the server has nothing. */
  readonly take: (key: Key, value: Value | undefined) => void;
  /** There is no value, and it is not asked for again at once. */
  readonly fail?: (key: Key, error: Error) => void;
  readonly onError?: (error: Error, batch: readonly Key[]) => 'later' | 'now' | 'never';
  /** The server whose run numbers are in use, '' as long as none has answered; without it nobody waits for one. */
  readonly serverId?: () => string;
  readonly onOtherServer?: () => void;
  /** What cannot wait until the page is seen. */
  readonly isUrgent?: () => boolean;
  readonly atOnce?: number;
  readonly pauseMs?: number;
  readonly refreshMs?: number;
}

type Need = 'new' | 'stale' | null;

interface Entry<Key> {
  /** How many want it. */
  count: number;
  need: Need;
  request: Request<Key> | null;
  /** What the request is for: it is needed again when the request comes to nothing. */
  asked: Need;
  /** Infinity: never by itself. */
  notBeforeMs: number;
  /** Called when the next answer is here that nothing is missing of, or when there is none. */
  waiting: (() => void)[];
}

interface Request<Key> {
  readonly keys: Set<Key>;
  readonly abort: AbortController;
}

export class Feed<Key, Value> {
  readonly #options: FeedOptions<Key, Value>;
  /** All that is wanted, and what is known of what was wanted before. */
  readonly #entries = new Map<Key, Entry<Key>>();
  /** Wanted, needed and in no request. */
  readonly #due = new Set<Key>();
  readonly #requests = new Set<Request<Key>>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timerMs = Infinity;
  #lastAnswerMs = -Infinity;
  #retryMs = FIRST_RETRY_MS;
  #isDestroyed = false;

  constructor(options: FeedOptions<Key, Value>) {
    this.#options = options;
    document.addEventListener('visibilitychange', this.#wake);
  }

  /** Until the returned function is called. Several may want the same. */
  want(keys: Iterable<Key>): () => void {
    const wanted = [...new Set(keys)];
    for (const key of wanted) {
      const entry = this.#entries.get(key);
      if (entry === undefined) this.#entries.set(key, newEntry());
      else entry.count += 1;
      this.#update(key);
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      for (const key of wanted) this.#release(key);
    };
  }

  isWanted(key: Key): boolean {
    return (this.#entries.get(key)?.count ?? 0) > 0;
  }

  /** The data of these grew. */
  outdate(isGrown: (key: Key) => boolean = () => true): void {
    for (const [key, entry] of this.#entries) {
      if (!isGrown(key)) continue;
      entry.need ??= 'stale';
      if (entry.notBeforeMs === Infinity) entry.notBeforeMs = -Infinity;
      this.#update(key);
    }
  }

  /** Something else is wanted of it. A request that is running is still of use. */
  renew(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    entry.need = 'new';
    entry.notBeforeMs = -Infinity;
    this.#update(key);
  }

  /**
   * The same, at once and not after the current task. Resolves when everything is here that the server has at the time of the
   * call, or could not be had.
   */
  refresh(key: Key): Promise<void> {
    this.renew(key);
    return new Promise((resolve) => {
      this.#entries.get(key)?.waiting.push(resolve);
      this.#askForDue();
    });
  }

  /** As `renew`, and what the running request brings for it is of no use. */
  replace(key: Key): void {
    this.#leaveRequest(key);
    this.renew(key);
  }

  /** Nothing is known of it any more. */
  forget(key: Key): void {
    if (this.isWanted(key)) this.replace(key);
    else this.#entries.delete(key);
  }

  /** What failed is asked for at once: the connection is back, or somebody does not want to wait. */
  retry(): void {
    this.#retryMs = FIRST_RETRY_MS;
    for (const entry of this.#entries.values()) entry.notBeforeMs = -Infinity;
    this.#plan(0);
  }

  /** The server was started anew: nothing is known any more, and no running request is of use. */
  restart(): void {
    for (const { abort } of this.#requests) abort.abort();
    this.#requests.clear();
    this.#lastAnswerMs = -Infinity;
    for (const [key, entry] of this.#entries) {
      entry.request = null;
      if (entry.count === 0) this.#entries.delete(key);
      else this.renew(key);
    }
    this.retry();
  }

  destroy(): void {
    this.#isDestroyed = true;
    document.removeEventListener('visibilitychange', this.#wake);
    clearTimeout(this.#timer);
    for (const { abort } of this.#requests) abort.abort();
    this.#requests.clear();
    this.#entries.clear();
    this.#due.clear();
  }

  readonly #wake = (): void => {
    this.#plan(0);
  };

  #release(key: Key): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    entry.count -= 1;
    if (entry.count > 0) return;
    this.#leaveRequest(key);
    this.#due.delete(key);
    if (entry.need === 'new') this.#entries.delete(key);
  }

  #leaveRequest(key: Key): void {
    const entry = this.#entries.get(key);
    if (!entry?.request) return;
    const { keys, abort } = entry.request;
    keys.delete(key);
    if (keys.size === 0) {
      this.#requests.delete(entry.request);
      abort.abort();
      this.#plan(0);
    }
    this.#giveBack(entry);
  }

  #giveBack(entry: Entry<Key>): void {
    entry.request = null;
    if (entry.need !== 'new') entry.need = entry.asked;
  }

  #update(key: Key): void {
    const entry = this.#entries.get(key)!;
    if (entry.count === 0 || entry.need === null || entry.request !== null) this.#due.delete(key);
    else {
      this.#due.add(key);
      this.#plan(0);
    }
  }

  #plan(delayMs: number): void {
    const dueMs = performance.now() + delayMs;
    if (this.#due.size === 0 || dueMs >= this.#timerMs) return;
    clearTimeout(this.#timer);
    this.#timerMs = dueMs;
    this.#timer = setTimeout(() => this.#askForDue(), delayMs);
  }

  #askForDue(): void {
    clearTimeout(this.#timer);
    this.#timerMs = Infinity;
    const isHidden = document.visibilityState === 'hidden' && !this.#options.isUrgent?.();
    if (this.#isDestroyed || isHidden) return;
    if (this.#options.serverId?.() === '') {
      this.#plan(FIRST_RETRY_MS);
      return;
    }
    const { atOnce = 1, batch: choose = (due) => due } = this.#options;
    while (this.#requests.size < atOnce) {
      const nowMs = performance.now();
      const due = [...this.#due].filter((key) => this.#dueMs(key) <= nowMs);
      const batch = due.length > 0 ? choose(due) : due;
      if (batch.length > 0) {
        void this.#ask(batch);
        continue;
      }
      for (const key of due) {
        this.#entries.get(key)!.need = null;
        this.#due.delete(key);
      }
      this.#planNext(nowMs);
      return;
    }
  }

  #dueMs(key: Key): number {
    const { need, notBeforeMs } = this.#entries.get(key)!;
    const { pauseMs = 0, refreshMs = 0 } = this.#options;
    return Math.max(notBeforeMs, this.#lastAnswerMs + (need === 'new' ? pauseMs : refreshMs));
  }

  #planNext(nowMs: number): void {
    let nextMs = Infinity;
    for (const key of this.#due) nextMs = Math.min(nextMs, this.#dueMs(key));
    if (nextMs < Infinity) this.#plan(nextMs - nowMs);
  }

  async #ask(batch: readonly Key[]): Promise<void> {
    const request: Request<Key> = { keys: new Set(batch), abort: new AbortController() };
    this.#requests.add(request);
    for (const key of batch) {
      const entry = this.#entries.get(key)!;
      entry.asked = entry.need;
      entry.need = null;
      entry.request = request;
      this.#due.delete(key);
    }
    const { values, error } = await this.#answer(batch, request.abort.signal);
    if (!this.#requests.delete(request)) return;
    if (error === null) this.#succeed(request, values);
    else this.#fail(request, batch, error);
    this.#askForDue();
  }

  async #answer(
    batch: readonly Key[],
    signal: AbortSignal,
  ): Promise<{ values: Answer<Key, Value>['values']; error: Error | null }> {
    try {
      const { serverId, values } = await this.#options.ask(batch, signal);
      const isOther = serverId !== this.#options.serverId?.();
      return { values, error: isOther ? new ApiError(409, 'The server was started anew') : null };
    } catch (error) {
      return { values: new Map(), error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  #succeed({ keys }: Request<Key>, values: Answer<Key, Value>['values']): void {
    this.#lastAnswerMs = performance.now();
    this.#retryMs = FIRST_RETRY_MS;
    for (const key of keys) {
      this.#entries.get(key)!.request = null;
      this.#update(key);
    }
    for (const key of [...keys]) {
      this.#options.take(key, values.get(key));
      this.#tellWaiting(key);
    }
  }

  #fail({ keys }: Request<Key>, batch: readonly Key[], error: Error): void {
    const next = isOtherServer(error) ? 'later' : (this.#options.onError?.(error, batch) ?? 'later');
    const pauseMs = { now: 0, later: this.#retryMs, never: Infinity }[next];
    if (next === 'later') this.#retryMs = Math.min(2 * this.#retryMs, LONGEST_RETRY_MS);
    for (const key of keys) {
      const entry = this.#entries.get(key)!;
      // Wanted otherwise since it was asked for: that is another question.
      if (entry.need !== 'new') entry.notBeforeMs = performance.now() + pauseMs;
      this.#giveBack(entry);
      this.#update(key);
    }
    if (isOtherServer(error)) this.#options.onOtherServer?.();
    if (next === 'now') return;
    for (const key of [...keys]) {
      this.#options.fail?.(key, error);
      this.#tellWaiting(key);
    }
  }

  #tellWaiting(key: Key): void {
    const entry = this.#entries.get(key);
    // It was wanted anew since it was asked for: the next answer counts.
    if (entry === undefined || (entry.need === 'new' && entry.notBeforeMs === -Infinity)) return;
    for (const tell of entry.waiting.splice(0)) tell();
  }
}

/** Of numbers that mean other runs there. */
export function isOtherServer(error: Error): boolean {
  return error instanceof ApiError && error.status === 409;
}

function newEntry<Key>(): Entry<Key> {
  return { count: 1, need: 'new', request: null, asked: null, notBeforeMs: -Infinity, waiting: [] };
}
