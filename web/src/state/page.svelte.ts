// Everything the page knows, in one object that components get by context: `const page = getPage()`.
//
// The server's side of it is the run table, the tags and the scalar data; the user's side is the view (in the URL) and
// the settings (in this browser). Live events only say what changed; sync.ts asks for it. Nothing here knows components.
import { createContext, untrack } from 'svelte';
import type { ApiError, Client, DamageReport, Environment, ReadProgress } from '../wire/client';
import type { StreamMessage } from '../wire/event-stream';
import { BrowserStorage } from './browser-storage';
import { drawnRuns, lineX, queryShape } from './feeds/line-query';
import { CommandRegistry } from './commands.svelte';
import { Feed } from './feeds/feed';
import { LastValues } from './feeds/last-values.svelte';
import { LiveEvents, type LiveOptions } from './live';
import { liveView, type LiveView } from './live-view.svelte';
import type { Theme } from './palettes';
import { RunStore } from './runs.svelte';
import { LineFeed } from './feeds/line-feed.svelte';
import { LiveSettings } from './settings.svelte';
import { Sync } from './feeds/sync';
import { TagStore } from './tags.svelte';
import type { CardRequest, DataChange, LineSource, Settings, ViewState } from './types';
import { initialView, UrlSync } from './url-sync.svelte';
import { LiveWorkspace } from './workspace.svelte';

export type Connection = 'connecting' | 'live' | 'lost';

/** One line for the user; shown for a while and read aloud politely. */
export interface Announcement {
  readonly id: number;
  readonly text: string;
  /** One thing to do about it: undo it. */
  readonly action?: AnnouncementAction | undefined;
  readonly topic?: string | undefined;
}

export interface AnnouncementAction {
  readonly label: string;
  run(): void;
}

const ANNOUNCED_FOR_MS = 6000;

export interface PageOptions {
  readonly storage?: BrowserStorage;
  /** Names that URLs may name; without them any is taken. */
  readonly dashboards?: readonly string[];
  /** Whether a word of a kind says what is looked at, which Back restores. */
  readonly isLookedAt?: (word: string) => boolean;
  /** Replaced by tests. */
  readonly makeLive?: (options: LiveOptions) => Pick<LiveEvents, keyof LiveEvents>;
}

export class Page {
  readonly client: Client;
  readonly runs: RunStore;
  readonly tags: TagStore;
  readonly lines: LineFeed;
  readonly workspace: LiveWorkspace;
  readonly commands = new CommandRegistry();
  /** Called when runs grew (tags null: any of theirs); with null when the server was started anew and all numbers are other ones. */
  readonly dataListeners = new Set<(change: DataChange | null) => void>();
  readonly #view: LiveView;
  readonly #settings: LiveSettings;
  readonly #lastValues: LastValues;
  /** From the first look at it on it is kept fresh. */
  readonly #damageFeed: Feed<'damage', DamageReport>;
  readonly #sync: Sync;
  readonly #live: Pick<LiveEvents, keyof LiveEvents>;
  readonly #url: UrlSync;
  readonly #endings: (() => void)[] = [];

  /** What is drawn now; set by the shell from settings.theme and the system. */
  theme = $state<Theme>('light');
  #environment = $state.raw<Environment | null>(null);
  #progress = $state.raw<ReadProgress | null>(null);
  #lastUpdateS = $state<number | null>(null);
  #damage = $state.raw<DamageReport | null>(null);
  #error = $state<string | null>(null);
  #isTokenMissing = $state(false);
  #isReloading = $state(false);
  /** Whether the server answered the last time; null: not asked yet. */
  #isAnswering = $state<boolean | null>(null);
  #announcements = $state.raw<readonly Announcement[]>([]);
  #lastAnnouncement = 0;

