// A page for tests of the run table: the real run store and workspace on made-up runs and a server that is a few functions,
// and as little of the rest as the table touches.
import { BrowserStorage } from '../../state/browser-storage';
import { CommandRegistry } from '../../state/commands.svelte';
import { defaultView } from '../../state/default-view';
import type { Page } from '../../state/page.svelte';
import { RunStore } from '../../state/runs.svelte';
import { RunFieldStore } from '../../state/run-fields.svelte';
import type { Run, Tag, ViewState } from '../../state/types';
import { LiveWorkspace } from '../../state/workspace.svelte';
import type { DamageReport, ReadProgress, RunDetails, RunField, RunTable } from '../../wire/client';
import { FakeWorkspaceServer } from './fake-workspace-server';

export const NOW_S = 1_770_000_000;

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
    progress: DONE,
  };
}

const DONE: ReadProgress = { files_done: 1, files_total: 1, bytes_done: 1, bytes_total: 1, is_done: true };

export class FakePage {
  view: ViewState = $state(defaultView());
  theme: 'light' | 'dark' = $state('light');
  progress: ReadProgress | null = $state.raw(DONE);
  damage: DamageReport | null = $state.raw({ damage: [], damage_count: 0, warnings: [] });
  /** By tag, then by run number. */
  lastValues = $state.raw(new Map<string, Map<number, number>>());
  readonly announced: string[] = [];
  readonly commands = new CommandRegistry();
  readonly runs: RunStore;
  /** What it has, and what it was asked. */
  readonly server = new FakeWorkspaceServer();
  readonly workspace: LiveWorkspace;
  fields: RunField[] = [];
  reloads = 0;
  details: (id: number) => Promise<RunDetails> = () =>
    Promise.reject(new Error('The server does not answer'));
  readonly client = {
    run: (id: number) => this.details(id),
    deleteRuns: this.server.deleteRuns,
    restoreRuns: this.server.restoreRuns,
  };
  readonly tags: { ofKind: (kind: string) => Tag[] };

  constructor(runs: readonly Run[], tags: readonly string[] = []) {
    this.workspace = new LiveWorkspace({
      client: this.server,
      announce: (text) => this.announce(text),
    });
    this.runs = new RunStore({
      workspace: this.workspace,
      loadFields: () =>
        Promise.resolve(
          new RunFieldStore({
            client: {
              fields: () => Promise.resolve({ server_id: 'test', revision: 1, fields: this.fields }),
            },
            serverId: () => 'test',
          }),
        ),
      view: this.view,
      storage: new BrowserStorage(null),
      theme: () => this.theme,
      lastValue: (tag, id) => this.lastValues.get(tag)?.get(id),
    });
    this.runs.apply(tableOf(runs));
    const scalarTags = tags.map((tag) => ({
      tag,
      kind: 'scalar',
      displayName: tag,
      description: '',
      runCount: runs.length,
      hasRun: () => true,
    }));
    this.tags = { ofKind: (kind) => (kind === 'scalar' ? scalarTags : []) };
  }

  announce(text: string): void {
    this.announced.push(text);
  }

  reload(): Promise<void> {
    this.reloads++;
    return Promise.resolve();
  }

  /** As the context has it. The parts that are not here are not touched by the table. */
  get page(): Page {
    return this as unknown as Page;
  }
}
