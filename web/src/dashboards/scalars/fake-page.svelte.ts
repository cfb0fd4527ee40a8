// A page for tests of this dashboard: real view, commands and settings, made-up runs and tags, and a loader that answers
// when the test says so.
import { CommandRegistry } from '../../state/commands.svelte';
import { defaultView } from '../../state/default-view';
import { LiveView } from '../../state/live-view.svelte';
import type { Page } from '../../state/page.svelte';
import type { CardData, CardRequest, Run, Tag } from '../../state/types';
import type { DecodedSeries } from './card-series';

export function fakeRun(id: number, name = `run${id}`): Run {
  return {
    id,
    name,
    status: 'finished',
    isStatusKnown: true,
    startedS: 1000 + id,
    lastSeenS: 2000,
    lastStep: 100,
    points: 100,
    sizeBytes: 1000,
    readFraction: 1,
    damageCount: 0,
  };
}

export function fakeTag(tag: string, runs: readonly number[], description = ''): Tag {
  return {
    tag,
    kind: 'scalar',
    displayName: tag,
    description,
    hasRun: (id) => runs.includes(id),
    runCount: runs.length,
  };
}

class FakeRuns {
  all = $state.raw<readonly Run[]>([]);
  selectedIds = $state.raw<ReadonlySet<number>>(new Set());
  highlighted = $state<number | null>(null);
  /** What the run filter lets through. */
  isMatching = $state.raw<(run: Run) => boolean>(() => true);
  byId = $derived(new Map(this.all.map((run) => [run.id, run])));
  shown = $derived(this.all.filter((run) => this.isMatching(run)));
  visible = $derived(this.shown.filter((run) => this.selectedIds.has(run.id)));
  visibleIds = $derived(this.visible.map((run) => run.id));

  constructor(runs: readonly Run[]) {
    this.all = runs;
    this.selectedIds = new Set(runs.map((run) => run.id));
  }
  selectAll(): void {
    this.selectedIds = new Set(this.all.map((run) => run.id));
  }
  color = (id: number) => `hsl(${(id * 67) % 360} 70% 40%)`;
  dash = () => null;
  has = (id: number) => this.byId.has(id);
  shortName = (id: number) => this.byId.get(id)?.name ?? '';
}

interface Subscription {
  request: () => CardRequest | null;
  onData: (data: CardData) => void;
}

export class FakeLoader {
  readonly subscriptions = new Set<Subscription>();
  retries = 0;

  subscribe(request: () => CardRequest | null, onData: (data: CardData) => void): () => void {
    const subscription = { request, onData };
    this.subscriptions.add(subscription);
    return () => this.subscriptions.delete(subscription);
  }

  /** What the cards that are near ask for now. */
  get requests(): CardRequest[] {
    return [...this.subscriptions].map(({ request }) => request()).filter((request) => request !== null);
  }

  answer(tag: string, series: readonly DecodedSeries[], more: Partial<CardData> = {}): void {
    for (const { request, onData } of [...this.subscriptions]) {
      if (request()?.tag !== tag) continue;
      onData({
        tag,
        series,
        isStale: false,
        isFirstLoad: false,
        error: null,
        retry: () => (this.retries += 1),
        ...more,
      });
    }
  }
}

class FakeTags {
  all = $state.raw<readonly Tag[]>([]);
  isLoaded = $state(true);
  filterError = $state<string | null>(null);
  readonly #view: LiveView;

  constructor(view: LiveView, tags: readonly Tag[]) {
    this.#view = view;
    this.all = tags;
  }
  ofKind = (kind: string) => this.all.filter((tag) => tag.kind === kind);
  shown = (kind: string) => this.ofKind(kind).filter(({ tag }) => tag.includes(this.#view.tagFilter));
  find = (kind: string, name: string) => this.ofKind(kind).find(({ tag }) => tag === name);
}

class FakeSettings {
  isSettingsPaneOpen = $state(false);
}

class FakeVoice {
  announcements = $state.raw<readonly { id: number; text: string }[]>([]);
}

export function fakePage(tags: readonly Tag[], runs: readonly Run[]) {
  const view = new LiveView(defaultView());
  const voice = new FakeVoice();
  const parts = {
    view,
    runs: new FakeRuns(runs),
    tags: new FakeTags(view, tags),
    scalars: new FakeLoader(),
    settings: new FakeSettings(),
    commands: new CommandRegistry(),
    announced: [] as string[],
    announce: (text: string) => {
      parts.announced.push(text);
      voice.announcements = [...voice.announcements, { id: parts.announced.length, text }];
    },
    get announcements() {
      return voice.announcements;
    },
    link: () => 'http://localhost/#scalars',
    client: { exportScalars: () => Promise.resolve(new Blob(['step,value\n'])) },
  };
  // Only what this dashboard uses is there.
  return { page: parts as unknown as Page, ...parts };
}
