// Answers of a server, for tests of the page's state: only what a test cares about has to be said.
import type {
  ChangeEvent,
  Environment,
  RunTable,
  ScalarQuery,
  ScalarRequest,
  TagTable,
} from '../wire/client';
import type { DecodedSeries, Frame } from '../wire/frame';
import { BrowserStorage, type TextStorage } from './browser-storage';
import type { LineSource } from './types';

export interface RunFixture {
  id: number;
  name: string;
  startedS?: number;
  points?: number;
  damageCount?: number;
}

export interface TableFixture {
  serverId?: string;
  revision?: number;
  isComplete?: boolean;
  removed?: number[];
  isRead?: boolean;
}

export function runTable(runs: readonly RunFixture[], options: TableFixture = {}): RunTable {
  return {
    server_id: options.serverId ?? 'server-1',
    revision: options.revision ?? 1,
    is_complete: options.isComplete ?? true,
    id: runs.map(({ id }) => id),
    name: runs.map(({ name }) => name),
    status: runs.map(() => 'running'),
    is_status_known: runs.map(() => true),
    started_s: runs.map(({ startedS }) => startedS ?? null),
    last_seen_s: runs.map(() => null),
    last_step: runs.map(() => null),
    points: runs.map(({ points }) => points ?? 0),
    size_bytes: runs.map(() => 0),
    read_fraction: runs.map(() => 1),
    damage_count: runs.map(({ damageCount }) => damageCount ?? 0),
    removed: options.removed ?? [],
    progress: {
      files_done: 1,
      files_total: 1,
      bytes_done: 1,
      bytes_total: 1,
      is_done: options.isRead ?? true,
    },
  };
}

/** Tag → ranges of run numbers. */
export function tagTable(
  tags: Readonly<Record<string, number[]>>,
  serverId = 'server-1',
  kind = 'scalar',
): TagTable {
  return {
    server_id: serverId,
    revision: 1,
    tags: Object.entries(tags).map(([tag, runs]) => ({ tag, kind, display_name: '', description: '', runs })),
  };
}

export function environment(serverId = 'server-1'): Environment {
  return {
    version: '0',
    api_version: 1,
    server_id: serverId,
    window_title: '',
    log_directories: [{ path: '/logs', prefix: '', exists: true }],
    is_following: true,
    histogram_interval: null,
  };
}

export function changeEvent(change: Partial<ChangeEvent>): ChangeEvent {
  return { revision: 2, runs: [], tags: null, reset: [], removed: [], has_new_series: false, ...change };
}

export function series(query: number, run: number, values: readonly number[] = [run]): DecodedSeries {
  return {
    query,
    run,
    isSuperseded: false,
    total: values.length,
    supersededCount: 0,
    isExact: true,
    firstWallS: 0,
    yRange: null,
    yCore: null,
    step: Float64Array.from(values.keys()),
    wall: Float64Array.from(values.keys()),
    value: Float64Array.from(values),
    smoothed: null,
    x: null,
  };
}

/** The plain line of a tag. */
export function lineSource(tag: string, more: Partial<LineSource> = {}): LineSource {
  return { tag, formula: '', baseline: null, x: null, smoothing: null, ...more };
}

/** A frame with one series for every run that was asked for. */
export function frameFor(
  request: ScalarRequest,
  valueOf: (query: ScalarQuery, run: number) => number,
): Frame {
  return {
    serverId: 'server-1',
    revision: 1,
    series: request.queries.flatMap((query, i) =>
      query.runs.map((run) => series(i, run, [valueOf(query, run)])),
    ),
    notes: [],
  };
}

/** Storage of a browser that begins empty. */
export function emptyStorage(): { storage: BrowserStorage; texts: Map<string, string> } {
  const texts = new Map<string, string>();
  const fake: TextStorage = {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
  };
  return { storage: new BrowserStorage(fake), texts };
}
