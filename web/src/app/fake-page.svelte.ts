// A page without a server for the tests of the frame and of the run table: the real run store and workspace on made-up runs and a
// server that is a few functions. What tests look at can be set, what the page is asked for is recorded.
import { BrowserStorage } from '../state/browser-storage';
import { CommandRegistry } from '../state/commands.svelte';
import { defaultView } from '../state/settings/view';
import type { Announcement, Connection, Page } from '../state/page.svelte';
import { RunFieldStore } from '../state/feeds/run-fields.svelte';
import { RunStore } from '../state/runs.svelte';
import type { Run, Settings, Tag, ViewState } from '../state/types';
import { LiveWorkspace } from '../state/workspace.svelte';
import type { DamageReport, Environment, ReadProgress, RunDetails, RunField, RunTable } from '../wire/client';
import { FakeWorkspaceServer } from './runs/fake-workspace-server';

export const NOW_S = 1_770_000_000;

export const ENVIRONMENT: Environment = {
  version: '1.2.3',
  api_version: 1,
  server_id: 'server',
  window_title: '',
  log_directories: [{ path: '/logs/a', prefix: '', exists: true }],
  is_following: true,
  histogram_interval: null,
};

export const NO_FILES: ReadProgress = {
  files_done: 0,
  files_total: 0,
  bytes_done: 0,
  bytes_total: 0,
  is_done: true,
};

export function makeRun(id: number, name: string, facts: Partial<Run> = {}): Run {
  return {
    id,
    name,
    status: 'finished',
    isStatusKnown: true,
    startedS: NOW_S - 86_400 + id,
    lastSeenS: NOW_S - 3600 + id,
    lastStep: 1000 + id,
    points: 5000,
    sizeBytes: 120_000,
    readFraction: 1,
    damageCount: 0,
    ...facts,
  };
}

export function tableOf(
  runs: readonly Run[],
  { isComplete = true, removed = [] as number[], serverId = 'test' } = {},
): RunTable {
  return {
    server_id: serverId,
    revision: 1,
    is_complete: isComplete,
    id: runs.map((run) => run.id),
    name: runs.map((run) => run.name),
    status: runs.map((run) => run.status),
    is_status_known: runs.map((run) => run.isStatusKnown),
    started_s: runs.map((run) => run.startedS),
    last_seen_s: runs.map((run) => run.lastSeenS),
    last_step: runs.map((run) => run.lastStep),
    points: runs.map((run) => run.points),
    size_bytes: runs.map((run) => run.sizeBytes),
    read_fraction: runs.map((run) => run.readFraction),
    damage_count: runs.map((run) => run.damageCount),
    removed,
    progress: NO_FILES,
  };
}

export class FakePage {
  environment = $state.raw<Environment | null>(ENVIRONMENT);
  connection = $state<Connection>('live');
  progress = $state.raw<ReadProgress | null>(NO_FILES);
  lastUpdateS = $state<number | null>(null);
  damage = $state.raw<DamageReport | null>(null);
  error = $state<string | null>(null);
  isTokenMissing = $state(false);
  isReloading = $state(false);
  theme = $state<'light' | 'dark'>('light');
  view: ViewState = $state(defaultView());
  settings = $state<Settings>({
    theme: 'system',
    sideBarWidthPx: 320,
    isSideBarOpen: true,
    isSettingsPaneOpen: true,
    isLive: true,
  });
  announcements = $state.raw<readonly Announcement[]>([]);
  /** Tags by kind. */
  tagsByKind = $state.raw<Readonly<Record<string, readonly string[]>>>({});
  /** By tag, then by run number. */
  lastValues = $state.raw(new Map<string, Map<number, number>>());
  fields: RunField[] = [];
  reloads = 0;
  damageReports = 0;
  readonly commands = new CommandRegistry();
  /** What people added to the log, and what the server was asked about it. */
  readonly server = new FakeWorkspaceServer();
  readonly workspace = new LiveWorkspace({ client: this.server, announce: (text) => this.announce(text) });
  details: (id: number) => Promise<RunDetails> = () =>
    Promise.reject(new Error('The server does not answer'));
  readonly client = {
    environment: () => Promise.resolve(this.environment),
    run: (id: number) => this.details(id),
    deleteRuns: this.server.deleteRuns,
    restoreRuns: this.server.restoreRuns,
  };
  /** No view is named. */
  readonly address = { wanted: null, named: null, giveUp: () => undefined };
  readonly runs = new RunStore({
    workspace: this.workspace,
    loadFields: () => {
      const fields = (): Promise<{ server_id: string; revision: number; fields: RunField[] }> =>
        Promise.resolve({ server_id: 'test', revision: 1, fields: this.fields });
      return Promise.resolve(new RunFieldStore({ client: { fields }, serverId: () => 'test' }));
    },
    view: this.view,
    storage: new BrowserStorage(null),
    theme: () => this.theme,
    lastValue: (tag, id) => this.lastValues.get(tag)?.get(id),
  });
  readonly tags = {
    isLoaded: true,
    ofKind: (kind: string): Tag[] =>
      (this.tagsByKind[kind] ?? []).map((tag) => ({
        tag,
        kind,
        displayName: tag,
        description: '',
        runCount: this.runs.all.length,
        hasRun: () => true,
      })),
  };

  constructor(runs: readonly Run[] = [], scalarTags: readonly string[] = []) {
    this.runs.apply(tableOf(runs));
    this.tagsByKind = { scalar: scalarTags };
  }

  get announced(): readonly string[] {
    return this.announcements.map(({ text }) => text);
  }

  announce(text: string): void {
    this.announcements = [...this.announcements, { id: this.announcements.length, text }];
  }

  dismiss(id: number): void {
    this.announcements = this.announcements.filter((one) => one.id !== id);
  }

  reload(): Promise<void> {
    this.reloads++;
    return Promise.resolve();
  }

  refreshDamage(): Promise<void> {
    this.damageReports++;
    return Promise.resolve();
  }

  link(): string {
    return 'http://example.test/#timeseries';
  }

  /** As the context has it. The parts that are not here are not touched by what is tested. */
  get page(): Page {
    return this as unknown as Page;
  }
}
