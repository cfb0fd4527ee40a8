// Keeps the run table, the tags and the scalar data equal to the server's. Events only say that something changed; this
// asks for it, once at a time, and once more if something changed meanwhile. Where the events do not get through (some
// proxies hold them back) it asks every few seconds, and with events every half minute to be safe.
import {
  ApiError,
  isAbort,
  type Client,
  type Environment,
  type ReadProgress,
  type RunTable,
} from '../wire/client';
import type { StreamMessage, StreamState } from '../wire/event-stream';
import type { RunStore } from './runs.svelte';
import type { ScalarLoader } from './scalar-loader.svelte';
import type { TagStore } from './tags.svelte';

export const POLL_MS = 5000;
export const SAFETY_POLL_MS = 30_000;
/** After an answer that is an error; twice as long after each one that follows. */
export const RETRY_MS = 1000;

export interface SyncOptions {
  readonly client: Pick<Client, 'environment' | 'runs' | 'tags'>;
  readonly runs: RunStore;
  readonly tags: TagStore;
  readonly scalars: Pick<ScalarLoader, 'change' | 'renumber' | 'retry'>;
  readonly onEnvironment: (environment: Environment) => void;
  readonly onProgress: (progress: ReadProgress) => void;
  /** False: the user wants no news until asking for it. */
  readonly isFollowing: () => boolean;
  /** After every answer, good (null) or bad. */
  readonly onAnswer: (error: ApiError | null) => void;
  readonly onStreamState: (state: StreamState) => void;
  /** Rows changed: last values are out of date, and of other runs when the server was restarted. */
  readonly onRunsChanged: (isRenumbered: boolean) => void;
  /** There may be series, and with them hyper-parameters, that were not there before. */
  readonly onSeriesChanged?: (isRenumbered: boolean) => void;
  /** It is time to ask for what events may not have told: see POLL_MS. */
  readonly onPoll?: () => void;
  /** The stream missed something. */
  readonly onDeadStream: () => void;
}

export class Sync {
  readonly #options: SyncOptions;
  readonly #abort = new AbortController();
  #isPaused = false;
  #streamState: StreamState = 'connecting';
  #pollTimer: ReturnType<typeof setTimeout> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #retryMs = RETRY_MS;
  #environmentServerId = '';
  /** The running question for the run table; one at a time. */
  #running: Promise<void> | null = null;
  #isAgain = false;
  /** Events have told the scalar loader about everything that the next table will name as changed. */
  #isToldByEvents = true;
  #areTagsNeeded = true;

  constructor(options: SyncOptions) {
    this.#options = options;
  }

  start(): void {
    void this.refresh({ isTold: false });
    this.#planPoll();
  }

