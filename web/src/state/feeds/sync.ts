// Keeps the run table, the tags and the lines equal to the server's. Events only say that something changed; this
// asks for it, once at a time, and once more if something changed meanwhile. Where the events do not get through (some
// proxies hold them back) it asks every few seconds, and with events every half minute to be safe.
import { ApiError, type Client, type Environment } from '../../wire/client';
import type { ReadProgress, RunTable, TagTable } from '../../wire/client';
import type { StreamMessage, StreamState } from '../../wire/event-stream';
import { Feed } from './feed';
import type { RunStore } from '../runs.svelte';
import type { LineFeed } from './line-feed.svelte';
import type { TagStore } from '../tags.svelte';

export const POLL_MS = 5000;
export const SAFETY_POLL_MS = 30_000;

export interface SyncOptions {
  readonly client: Pick<Client, 'environment' | 'runs' | 'tags'>;
  readonly runs: RunStore;
  readonly tags: TagStore;
  readonly lines: Pick<LineFeed, 'change' | 'renumber' | 'retry'>;
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

/** What the next question is about. */
interface Wanted {
  /** The run table, also of those who want no news. */
  readonly isTable: boolean;
  readonly areTags: boolean;
  /** Events have told the line feed about everything that the table will name as changed. */
  readonly isTold: boolean;
}

const NOTHING: Wanted = { isTable: false, areTags: false, isTold: true };

interface News {
  readonly table: RunTable | null;
  readonly tags: TagTable | null;
  readonly environment: Environment | null;
  readonly isTold: boolean;
}

export class Sync {
  readonly #options: SyncOptions;
  readonly #feed: Feed<'news', News>;
  #streamState: StreamState = 'connecting';
  #pollTimer: ReturnType<typeof setTimeout> | undefined;
  #isPaused = false;
  #environmentServerId = '';
  #wanted: Wanted = { ...NOTHING, areTags: true };