  constructor(client: Client, options: PageOptions = {}) {
    this.client = client;
    const storage = options.storage ?? new BrowserStorage();
    const announce: Page['announce'] = (...said) => {
      this.announce(...said);
    };
    const { dashboards, isLookedAt } = options;
    const url = { window, storage, announce, dashboards, isLookedAt };
    const initial = initialView(url);
    this.#view = liveView(initial.view);
    this.#settings = new LiveSettings(storage, initial.theme);
    this.#url = new UrlSync(this.#view, url);
    const serverId = (): string => this.runs.serverId;
    this.#lastValues = new LastValues({ client, view: this.#view, serverId });
    this.#damageFeed = new Feed({
      ask: async (_all, signal) => ({ values: new Map([['damage', await client.damage(signal)]]) }),
      take: (_all, damage) => (this.#damage = damage!),
    });
    this.workspace = new LiveWorkspace({ client, announce });
    this.runs = this.#makeRuns(storage, serverId);
    this.tags = new TagStore(this.#view);
    this.lines = new LineFeed({
      client,
      serverId,
      runsOf: (source) => this.#runsOf(source),
      shapeOf: (request) => this.#shapeOf(request),
      onOtherServer: () => void this.#sync.refresh({ isTold: false, areTagsNeeded: true }),
    });
    this.#sync = this.#makeSync();
    const makeLive = options.makeLive ?? ((liveOptions: LiveOptions) => new LiveEvents(liveOptions));
    this.#live = makeLive({
      url: client.eventsUrl,
      onMessage: (message) => {
        this.#receive(message);
      },
    });
    this.#sync.start();
    // After the questions that the first chart waits for, beside their answers: names should not change under the eye.
    void this.workspace.refresh();
    this.#watchBrowser();
    this.#watchState();
  }

  #makeRuns(storage: BrowserStorage, serverId: () => string): RunStore {
    const { client } = this;
    return new RunStore({
      view: this.#view,
      storage,
      theme: () => this.theme,
      lastValue: (tag, id) => this.#lastValues.get(tag, id),
      workspace: this.workspace,
      loadFields: async () => {
        const { RunFieldStore } = await import('./feeds/run-fields.svelte');
        return new RunFieldStore({ client, serverId });
      },
      loadQueries: async (onResult) => {
        const { QueryFilter } = await import('./run-query-filter.svelte');
        const tagNames = (): string[] => this.tags.ofKind('scalar').map(({ tag }) => tag);
        const { runs } = this;
        return new QueryFilter({ view: this.#view, runs, lastValues: this.#lastValues, tagNames, onResult });
      },
    });
  }

  #makeSync(): Sync {
    const { client } = this;
    return new Sync({
      client,
      runs: this.runs,
      tags: this.tags,
      lines: {
        change: (change) => {
          this.lines.change(change);
          for (const hear of this.dataListeners) hear(change);
        },
        renumber: (numbers) => {
          this.lines.renumber(numbers);
          for (const hear of this.dataListeners) hear(null);
        },
        retry: () => {
          this.lines.retry();
        },
      },
      isFollowing: () => this.#settings.isLive,
      onEnvironment: (environment) => {
        this.#environment = environment;
      },
      onProgress: (progress) => {
        this.#progress = progress;
      },
      onAnswer: (error) => {
        this.#hear(error);
      },
      onStreamState: (state) => {
        if (state === 'live') this.#isAnswering = true;
      },
      onRunsChanged: (isRenumbered) => {
        if (isRenumbered) this.#lastValues.clear();
        else this.#lastValues.outdate();
      },
      onSeriesChanged: (isRenumbered) => {
        this.runs.outdateFields(isRenumbered);
      },
      onPoll: () => void this.workspace.refresh(),
      onDeadStream: () => {
        this.#live.reopen();
      },
    });
  }

  /** null until the server has answered for the first time. */
  get environment(): Environment | null {
    return this.#environment;
  }

  get connection(): Connection {
    return this.#isAnswering === null ? 'connecting' : this.#isAnswering ? 'live' : 'lost';
  }

  /** How much of the log has been read; null until the server has answered. */
  get progress(): ReadProgress | null {
    return this.#progress;
  }

  /** When something was last heard from the server, wall time in seconds; null: never. */
  get lastUpdateS(): number | null {
    return this.#lastUpdateS;
  }

  /** Asked for by the first look at it, and again when there is more damage; null until it is there. */
  get damage(): DamageReport | null {
    this.#wantDamage();
    return this.#damage;
  }

  /** What the server answers instead of data, for people; null when all is well. */
  get error(): string | null {
    return this.#error;
  }

  /** The server wants a token that this browser does not have. */
  get isTokenMissing(): boolean {
    return this.#isTokenMissing;
  }

  /** True from the reload button until everything is there. */
  get isReloading(): boolean {
    return this.#isReloading;
  }

  get view(): ViewState {
    return this.#view;
  }

  get settings(): Settings {
    return this.#settings;
  }

  /** Which saved view is shown, and the way to another. */
  get address(): UrlSync {
    return this.#url;
  }

  /** Newest last; they go by themselves. */
  get announcements(): readonly Announcement[] {
    return this.#announcements;
  }

  /** What is said about a topic takes the place of what was said about it before; without one it stands for itself. */
  announce(text: string, action?: AnnouncementAction, topic = text): void {
    const id = ++this.#lastAnnouncement;
    const others = untrack(() => this.#announcements).filter((one) => one.topic !== topic);
    this.#announcements = [...others, { id, text, action, topic }];
    setTimeout(() => {
      this.dismiss(id);
    }, ANNOUNCED_FOR_MS);
  }

  dismiss(id: number): void {
    this.#announcements = this.#announcements.filter((announcement) => announcement.id !== id);
  }

  /** Lets the server look at all files now, then shows what is new. */
  async reload(): Promise<void> {
    if (this.#isReloading) return;
    this.#isReloading = true;
    try {
      await this.client.reload();
      await this.#sync.refresh({ isTold: false, areTagsNeeded: true });
      void this.workspace.refresh();
      if (this.#damageFeed.isWanted('damage')) await this.refreshDamage();
      this.lines.retry();
    } catch (error) {
      this.announce(error instanceof Error ? error.message : String(error));
    } finally {
      this.#isReloading = false;
    }
  }

  /** Never rejects: whether the server can be reached is shown elsewhere, and it is asked again. */
  refreshDamage(): Promise<void> {
    this.#wantDamage();
    return this.#damageFeed.refresh('damage');
  }

  #wantDamage(): void {
    if (!this.#damageFeed.isWanted('damage')) this.#damageFeed.want(['damage']);
  }

  /** A full link to what is shown. */
  link(): string {
    return this.#url.link;
  }

  /** Ends streams, timers and listeners. */
  destroy(): void {
    for (const end of this.#endings) end();
    this.#live.destroy();
    this.#sync.destroy();
    this.lines.destroy();
    this.#lastValues.destroy();
    this.#damageFeed.destroy();
    this.#url.destroy();
    this.runs.destroy();
    this.workspace.destroy();
    this.tags.destroy();
    this.#settings.destroy();
  }

  /** Of a formula: all that are drawn, as only the server knows which of them have its tags. */
  #runsOf({ tag, formula }: LineSource): readonly number[] {
    const drawn = drawnRuns(this.runs, this.#view.grouping);
    if (formula !== '') return drawn;
    const known = this.tags.find('scalar', tag);
    return known ? drawn.filter((id) => known.hasRun(id)) : [];
  }

  #shapeOf({ source, widthPx, xRange }: CardRequest): ReturnType<typeof queryShape> {
    const { xScale, showSuperseded } = this.#view;
    const x = lineX(source.x, this.#view);
    const compared = source.baseline ?? this.#view.baseline;
    const run = compared ? this.runs.idOf(compared.run) : undefined;
    const baseline = compared && run !== undefined ? { run, mode: compared.mode } : null;
    // Of a computed line only the points that count are known.
    const isPlain =
      source.formula === '' && baseline === null && ['step', 'relative', 'wall'].includes(x.axis);
    return queryShape({
      widthPx,
      xRange,
      x,
      xScale,
      baseline,
      smoothing: source.smoothing ?? this.#view.smoothing,
      showSuperseded: showSuperseded && isPlain,
    });
  }

  #receive(message: StreamMessage): void {
    if (message.type !== 'state') this.#lastUpdateS = Date.now() / 1000;
    if (message.type === 'workspace') this.workspace.hear(message.data.version);
    else if (message.type === 'hello') this.workspace.reconnect();
    this.#sync.handle(message);
  }

  #hear(error: ApiError | null): void {
    this.#isAnswering = !(error?.isConnectionLost ?? false);
    this.#isTokenMissing = error?.isTokenMissing ?? false;
    // A lost connection has its own place on the page.
    this.#error = error === null || error.isConnectionLost ? null : error.message;
    if (error === null) this.#lastUpdateS = Date.now() / 1000;
  }

  #watchBrowser(): void {
    const onVisibility = (): void => {
      if (document.visibilityState === 'hidden') {
        this.#sync.pause();
        this.#live.pause();
      } else {
        this.#live.resume();
        this.#sync.resume();
      }
    };
    const onHide = (): void => {
      this.#live.leave();
    };
    const onShow = (event: PageTransitionEvent): void => {
      if (event.persisted) this.#live.resume();
    };
    document.addEventListener('visibilitychange', onVisibility);
    window.addEventListener('pagehide', onHide);
    window.addEventListener('pageshow', onShow);
    this.#endings.push(() => {
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('pagehide', onHide);
      window.removeEventListener('pageshow', onShow);
    });
    // Opened in the background: wait until someone looks, but be ready then.
    if (document.visibilityState === 'hidden') onVisibility();
  }

  #watchState(): void {
    let wasLive = this.#settings.isLive;
    let damageState = '';
    this.#endings.push(
      $effect.root(() => {
        $effect(() => {
          const before = damageState;
          damageState = `${this.runs.damageCount} ${this.#progress?.is_done} ${this.#environment?.server_id}`;
          if (before !== damageState) this.#damageFeed.renew('damage');
        });
        $effect(() => {
          const { isLive } = this.#settings;
          if (isLive && !wasLive) void this.#sync.refresh({ isTold: false, areTagsNeeded: true });
          wasLive = isLive;
        });
      }),
    );
  }
}

export const [getPage, setPage] = createContext<Page>();

export function createPage(client: Client, options: PageOptions = {}): Page {
  return new Page(client, options);
}
