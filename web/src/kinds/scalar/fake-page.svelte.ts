// A page for tests of this dashboard: real view, commands and settings, made-up runs and tags, and a loader that answers
// when the test says so.
import type { Wish } from '../../state/feeds/wanted-line';
import { CommandRegistry } from '../../state/commands.svelte';
import { defaultView } from '../../state/settings/view';
import { liveView, type LiveView } from '../../state/live-view.svelte';
import type { GroupSeries } from '../../state/feeds/group-lines';
import type { Page } from '../../state/page.svelte';
import type { CardData, CardRequest, LineData, Run, RunGroup, Tag } from '../../state/types';
import type { NewEdit } from '../../state/workspace.svelte';
import type { Annotation, StatisticsAnswer, StatisticsRequest } from '../../wire/client';
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
  highlightedGroup = $state<string | null>(null);
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
  readonly serverId = 'fake';
  setSelected(ids: Iterable<number>, isOn: boolean): void {
    const selected = new Set(this.selectedIds);
    for (const id of ids)
      if (isOn) selected.add(id);
      else selected.delete(id);
    this.selectedIds = selected;
  }
  /** Set by tests of groups. */
  groups = $state.raw<readonly RunGroup[]>([]);
  groupingError: string | null = null;
  visibleGroups = $derived(
    this.groups
      .map((group) => ({ group, runs: group.runs.filter((id) => this.visibleIds.includes(id)) }))
      .filter(({ runs }) => runs.length > 0),
  );
  ungroupedVisibleIds = $derived(this.visibleIds.filter((id) => this.groupOf(id) === undefined));
  groupOf = (id: number) => this.groups.find(({ runs }) => runs.includes(id));
  groupColor = (key: string) => `color of ${key}`;
  idOf = (name: string) => this.all.find((run) => run.name === name)?.id;
  color = (id: number) => `hsl(${(id * 67) % 360} 70% 40%)`;
  dash = () => null;
  has = (id: number) => this.byId.has(id);
  shortName = (id: number) => this.byId.get(id)?.name ?? '';
  displayName = this.shortName;
  /** Set by tests of archived runs. */
  archived: readonly number[] = [];
  isArchived = (id: number) => this.archived.includes(id);
}

interface Subscription {
  request: () => CardRequest | null;
  onData: (data: CardData) => void;
}

export class FakeLoader {
  readonly subscriptions = new Set<Subscription>();
  readonly groupSubscriptions = new Set<GroupSubscription>();
  retries = 0;

  subscribe(request: () => CardRequest | null, onData: (data: CardData) => void): () => void {
    const subscription = { request, onData };
    this.subscriptions.add(subscription);
    return () => this.subscriptions.delete(subscription);
  }

  follow(
    _kind: object,
    wishOf: () => Wish | null,
    onData: (data: LineData<GroupSeries>) => void,
  ): () => void {
    const subscription = { wishOf, onData };
    this.groupSubscriptions.add(subscription);
    return () => this.groupSubscriptions.delete(subscription);
  }

  shapeOf(): object {
    return {};
  }

  /** The groups that cards with this tag ask for now, by their members. */
  groupsAskedFor(tag: string): (readonly number[])[][] {
    const wishes = [...this.groupSubscriptions].flatMap(({ wishOf }) => wishOf() ?? []);
    return wishes
      .filter(({ subject }) => subject.tag === tag)
      .map(({ members }) => [...(members?.values() ?? [])]);
  }

  answerGroups(tag: string, series: readonly GroupSeries[], more: Partial<LineData<GroupSeries>> = {}): void {
    for (const { wishOf, onData } of [...this.groupSubscriptions]) {
      if (wishOf()?.subject.tag !== tag) continue;
      onData({
        series,
        xKey: 'step',
        notes: [],
        isStale: false,
        isPartial: false,
        isFirstLoad: false,
        error: null,
        retry: () => {},
        ...more,
      });
    }
  }

  /** What the cards that are near ask for now. */
  get requests(): CardRequest[] {
    return [...this.subscriptions].map(({ request }) => request()).filter((request) => request !== null);
  }

  answer(subject: string, series: readonly DecodedSeries[], more: Partial<CardData> = {}): void {
    for (const { request, onData } of [...this.subscriptions]) {
      const source = request()?.source;
      if (source?.tag !== subject && source?.formula !== subject) continue;
      onData({
        series,
        xKey: 'step',
        notes: [],
        isStale: false,
        isPartial: false,
        isFirstLoad: false,
        error: null,
        retry: () => (this.retries += 1),
        ...more,
      });
    }
  }
}

/** Lines of groups are followed through the loader; see group-lines.ts. */
interface GroupSubscription {
  wishOf: () => Wish | null;
  onData: (data: LineData<GroupSeries>) => void;
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

/** What people added, as far as charts show it. */
class FakeWorkspace {
  state = null;
  annotations = $state.raw<readonly Annotation[]>([]);
  readonly applied: NewEdit[] = [];
  /** Why the next edits are refused; '' when they are not. */
  refusal = '';

  apply = (edits: readonly NewEdit[]): Promise<readonly { is_applied: boolean; error: string }[]> => {
    this.applied.push(...edits);
    for (const { kind, annotation, text } of this.refusal === '' ? edits : []) {
      const others = this.annotations.filter(({ id }) => id !== annotation?.id && id !== text);
      this.annotations = kind === 'annotate' && annotation ? [...others, annotation] : others;
    }
    return Promise.resolve(edits.map(() => ({ is_applied: this.refusal === '', error: this.refusal })));
  };
}

/** Answers with what the test has put there, by tag. */
class FakeStatistics {
  readonly requests: StatisticsRequest[] = [];
  readonly values = new Map<string, NonNullable<StatisticsAnswer['queries'][number]['at']>>();

  ask(request: StatisticsRequest): Promise<StatisticsAnswer> {
    this.requests.push(request);
    const queries = request.queries.map(({ tag = '' }, query) => ({
      query,
      statistics: {} as StatisticsAnswer['queries'][number]['statistics'],
      at: this.values.get(tag) ?? null,
    }));
    return Promise.resolve({ server_id: 'fake', revision: 1, queries, notes: [] });
  }
}

class FakeVoice {
  announcements = $state.raw<readonly { id: number; text: string }[]>([]);
}

export function fakePage(tags: readonly Tag[], runs: readonly Run[]) {
  const view = liveView(defaultView());
  const voice = new FakeVoice();
  const statistics = new FakeStatistics();
  const parts = {
    view,
    runs: new FakeRuns(runs),
    tags: new FakeTags(view, tags),
    lines: new FakeLoader(),
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
    workspace: new FakeWorkspace(),
    statistics,
    client: {
      exportScalars: () => Promise.resolve(new Blob(['step,value\n'])),
      statistics: (request: StatisticsRequest) => statistics.ask(request),
    },
  };
  // Only what this dashboard uses is there.
  return { page: parts as unknown as Page, ...parts };
}
