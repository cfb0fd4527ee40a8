// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError, Client, type RunTable, type TagTable } from '../wire/client';
import type { StreamMessage } from '../wire/event-stream';
import { FakeWorkspaceServer } from './fake-workspace.fixture';
import { createPage, type Page, type PageOptions } from './page.svelte';
import { FIRST_RETRY_MS } from './feeds/feed';
import { POLL_MS, SAFETY_POLL_MS } from './feeds/sync';
import {
  lineSource,
  changeEvent,
  emptyStorage,
  environment,
  frameFor,
  runTable,
  tagTable,
  type RunFixture,
} from './testing.fixture';
import type { CardData } from './types';

/** A server in memory: what it has can be changed, and it can be stopped. */
class ScriptedServer extends Client {
  serverId = 'server-1';
  revision = 1;
  allRuns: RunFixture[] = [
    { id: 0, name: 'a', startedS: 1 },
    { id: 1, name: 'b', startedS: 2 },
  ];
  tagRuns: Record<string, number[]> = { loss: [0, 1] };
  /** Runs that grew, and when. */
  grown = new Map<number, number>();
  failure: ApiError | null = null;
  readonly asked: string[] = [];

  #answer<T>(question: string, answer: () => T): Promise<T> {
    this.asked.push(question);
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(answer());
  }

  grow(...ids: number[]): void {
    this.revision++;
    for (const id of ids) this.grown.set(id, this.revision);
  }

  override environment = (): ReturnType<Client['environment']> =>
    this.#answer('environment', () => environment(this.serverId));

  override runs = (since?: { revision: number; serverId: string }): Promise<RunTable> =>
    this.#answer(since ? `runs since ${since.revision}` : 'runs', () => {
      const isComplete = since?.serverId !== this.serverId;
      const listed = this.allRuns.filter(
        ({ id }) => isComplete || (this.grown.get(id) ?? 0) > since.revision,
      );
      return runTable(listed, { serverId: this.serverId, revision: this.revision, isComplete });
    });

  override tags = (): Promise<TagTable> => this.#answer('tags', () => tagTable(this.tagRuns, this.serverId));

  override scalars: Client['scalars'] = (request) =>
    this.#answer(
      `scalars ${request.queries.map(({ tag, runs }) => `${tag} ${runs.join()}`).join('; ')}`,
      () => ({
        ...frameFor(request, () => this.revision),
        serverId: this.serverId,
      }),
    );

  override lastValues: Client['lastValues'] = (tags) =>
    this.#answer(`last ${tags.join()}`, () => ({
      server_id: this.serverId,
      revision: this.revision,
      tags: [{ tag: 'loss', run: [0, 1], step: [1, 1], value: [0.5, 'NaN'] }],
    }));

  override damage: Client['damage'] = () =>
    this.#answer('damage', () => ({ damage: [], damage_count: 0, warnings: ['careful'] }));

  override reload = (): Promise<void> => this.#answer('reload', () => undefined);

  /** Not among `asked`: nothing that is shown waits for it. */
  readonly people = new FakeWorkspaceServer();
  override workspace: Client['workspace'] = () => this.people.workspace();

  fieldsAsked = 0;
  override fields: Client['fields'] = () => {
    this.fieldsAsked++;
    const lr = { name: 'lr', kind: 'number' as const, run: [0], value: [0.1] };
    return Promise.resolve({ server_id: this.serverId, revision: this.revision, fields: [lr] });
  };
}

let server: ScriptedServer;
let page: Page;
let say: (message: StreamMessage) => void;
const live = { pause: vi.fn(), resume: vi.fn(), reopen: vi.fn(), leave: vi.fn(), destroy: vi.fn() };

async function settle(ms = 0): Promise<void> {
  for (let i = 0; i < 4; i++) {
    flushSync();
    // A timer of 0 ms that is set by another fires a fake millisecond later.
    await vi.advanceTimersByTimeAsync(i === 0 ? ms : 1);
  }
  flushSync();
}

async function open(hash = '', options: PageOptions = {}): Promise<void> {
  window.location.hash = hash;
  page = createPage(server, {
    ...options,
    storage: emptyStorage().storage,
    makeLive: (options) => {
      say = options.onMessage;
      return live;
    },
  });
  await settle();
}

function hello(): void {
  say({ type: 'state', state: 'live' });
  say({ type: 'hello', data: { server_id: server.serverId, revision: server.revision } });
}

function setVisibility(state: 'hidden' | 'visible'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
}

function subscribe(): CardData[] {
  const all: CardData[] = [];
  page.lines.subscribe(
    () => ({ source: lineSource('loss'), widthPx: 300, xRange: null }),
    (data) => all.push(data),
  );
  return all;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  server = new ScriptedServer();
});