  constructor(options: SyncOptions) {
    this.#options = options;
    this.#feed = new Feed({
      // The title of a tab that was opened in the background says which log it is.
      isUrgent: () => options.runs.serverId === '',
      ask: async (_all, signal) => ({ values: new Map([['news', await this.#ask(signal)]]) }),
      take: (_all, news) => this.#take(news!),
      fail: (_all, error) => options.onAnswer(apiError(error)),
      // Whether a lost server is back is asked by every poll.
      onError: (error) => {
        const { isConnectionLost, isTokenMissing } = apiError(error);
        return isConnectionLost || isTokenMissing ? 'never' : 'later';
      },
    });
    this.#feed.want(['news']);
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
        if (message.state === 'lost') void this.#refresh({});
        return;
      case 'progress':
        this.#options.onProgress(message.data);
        return;
      case 'hello': {
        const { runs } = this.#options;
        const isRestarted = message.data.server_id !== runs.serverId;
        const isBehind = message.data.revision > runs.revision && this.#options.isFollowing();
        if (isRestarted || isBehind) void this.refresh({ isTold: false, areTagsNeeded: true });
        this.#options.lines.retry();
        return;
      }
      case 'change': {
        if (!this.#options.isFollowing()) return;
        const { runs, reset, removed, tags, has_new_series } = message.data;
        // A run whose file was replaced may have lost any of its tags.
        this.#options.lines.change({ runs, tags: reset.length > 0 ? null : tags });
        void this.refresh({ isTold: true, areTagsNeeded: has_new_series || removed.length > 0 });
        this.#planPoll();
      }
    }
  }

  /** Out of sight: nothing is asked until resume. */
  pause(): void {
    this.#isPaused = true;
    clearTimeout(this.#pollTimer);
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    void this.#refresh({ areTags: true, isTold: false });
    this.#planPoll();
  }

  destroy(): void {
    this.pause();
    this.#feed.destroy();
  }

  /** Resolves when everything that was known at the time of the call is there. Never rejects. */
  refresh({ isTold, areTagsNeeded = false }: { isTold: boolean; areTagsNeeded?: boolean }): Promise<void> {
    return this.#refresh({ isTable: true, areTags: areTagsNeeded, isTold });
  }

  /** Without a table: news if the user wants them; else only whether the server is there, and still the same. */
  #refresh(wanted: Partial<Wanted>): Promise<void> {
    this.#wanted = both(this.#wanted, { ...NOTHING, ...wanted });
    return this.#feed.refresh('news');
  }

  async #ask(signal: AbortSignal): Promise<News> {
    const { runs, isFollowing } = this.#options;
    const asked = this.#wanted;
    if (!asked.isTable && !isFollowing() && runs.serverId !== '') {
      const environment = await this.#options.client.environment(signal);
      return { table: null, tags: null, environment, isTold: true };
    }
    this.#wanted = NOTHING;
    try {
      return await this.#askForTables(asked, signal);
    } catch (error) {
      this.#wanted = both(this.#wanted, { ...asked, isTable: true });
      throw error;
    }
  }

  async #askForTables({ areTags, isTold }: Wanted, signal: AbortSignal): Promise<News> {
    const { client, runs } = this.#options;
    const isFirst = runs.serverId === '';
    const since = isFirst ? undefined : { revision: runs.revision, serverId: runs.serverId };
    // At once, not one after the other: this is what the first chart waits for.
    const [table, tags, environment] = await Promise.all([
      client.runs(since, signal),
      areTags ? client.tags(signal) : null,
      isFirst ? client.environment(signal) : null,
    ]);
    const isOtherServer = !isFirst && table.server_id !== runs.serverId;
    // Before the runs are taken in: their new numbers and the tags' old ones would name wrong runs.
    const fitting =
      tags?.server_id === table.server_id ? tags : isOtherServer || tags ? await client.tags(signal) : null;
    const known = environment?.server_id ?? this.#environmentServerId;
    return {
      table,
      tags: fitting,
      environment: known === table.server_id ? environment : await client.environment(signal),
      isTold: isTold || isFirst,
    };
  }

  #take({ table, tags, environment, isTold }: News): void {
    const { runs, onEnvironment, onAnswer } = this.#options;
    const isOtherServer = runs.serverId !== '' && table !== null && table.server_id !== runs.serverId;
    if (environment !== null) {
      this.#environmentServerId = environment.server_id;
      onEnvironment(environment);
    }
    if (table !== null) this.#applyRuns(table, isTold);
    if (tags !== null) {
      this.#options.tags.apply(tags);
      this.#options.onSeriesChanged?.(isOtherServer);
    }
    onAnswer(null);
    if (this.#environmentServerId !== runs.serverId)
      void this.refresh({ isTold: false, areTagsNeeded: true });
  }

  #applyRuns(table: RunTable, isTold: boolean): void {
    const { runs, lines } = this.#options;
    const { changed, renumbered } = runs.apply(table);
    this.#options.onProgress(table.progress);
    if (renumbered) lines.renumber(renumbered);
    else if (!isTold && changed.length > 0) lines.change({ runs: changed, tags: null });
    if (changed.length > 0 || renumbered) this.#options.onRunsChanged(renumbered !== null);
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
      if (!wasLive) await this.#refresh({});
      this.#planPoll();
      return;
    }
    const before = runs.revision;
    await this.refresh({ isTold: false, areTagsNeeded: true });
    // Half a minute without an event, and yet there is news: a connection that only looks alive.
    if (wasLive && this.#streamState === 'live' && runs.revision > before) this.#options.onDeadStream();
    this.#planPoll();
  }
}

function both(one: Wanted, other: Wanted): Wanted {
  return {
    isTable: one.isTable || other.isTable,
    areTags: one.areTags || other.areTags,
    isTold: one.isTold && other.isTold,
  };
}

function apiError(error: Error): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, String(error));
}
