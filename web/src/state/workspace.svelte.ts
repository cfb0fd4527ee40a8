// What people added to the log – names, notes, labels, colours, annotations, views – as the server keeps it, and the ways
// to change it. Loaded after the first charts; the server tells of changes by others.
import type { Annotation, Edit, EditResult, RunEdits, ViewInfo, Workspace as WireWorkspace } from '../wire/client';

/** An edit without its id, which is made here. */
export type NewEdit = Omit<Edit, 'id'>;

export interface WorkspaceStore {
  /** null until it is loaded. */
  readonly state: WireWorkspace | null;
  /** By name of the run; undefined: nobody said anything about it. */
  editsOf(run: string): RunEdits | undefined;
  readonly annotations: readonly Annotation[];
  readonly views: readonly ViewInfo[];
  /** Shown at once, taken back when the server refuses. Results in the order of the edits. Announces errors itself. */
  apply(edits: readonly NewEdit[], words: string): Promise<readonly EditResult[]>;
  /** Takes back the last change of this page that was not taken back yet; false: there is none. */
  undo(): Promise<boolean>;
  redo(): Promise<boolean>;
  /** What `undo` would take back, for people ("Rename baseline-2"); null: nothing. */
  readonly undoWords: string | null;
  readonly redoWords: string | null;
  refresh(): Promise<void>;
}
