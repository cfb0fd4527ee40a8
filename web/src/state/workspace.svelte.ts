// What people added to the log – names, notes, labels, colours, annotations, views – as the server keeps it, and the ways
// to change it. Asked for beside the run table; the server tells of changes by others. How edits are made, shown before
// the server has them, and taken back is workspace-editor.svelte.ts, loaded with the first edit.
//
// An edit of one run must not rebuild what depends on others: names, colours, archived runs and labels are maps of their
// own, which stay the same objects until something in them changes.
import type {
  Annotation,
  Client,
  Edit,
  EditResult,
  RunEdits,
  ViewInfo,
  Workspace as WireWorkspace,
} from '../wire/client';
import { Feed } from './feeds/feed';
import { Later } from './later.svelte';
import type { WorkspaceEditor } from './workspace-editor.svelte';

/** An edit without its id, which is made here. */
export type NewEdit = Omit<Edit, 'id'>;

export interface WorkspaceOptions {
  readonly client: Pick<Client, 'workspace' | 'edit'>;
  readonly announce: (text: string, action?: { readonly label: string; run(): void }, topic?: string) => void;
}

export class LiveWorkspace {
  readonly #editor: Later<WorkspaceEditor>;
  readonly #feed: Feed<'workspace', { readonly served: WireWorkspace; readonly isKnownToHave?: () => void }>;
  /** As the server has it. */
  #served: WireWorkspace | null = null;
  /** With the edits on top that the server does not have yet. */
  #state = $state.raw<WireWorkspace | null>(null);
  #edits = $state.raw<ReadonlyMap<string, RunEdits>>(new Map());
  #displayNames = $state.raw<ReadonlyMap<string, string>>(new Map());
  #colors = $state.raw<ReadonlyMap<string, string>>(new Map());
  #groupColors = $state.raw<ReadonlyMap<string, string>>(new Map());
  #labels = $state.raw<ReadonlyMap<string, readonly string[]>>(new Map());
  #archived = $state.raw<ReadonlySet<string>>(new Set());
  /** Every label that some run has, in natural order of first letters. */
  readonly allLabels: readonly string[] = $derived([...new Set([...this.#labels.values()].flat())].sort());
  #hasConnected = false;
  /** What the last edit does that waits for the editor's code; null: none does. */
  #waiting = $state.raw<string | null>(null);

  constructor(options: WorkspaceOptions) {
    this.#feed = new Feed({
      ask: async (_all, signal) => {
        const isKnownToHave = this.#editor.loaded?.markSent();
        const served = await options.client.workspace(signal);
        return { values: new Map([['workspace', { served, ...(isKnownToHave && { isKnownToHave }) }]]) };
      },
      take: (_all, answer) => {
        this.#served = answer!.served;
        answer!.isKnownToHave?.();
        this.#show();
      },
      // Whether the server can be reached is shown elsewhere; its next hello asks again.
      onError: () => 'never',
    });
    this.#editor = new Later(
      async () => {
        const { WorkspaceEditor } = await import('./workspace-editor.svelte');
        return new WorkspaceEditor({
          ...options,
          served: () => this.#served,
          show: () => {
            this.#show();
          },
          refresh: () => this.refresh(),
        });
      },
      () => {
        options.announce('Not saved: the server does not answer. Nothing was changed');
      },
    );
  }

  /** null until it is loaded. */
  get state(): WireWorkspace | null {
    return this.#state;
  }

  /** By name of the run; undefined: nobody said anything about it. */
  editsOf(run: string): RunEdits | undefined {
    return this.#edits.get(run);
  }

  get annotations(): readonly Annotation[] {
    return this.#state?.annotations ?? [];
  }

  get views(): readonly ViewInfo[] {
    return this.#state?.views ?? [];
  }

  // By name of the run. The same objects until one of them changes.

  get displayNames(): ReadonlyMap<string, string> {
    return this.#displayNames;
  }

  get colors(): ReadonlyMap<string, string> {
    return this.#colors;
  }

  get labels(): ReadonlyMap<string, readonly string[]> {
    return this.#labels;
  }

  get archived(): ReadonlySet<string> {
    return this.#archived;
  }

  /** #rrggbb by the group's key. */
  get groupColors(): ReadonlyMap<string, string> {
    return this.#groupColors;
  }

  /**
   * Shown at once, taken back when the server refuses. `words` say what it is ("Rename baseline-2"). Results in the order
   * of the edits; one that was not applied has an error, a note that somebody else changed too also a conflict. Announces
   * errors itself and never rejects: the caller keeps what was typed until the result says is_applied.
   */
  async apply(edits: readonly NewEdit[], words: string): Promise<readonly EditResult[]> {
    const isFirst = this.#editor.loaded === null && edits.length > 0;
    if (isFirst) this.#waiting = words;
    const editor = this.#editor.loaded ?? (await this.#editor.load());
    const results = editor?.apply(edits, words);
    if (isFirst) this.#waiting = null;
    if (results) return results;
    const error = 'The server does not answer';
    return edits.map(() => ({ id: '', is_applied: false, inverse: null, text: null, conflict: null, error }));
  }

  /** Takes back the last change of this page that was not taken back yet; false: there is none, or it failed. */
  async undo(): Promise<boolean> {
    // Behind an edit that waits for the editor's code.
    const editor = this.#waiting === null ? this.#editor.loaded : await this.#editor.load();
    return (await editor?.undo()) ?? false;
  }

  async redo(): Promise<boolean> {
    return (await this.#editor.loaded?.redo()) ?? false;
  }

  /** What `undo` would take back, for people ("Rename baseline-2"); null: nothing. */
  get undoWords(): string | null {
    return this.#editor.loaded?.undoWords ?? this.#waiting;
  }

  get redoWords(): string | null {
    return this.#editor.loaded?.redoWords ?? null;
  }

  /** The server says that it stands at this version. */
  hear(version: number): void {
    if (version !== this.#served?.version) void this.refresh();
  }

  /** There is a stream again: something may have been missed, but for the first time, when all has just been asked for. */
  reconnect(): void {
    if (this.#hasConnected) void this.refresh();
    else this.#feed.retry();
    this.#hasConnected = true;
  }

  /** Resolves when everything is there that the server had at the time of the call. Never rejects. */
  refresh(): Promise<void> {
    if (!this.#feed.isWanted('workspace')) this.#feed.want(['workspace']);
    return this.#feed.refresh('workspace');
  }

  destroy(): void {
    this.#feed.destroy();
    this.#editor.destroy();
  }

  #show(): void {
    const served = this.#served;
    if (served === null) return;
    const state = this.#editor.loaded?.onTop(served) ?? served;
    const { runs } = state;
    this.#state = state;
    this.#edits = new Map(runs.map((edits) => [edits.run, edits]));
    this.#displayNames = kept(
      this.#displayNames,
      aspect(runs, ({ display_name: name }) => name || null),
    );
    this.#colors = kept(
      this.#colors,
      aspect(runs, ({ color }) => color),
    );
    this.#groupColors = kept(this.#groupColors, new Map(Object.entries(state.group_colors)));
    this.#labels = kept(
      this.#labels,
      aspect(runs, ({ labels }) => (labels.length > 0 ? labels : null)),
      (a, b) => a.join('\n') === b.join('\n'),
    );
    const archived = runs.filter((edits) => edits.is_archived).map(({ run }) => run);
    if (archived.length !== this.#archived.size || !archived.every((run) => this.#archived.has(run))) {
      this.#archived = new Set(archived);
    }
  }
}

function aspect<T>(runs: readonly RunEdits[], of: (edits: RunEdits) => T | null): Map<string, T> {
  const map = new Map<string, T>();
  for (const edits of runs) {
    const value = of(edits);
    if (value !== null) map.set(edits.run, value);
  }
  return map;
}

/** `before` itself when `after` says the same. */
function kept<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  isSame: (a: T, b: T) => boolean = (a, b) => a === b,
): ReadonlyMap<string, T> {
  if (before.size !== after.size) return after;
  for (const [key, value] of after) {
    const known = before.get(key);
    if (known === undefined || !isSame(known, value)) return after;
  }
  return before;
}