  handle(message: StreamMessage): void {
    switch (message.type) {
      case 'state':
        this.#streamState = message.state;
        this.#options.onStreamState(message.state);
        this.#planPoll();
        // Is it the stream or the server? Ask.
        if (message.state === 'lost') void this.#ask();
        return;
      case 'progress':
        this.#options.onProgress(message.data);
        return;
      case 'hello': {
        const { runs } = this.#options;
        const isRestarted = message.data.server_id !== runs.serverId;
        const isBehind = message.data.revision > runs.revision && this.#options.isFollowing();
        if (isRestarted || isBehind) {
          this.#areTagsNeeded = true;
          void this.refresh({ isTold: false });
        }
        this.#options.scalars.retry();
        return;
      }
      case 'change': {
        if (!this.#options.isFollowing()) return;
        const { runs, reset, removed, tags, has_new_series } = message.data;
        this.#areTagsNeeded ||= has_new_series || removed.length > 0;
        // A run whose file was replaced may have lost any of its tags.
        this.#options.scalars.change({ runs, tags: reset.length > 0 ? null : tags });
        void this.refresh({ isTold: true });
        this.#planPoll();
      }
    }
  }

  /** Out of sight: nothing is asked until resume. */
  pause(): void {
    this.#isPaused = true;
    clearTimeout(this.#pollTimer);
    clearTimeout(this.#retryTimer);
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#areTagsNeeded = true;
    void this.#ask();
    this.#planPoll();
  }

  destroy(): void {
    this.pause();
    this.#abort.abort();
  }

  /** Resolves when everything that was known at the time of the call is there. Never rejects. */
  refresh({ isTold, areTagsNeeded = false }: { isTold: boolean; areTagsNeeded?: boolean }): Promise<void> {
    if (!isTold) this.#isToldByEvents = false;
    if (areTagsNeeded) this.#areTagsNeeded = true;
    if (this.#isPaused) {
      // Events of a hidden time are not kept: resume looks at everything.
      this.#isToldByEvents = false;
      return Promise.resolve();
    }
    this.#isAgain = true;
    this.#running ??= this.#refreshAll().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #refreshAll(): Promise<void> {
    while (this.#isAgain && !this.#isPaused && !this.#abort.signal.aborted) {
      this.#isAgain = false;
      const isTold = this.#isToldByEvents;
      const areTagsNeeded = this.#areTagsNeeded;
      this.#isToldByEvents = true;
      this.#areTagsNeeded = false;
      try {
        await this.#refreshOnce(isTold, areTagsNeeded);
        this.#hear(null);
      } catch (error) {
        if (isAbort(error)) return;
        this.#isToldByEvents &&= isTold;
        this.#areTagsNeeded ||= areTagsNeeded;
        this.#fail(error);
        return;
      }
    }
  }

  /** News if the user wants them; else only whether the server is there, and still the same. */
  async #ask(): Promise<void> {
    const { runs } = this.#options;
    if (this.#options.isFollowing() || runs.serverId === '') {
      await this.refresh({ isTold: false });
      return;
    }
    if (this.#isPaused) return;
    try {
      await this.#refreshEnvironment();
      this.#hear(null);
    } catch (error) {
      if (!isAbort(error)) this.#fail(error);
      return;
    }
    if (this.#environmentServerId !== runs.serverId) {
      await this.refresh({ isTold: false, areTagsNeeded: true });
    }
  }

  #fail(error: unknown): void {
    this.#hear(error instanceof ApiError ? error : new ApiError(0, String(error)));
  }

  /** `error` null: a good answer. */
  #hear(error: ApiError | null): void {
    clearTimeout(this.#retryTimer);
    this.#options.onAnswer(error);
    if (error === null) this.#retryMs = RETRY_MS;
    if (error === null || error.isConnectionLost || error.isTokenMissing || this.#isPaused) return;
    this.#retryTimer = setTimeout(() => void this.#ask(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, SAFETY_POLL_MS);
  }

  async #refreshOnce(isTold: boolean, areTagsNeeded: boolean): Promise<void> {
    const { client, runs } = this.#options;
    const { signal } = this.#abort;
    const isFirst = runs.serverId === '';
    const since = isFirst ? undefined : { revision: runs.revision, serverId: runs.serverId };
    // At once, not one after the other: this is what the first chart waits for.
    const [table, tags] = await Promise.all([
      client.runs(since, signal),
      areTagsNeeded ? client.tags(signal) : null,
      isFirst ? this.#refreshEnvironment() : null,
    ]);
    const isOtherServer = !isFirst && table.server_id !== runs.serverId;
    // Before the runs are taken in: their new numbers and the tags' old ones would name wrong runs.
    const fitting =
      tags?.server_id === table.server_id ? tags : isOtherServer || tags ? await client.tags(signal) : null;
    this.#applyRuns(table, isTold || isFirst);
    if (fitting) {
      this.#options.tags.apply(fitting);
      this.#options.onSeriesChanged?.(isOtherServer);
    }
    if (this.#environmentServerId !== runs.serverId) await this.#refreshEnvironment();
  }

  #applyRuns(table: RunTable, isTold: boolean): void {
    const { runs, scalars } = this.#options;
    const { changed, renumbered } = runs.apply(table);
    this.#options.onProgress(table.progress);
    if (renumbered) scalars.renumber(renumbered);
    else if (!isTold && changed.length > 0) scalars.change({ runs: changed, tags: null });
    if (changed.length > 0 || renumbered) this.#options.onRunsChanged(renumbered !== null);
  }

  async #refreshEnvironment(): Promise<void> {
    const environment = await this.#options.client.environment(this.#abort.signal);
    this.#environmentServerId = environment.server_id;
    this.#options.onEnvironment(environment);
  }

  #planPoll(): void {
    clearTimeout(this.#pollTimer);
    if (this.#isPaused) return;
    const isLive = this.#streamState === 'live';
    this.#pollTimer = setTimeout(() => void this.#poll(), isLive ? SAFETY_POLL_MS : POLL_MS);
  }

  async #poll(): Promise<void> {
    const { runs } = this.#options;
    const wasLive = this.#streamState === 'live';
    this.#options.onPoll?.();
    if (!this.#options.isFollowing() && runs.serverId !== '') {
      if (!wasLive) await this.#ask();
      if (!this.#abort.signal.aborted) this.#planPoll();
      return;
    }
    const before = runs.revision;
    this.#areTagsNeeded = true;
    await this.refresh({ isTold: false });
    if (this.#abort.signal.aborted) return;
    // Half a minute without an event, and yet there is news: a connection that only looks alive.
    if (wasLive && this.#streamState === 'live' && runs.revision > before) this.#options.onDeadStream();
    this.#planPoll();
  }
}
