// The server's side of the workspace, as far as tests of the run table need it: keeps edits in memory and can refuse them.
import { withEdits } from '../../state/workspace-edits';
import type {
  DeleteAnswer,
  DeleteRuns,
  Edit,
  EditResult,
  EditsAnswer,
  EditsRequest,
  RestoreAnswer,
  RestoreRuns,
  RunEdits,
  Workspace,
} from '../../wire/client';

export function saidOf(run: string, facts: Partial<RunEdits> = {}): RunEdits {
  return {
    run,
    display_name: null,
    note: '',
    labels: [],
    color: null,
    is_favourite: false,
    is_archived: false,
    ...facts,
  };
}

export class FakeWorkspaceServer {
  state: Workspace = {
    version: 1,
    is_writable: true,
    is_delete_allowed: true,
    place: '/logs',
    runs: [],
    annotations: [],
    group_colors: {},
    views: [],
    default_view: null,
    trash: [],
    problems: [],
  };
  readonly edits: Edit[] = [];
  readonly deletions: DeleteRuns[] = [];
  readonly restorations: RestoreRuns[] = [];
  /** Why nothing is saved; null: it is. */
  refusal: Error | null = null;
  /** What somebody else wrote in the meantime, into the same lines. */
  conflict: string | null = null;

  /** While set, answers to edits wait for it. */
  gate: Promise<void> | null = null;

  readonly workspace = (): Promise<Workspace> => Promise.resolve(this.state);

  readonly edit = async ({ edits }: EditsRequest): Promise<EditsAnswer> => {
    await this.gate;
    if (this.refusal !== null) throw this.refusal;
    const results = edits.map((edit) => this.#take(edit));
    return { version: this.state.version, results };
  };

  readonly deleteRuns = (request: DeleteRuns): Promise<DeleteAnswer> => {
    this.deletions.push(request);
    if (this.refusal !== null) return Promise.reject(this.refusal);
    const runs = request.runs.map((run) => ({
      run,
      trash_id: request.is_dry === true ? null : `trash-${run}`,
      file_count: 2,
      size_bytes: 1500,
      kept_count: 1,
      error: '',
    }));
    return Promise.resolve({ runs });
  };

  readonly restoreRuns = (request: RestoreRuns): Promise<RestoreAnswer> => {
    this.restorations.push(request);
    const entries = this.state.trash.filter(({ id }) => request.ids.includes(id));
    this.state = { ...this.state, trash: this.state.trash.filter((entry) => !entries.includes(entry)) };
    return Promise.resolve({ runs: entries.map(({ id, run }) => ({ id, run, error: '' })) });
  };

  #take(edit: Edit): EditResult {
    const { id, run = '' } = edit;
    if (edit.kind === 'note' && this.conflict !== null && edit.base !== this.conflict) {
      const error = 'Somebody else changed the same lines';
      return { id, is_applied: false, inverse: null, text: this.conflict, conflict: this.conflict, error };
    }
    const before = this.state.runs.find((one) => one.run === run) ?? saidOf(run);
    this.edits.push(edit);
    this.state = { ...withEdits(this.state, [edit]), version: this.state.version + 1 };
    const inverse = inverseOf(edit, before);
    return { id, is_applied: true, inverse, text: edit.text ?? null, conflict: null, error: '' };
  }
}

function inverseOf(edit: Edit, before: RunEdits): Edit {
  const id = `${edit.id}-back`;
  if (edit.kind === 'name') return { ...edit, id, text: before.display_name };
  if (edit.kind === 'color') return { ...edit, id, text: before.color };
  if (edit.kind === 'note') return { ...edit, id, text: before.note, base: edit.text ?? '' };
  if (edit.kind === 'add_label') return { ...edit, id, kind: 'remove_label' };
  if (edit.kind === 'remove_label') return { ...edit, id, kind: 'add_label' };
  if (edit.kind === 'favourite' || edit.kind === 'archive')
    return { ...edit, id, is_on: edit.is_on === false };
  return { ...edit, id };
}