afterEach(() => {
  page.destroy();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('a page that opens', () => {
  test('asks for everything at once and shows it', async () => {
    await open();
    expect(server.asked).toEqual(['runs', 'tags', 'environment']);
    expect(page.environment?.server_id).toBe('server-1');
    expect(page.runs.visible.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(page.tags.shown('scalar').map(({ tag }) => tag)).toEqual(['loss']);
    expect(page.progress?.is_done).toBe(true);
    expect(page.connection).toBe('live');
    expect(page.lastUpdateS).not.toBeNull();
    const cards = subscribe();
    await settle();
    expect(server.asked.at(-1)).toBe('scalars loss 0,1');
    expect(cards.at(-1)!.series.length).toBe(2);
  });

  test('shows the view of its URL', async () => {
    await open('#scalars&smoothing=0.25&runFilter=b');
    expect(page.view).toMatchObject({ dashboard: 'scalars', smoothing: { amount: 0.25 } });
    expect(page.runs.visible.map(({ name }) => name)).toEqual(['b']);
  });

  test('says when the token is missing', async () => {
    server.failure = new ApiError(401, 'The token is missing');
    await open();
    expect(page.isTokenMissing).toBe(true);
    expect(page.error).toBe('The token is missing');
    server.failure = null;
    await settle(POLL_MS);
    expect(page.isTokenMissing).toBe(false);
    expect(page.error).toBeNull();
    expect(page.runs.all.length).toBe(2);
  });

  test('announces for a while', async () => {
    await open();
    page.announce('Link copied');
    expect(page.announcements.map(({ text }) => text)).toEqual(['Link copied']);
    await settle(10_000);
    expect(page.announcements).toEqual([]);
  });

  test('says nothing beside what it said of the same topic before', async () => {
    await open();
    page.announce('Archived a', undefined, 'edit');
    page.announce('Link copied');
    page.announce('Undone: Archive a', undefined, 'edit');
    page.announce('Link copied');
    expect(page.announcements.map(({ text }) => text)).toEqual(['Undone: Archive a', 'Link copied']);
  });

  test('says that a link names no dashboard, and shows the first one', async () => {
    await open('#nonsense&smoothing=0.25', { dashboards: ['timeseries', 'scalars'] });
    expect(page.view).toMatchObject({ dashboard: 'timeseries', smoothing: { amount: 0.25 } });
    expect(page.announcements.map(({ text }) => text)).toEqual(['There is no dashboard called “nonsense”']);
    await vi.dynamicImportSettled(); // what writes the address
    await settle(1000);
    expect(window.location.hash).toBe('#timeseries&smoothing=0.25');
  });

  test('fetches damage only when someone looks', async () => {
    await open();
    expect(server.asked).not.toContain('damage');
    expect(page.damage).toBeNull();
    await settle();
    expect(page.damage?.warnings).toEqual(['careful']);
  });

  test('fetches last values for metric columns, words for what is not finite', async () => {
    await open();
    page.view.table = { ...page.view.table, columns: ['status', 'metric:loss'] };
    await settle();
    expect(page.runs.lastValue('loss', 0)).toBe(0.5);
    expect(page.runs.lastValue('loss', 1)).toBeNaN();
    expect(page.runs.lastValue('loss', 7)).toBeUndefined();
    expect(server.asked.filter((question) => question.startsWith('last'))).toEqual(['last loss']);
  });
});

describe('live', () => {
  test('a change fetches the changed rows and the changed lines, nothing else', async () => {
    await open();
    hello();
    const cards = subscribe();
    await settle();
    server.asked.length = 0;
    server.grow(1);
    say({ type: 'change', data: changeEvent({ revision: 2, runs: [1], tags: ['loss'] }) });
    await settle(200);
    expect(server.asked).toEqual(['runs since 1', 'scalars loss 1']);
    expect(cards.at(-1)!.series.map(({ value }) => value[0])).toEqual([1, 2]);
  });

  test('a new run and a new tag appear', async () => {
    await open();
    hello();
    server.allRuns.push({ id: 2, name: 'c', startedS: 3 });
    server.tagRuns = { loss: [0, 2], acc: [2, 2] };
    server.grow(2);
    say({ type: 'change', data: changeEvent({ runs: [2], has_new_series: true }) });
    const cards = subscribe();
    await settle(200);
    expect(page.runs.all.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(page.tags.all.map(({ tag }) => tag)).toEqual(['loss', 'acc']);
    expect(cards.at(-1)!.series.map(({ run }) => run)).toEqual([0, 1, 2]);
  });

  test('progress is shown as it comes', async () => {
    await open();
    const progress = { files_done: 1, files_total: 9, bytes_done: 1, bytes_total: 9, is_done: false };
    say({ type: 'progress', data: progress });
    expect(page.progress).toEqual(progress);
  });

  test('a user who wants no news gets none until the reload button', async () => {
    await open();
    hello();
    page.settings.isLive = false;
    flushSync();
    server.asked.length = 0;
    server.grow(0);
    say({ type: 'change', data: changeEvent({ runs: [0] }) });
    await settle(SAFETY_POLL_MS * 2);
    expect(server.asked).toEqual([]);
    await page.reload();
    expect(server.asked).toEqual(['reload', 'runs since 1', 'tags']);
    expect(page.isReloading).toBe(false);
  });

  test('a user who wants no news gets none by looking away, nor by a stream that breaks', async () => {
    await open();
    hello();
    page.settings.isLive = false;
    await settle();
    server.grow(0);
    server.asked.length = 0;
    setVisibility('hidden');
    setVisibility('visible');
    await settle();
    say({ type: 'state', state: 'lost' });
    await settle(POLL_MS);
    expect(server.asked.filter((question) => question !== 'environment')).toEqual([]);
    expect(page.runs.revision).toBe(1);
    expect(page.connection).toBe('live');
    server.failure = new ApiError(0, 'No answer');
    await settle(POLL_MS);
    expect(page.connection).toBe('lost');
    server.failure = null;
    server.serverId = 'server-2';
    await settle(POLL_MS);
    expect(page.runs.serverId).toBe('server-2');
  });

  test('an error of the server is told and tried again soon, and nothing is lost', async () => {
    await open();
    hello();
    server.failure = new ApiError(500, 'The disk is gone');
    server.grow(1);
    say({ type: 'change', data: changeEvent({ runs: [1] }) });
    await settle();
    expect(page.error).toBe('The disk is gone');
    expect(page.environment).not.toBeNull();
    server.failure = null;
    await settle(FIRST_RETRY_MS);
    expect(page.error).toBeNull();
    expect(page.runs.revision).toBe(2);
  });

  test('the damage report is renewed when there is more damage, and when reading ends', async () => {
    await open();
    expect(page.damage).toBeNull();
    await settle();
    const asked = (): number => server.asked.filter((question) => question === 'damage').length;
    expect(asked()).toBe(1);
    server.allRuns[1]!.damageCount = 3;
    server.grow(1);
    say({ type: 'change', data: changeEvent({ runs: [1] }) });
    await settle();
    expect(asked()).toBe(2);
    const progress = { files_done: 1, files_total: 9, bytes_done: 1, bytes_total: 9, is_done: false };
    say({ type: 'progress', data: progress });
    await settle();
    const before = asked();
    say({ type: 'progress', data: { ...progress, files_done: 9, is_done: true } });
    await settle();
    expect(asked()).toBe(before + 1);
  });

  test('a reload that fails is announced', async () => {
    await open();
    server.failure = new ApiError(500, 'The disk is gone');
    await page.reload();
    expect(page.announcements.at(-1)?.text).toBe('The disk is gone');
    expect(page.isReloading).toBe(false);
  });
});

describe('a lost connection', () => {
  test('is said when the server does not answer either, and heals', async () => {
    await open();
    hello();
    server.failure = new ApiError(0, 'No answer');
    say({ type: 'state', state: 'lost' });
    await settle();
    expect(page.connection).toBe('lost');
    expect(page.error).toBeNull();
    server.failure = null;
    hello();
    await settle();
    expect(page.connection).toBe('live');
  });

  test('of the events alone is bridged by asking', async () => {
    await open();
    say({ type: 'state', state: 'lost' });
    await settle();
    expect(page.connection).toBe('live');
    server.grow(0);
    server.asked.length = 0;
    await settle(POLL_MS);
    expect(server.asked).toContain('runs since 1');
    expect(page.runs.revision).toBe(2);
  });

  test('a stream that only looks alive is found out and opened anew', async () => {
    await open();
    hello();
    await settle(SAFETY_POLL_MS);
    expect(live.reopen).not.toHaveBeenCalled();
    server.grow(0);
    await settle(SAFETY_POLL_MS);
    expect(live.reopen).toHaveBeenCalledOnce();
  });

  test('after a restart everything is fetched anew and the user’s view stays', async () => {
    await open('#scalars&smoothing=0.25');
    hello();
    const cards = subscribe();
    await settle();
    page.runs.toggle(0);
    await settle();
    server.serverId = 'server-2';
    server.revision = 1;
    server.allRuns = [
      { id: 0, name: 'b', startedS: 2 },
      { id: 1, name: 'a', startedS: 1 },
    ];
    server.asked.length = 0;
    say({ type: 'state', state: 'lost' });
    hello();
    await settle();
    expect(server.asked).toEqual(
      expect.arrayContaining(['runs since 1', 'tags', 'environment', 'scalars loss 0']),
    );
    expect(page.environment?.server_id).toBe('server-2');
    expect(page.runs.visible.map(({ name }) => name)).toEqual(['b']);
    expect(page.view.smoothing.amount).toBe(0.25);
    expect(cards.at(-1)!.series.map(({ run }) => run)).toEqual([0]);
  });

  test('a restart noticed by the scalar answer alone is followed too', async () => {
    await open();
    hello();
    const cards = subscribe();
    server.serverId = 'server-2';
    await settle();
    await settle();
    expect(page.runs.serverId).toBe('server-2');
    expect(cards.at(-1)!.series.length).toBe(2);
  });
});

describe('a hidden tab', () => {
  test('that was opened in the background knows its log, and asks for charts when it is seen', async () => {
    setVisibility('hidden');
    await open();
    subscribe();
    await settle(SAFETY_POLL_MS);
    expect(page.environment).not.toBeNull();
    expect(server.asked.toSorted()).toEqual(['environment', 'runs', 'tags']);
    setVisibility('visible');
    await settle(200);
    expect(server.asked).toContain('scalars loss 0,1');
  });

  test('asks nothing, and catches up when it is seen', async () => {
    await open();
    hello();
    const cards = subscribe();
    await settle();
    setVisibility('hidden');
    server.asked.length = 0;
    server.grow(1);
    say({ type: 'change', data: changeEvent({ runs: [1], tags: ['loss'] }) });
    await settle(SAFETY_POLL_MS * 3);
    expect(server.asked).toEqual([]);
    expect(live.pause).toHaveBeenCalled();
    setVisibility('visible');
    await settle(200);
    expect(live.resume).toHaveBeenCalled();
    expect(server.asked).toEqual(['runs since 1', 'tags', 'scalars loss 1']);
    expect(cards.at(-1)!.series.map(({ value }) => value[0])).toEqual([1, 2]);
  });
});

describe('what people added', () => {
  const rename = (text: string): void => {
    server.people.put({ ...server.people.editsOf('a'), display_name: text });
  };

  test('is asked for beside the run table, and shown', async () => {
    rename('Baseline');
    await open();
    expect(server.people.askedCount).toBe(1);
    expect(page.runs.displayName(0)).toBe('Baseline');
    hello();
    await settle();
    expect(server.people.askedCount).toBe(1);
  });

  test('is asked for again when an event says so, after a lost connection, by the reload button and by polls', async () => {
    await open();
    hello();
    rename('one');
    say({ type: 'workspace', data: { version: server.people.current.version } });
    await settle();
    expect(page.runs.displayName(0)).toBe('one');
    say({ type: 'workspace', data: { version: server.people.current.version } });
    await settle();
    expect(server.people.askedCount).toBe(2);

    rename('two');
    say({ type: 'state', state: 'lost' });
    hello();
    await settle();
    expect(page.runs.displayName(0)).toBe('two');

    rename('three');
    await page.reload();
    await settle();
    expect(page.runs.displayName(0)).toBe('three');

    rename('four');
    await settle(SAFETY_POLL_MS);
    expect(page.runs.displayName(0)).toBe('four');
  });

  test('a message can carry something to do', async () => {
    await open();
    const run = vi.fn();
    page.announce('Renamed a', { label: 'Undo', run });
    page.announcements[0]?.action?.run();
    expect(run).toHaveBeenCalledOnce();
  });

  test('hyper-parameters are fetched by the first look, and again when there are new series', async () => {
    await open();
    hello();
    expect(server.fieldsAsked).toBe(0);
    expect(page.runs.fields.value('lr', 0)).toBeUndefined();
    await vi.waitFor(async () => {
      await settle();
      expect(page.runs.fields.value('lr', 0)).toBe(0.1);
    });
    server.grow(0);
    say({
      type: 'change',
      data: changeEvent({ revision: server.revision, runs: [0], has_new_series: true }),
    });
    await settle(5000);
    expect(server.fieldsAsked).toBe(2);
  });

  test('an expression in a link filters, with metrics fetched for it', async () => {
    await open();
    page.view.runFilterKind = 'expression';
    page.view.runFilter = 'last(loss) < 1';
    await vi.waitFor(async () => {
      await settle();
      expect(page.runs.shown.map(({ name }) => name)).toEqual(['a']);
    });
    expect(server.asked).toContain('last loss');
  });
});
