// The rows of the table: a flat list of runs, or the tree of their directories as the list of rows that are in sight.
//
// Names are paths with slashes. Directories that only lead to one other directory are joined with it (a/b/c), and a directory
// with a single run is that run's row: no row without a choice to make. A run that is also the directory of others (a, a/b)
// is the entry "." in it. Directories stand where the first of their runs stands, so that any sort order works in the tree.
// Rows only say which run they are of: what changes while it grows is looked up by those that are in sight.
import type { RunPlace } from '../../state/types';

interface RowModel {
  /** Unique among all rows, stable over updates and restarts of the server. */
  readonly key: string;
  readonly depth: number;
  /** Of the run, or of all runs below, at any depth. */
  readonly runIds: readonly number[];
}

interface RunRowModel extends RowModel {
  readonly kind: 'run';
  /** null: the run's short name, which the page knows. */
  readonly label: string | null;
  readonly run: RunPlace;
}

interface FolderRowModel extends RowModel {
  readonly kind: 'folder';
  readonly label: string;
  readonly path: string;
  readonly isCollapsed: boolean;
}

/** Runs that are drawn as one (group-rows.ts); with grouping there are no directories. */
interface GroupRowModel extends RowModel {
  readonly kind: 'group';
  readonly label: string;
  /** Of the RunGroup; null: the runs that are in none. */
  readonly groupKey: string | null;
  readonly isCollapsed: boolean;
}

export type BranchRowModel = FolderRowModel | GroupRowModel;
export type TableRow = RunRowModel | BranchRowModel;

interface Folder {
  readonly path: string;
  readonly name: string;
  readonly entries: (Folder | Leaf)[];
  readonly folders: Map<string, Folder>;
}

interface Leaf {
  readonly run: RunPlace;
  readonly name: string;
}

export function runRow(run: RunPlace, depth: number, label: string | null): TableRow {
  return { kind: 'run', key: `run:${run.name}`, depth, label, run, runIds: [run.id] };
}

export function flatRows(runs: readonly RunPlace[]): TableRow[] {
  return runs.map((run) => runRow(run, 0, null));
}

/** `collapsed` holds keys of directories' rows whose own rows are folded away. */
export function treeRows(runs: readonly RunPlace[], collapsed: ReadonlySet<string>): TableRow[] {
  const root = buildFolder(runs);
  const rows: TableRow[] = [];
  appendRows(root, 0, collapsed, rows);
  return rows;
}

function newFolder(path: string, name: string): Folder {
  return { path, name, entries: [], folders: new Map() };
}

function buildFolder(runs: readonly RunPlace[]): Folder {
  const root = newFolder('', '');
  const directories = new Set<string>();
  for (const { name } of runs) {
    for (let slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
      directories.add(name.slice(0, slash));
    }
  }
  for (const run of runs) {
    let folder = root;
    let start = 0;
    for (let slash = run.name.indexOf('/'); slash >= 0; slash = run.name.indexOf('/', start)) {
      folder = folderIn(folder, run.name.slice(0, slash), run.name.slice(start, slash));
      start = slash + 1;
    }
    if (directories.has(run.name)) {
      folder = folderIn(folder, run.name, run.name.slice(start));
      folder.entries.push({ run, name: '.' });
    } else {
      folder.entries.push({ run, name: run.name.slice(start) });
    }
  }
  return root;
}

function folderIn(parent: Folder, path: string, name: string): Folder {
  let folder = parent.folders.get(name);
  if (folder === undefined) {
    folder = newFolder(path, name);
    parent.folders.set(name, folder);
    parent.entries.push(folder);
  }
  return folder;
}

function appendRows(parent: Folder, depth: number, collapsed: ReadonlySet<string>, rows: TableRow[]): void {
  for (const entry of parent.entries) {
    if (!('entries' in entry)) {
      rows.push(runRow(entry.run, depth, entry.name));
      continue;
    }
    let folder = entry;
    let label = folder.name;
    for (
      let only = folder.entries[0];
      folder.entries.length === 1 && only !== undefined;
      only = folder.entries[0]
    ) {
      label = `${label}/${only.name}`;
      if (!('entries' in only)) {
        rows.push(runRow(only.run, depth, label));
        break;
      }
      folder = only;
    }
    if (folder.entries.length === 1) continue;
    const key = `folder:${folder.path}`;
    const isCollapsed = collapsed.has(key);
    rows.push({
      kind: 'folder',
      key,
      depth,
      label,
      path: folder.path,
      isCollapsed,
      runIds: runIdsOf(folder),
    });
    if (!isCollapsed) appendRows(folder, depth + 1, collapsed, rows);
  }
}

function runIdsOf(folder: Folder): number[] {
  return folder.entries.flatMap((entry) => ('entries' in entry ? runIdsOf(entry) : [entry.run.id]));
}

/** The row of the directory that a row lies in; −1: none. */
export function parentIndex(rows: readonly TableRow[], index: number): number {
  const depth = rows[index]?.depth ?? 0;
  for (let above = index - 1; above >= 0; above--) {
    if ((rows[above]?.depth ?? 0) < depth) return above;
  }
  return -1;
}

export type CheckState = 'on' | 'off' | 'mixed';

/** What the checkbox of a group shows. */
export function checkState(ids: readonly number[], isSelected: (id: number) => boolean): CheckState {
  let on = 0;
  for (const id of ids) if (isSelected(id)) on++;
  if (on === 0) return 'off';
  return on === ids.length ? 'on' : 'mixed';
}
