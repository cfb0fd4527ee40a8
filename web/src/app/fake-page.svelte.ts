// A page without a server for the tests of the frame: what they look at can be set, what the frame does is recorded.
import { defaultView } from '../state/settings/view';
import { CommandRegistry } from '../state/commands.svelte';
import type { Announcement, Connection, Page } from '../state/page.svelte';
import type { Run, Settings } from '../state/types';
import type { DamageReport, Environment, ReadProgress, Workspace } from '../wire/client';

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

export function run(id: number, name: string, damageCount = 0): Run {
  return {
    id,
    name,
    status: 'finished',
    isStatusKnown: true,
    startedS: 1000,
    lastSeenS: 2000,
    lastStep: 10,
    points: 10,
    sizeBytes: 100,
    readFraction: 1,
    damageCount,
  };
}

class FakeRuns {
  constructor(private readonly page: FakePage) {}

  get all(): readonly Run[] {
    return this.page.allRuns;
  }

  get visibleIds(): readonly number[] {
    return this.page.allRuns.map(({ id }) => id);
  }

  get damageCount(): number {
    return this.page.allRuns.reduce((sum, { damageCount }) => sum + damageCount, 0);
  }

  only(id: number): void {
    this.page.calls.push(`only ${id}`);
  }

  selectAll(): void {
    this.page.calls.push('select all');
  }
}

export class FakePage {
  environment = $state.raw<Environment | null>(ENVIRONMENT);
  connection = $state<Connection>('live');
  progress = $state.raw<ReadProgress | null>(NO_FILES);
  lastUpdateS = $state<number | null>(null);
  damage = $state.raw<DamageReport | null>(null);
  /** What people added to the log. */
  workspace = $state.raw<{ readonly state: Workspace | null }>({ state: null });
  error = $state<string | null>(null);
  isTokenMissing = $state(false);
  isReloading = $state(false);
  theme = $state<'light' | 'dark'>('light');
  view = $state(defaultView());
  settings = $state<Settings>({
    theme: 'system',
    sideBarWidthPx: 320,
    isSideBarOpen: true,
    isSettingsPaneOpen: true,
    isLive: true,
  });
  announcements = $state.raw<readonly Announcement[]>([]);
  readonly commands = new CommandRegistry();
  /** Tags by kind. */
  tagsByKind = $state.raw<Readonly<Record<string, readonly string[]>>>({});
  allRuns = $state.raw<readonly Run[]>([]);
  /** What the frame asked for, in order. */
  readonly calls: string[] = [];

  readonly tags = {
    isLoaded: true,
    ofKind: (kind: string) => (this.tagsByKind[kind] ?? []).map((tag) => ({ tag, kind })),
  };
  readonly runs = new FakeRuns(this);

  /** What the server says when it is asked again. */
  readonly client = { environment: () => Promise.resolve(this.environment) };

  /** No view is named. */
  readonly address = { wanted: null, named: null, giveUp: () => undefined };

  announce(text: string): void {
    this.announcements = [...this.announcements, { id: this.announcements.length, text }];
  }

  dismiss(id: number): void {
    this.announcements = this.announcements.filter((one) => one.id !== id);
  }

  reload(): Promise<void> {
    this.calls.push('reload');
    return Promise.resolve();
  }

  refreshDamage(): Promise<void> {
    this.calls.push('refresh damage');
    return Promise.resolve();
  }

  link(): string {
    return 'http://example.test/#timeseries';
  }
}

/** The fake as what components take it for. */
export function asPage(fake: FakePage): Page {
  return fake as unknown as Page;
}
