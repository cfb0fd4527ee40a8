// A server's workspace for tests: applies edits by simple rules of its own, merges notes by lines that were added at the
// end, and can be made to refuse, to be silent, or to be slow.
import {
  ApiError,
  type Edit,
  type EditResult,
  type EditsRequest,
  type RunEdits,
  type Workspace,
} from '../wire/client';

export function emptyWorkspace(version = 1): Workspace {
  return {
    version,
    is_writable: true,
    is_delete_allowed: false,
    place: '/logs/.sightline',
    runs: [],
    annotations: [],
    group_colors: {},
    views: [],
    default_view: null,
    trash: [],
    problems: [],
  };
}

export class FakeWorkspaceServer {
  current = emptyWorkspace();
  readonly requests: EditsRequest[] = [];
  askedCount = 0;
  /** How many of the next answers get lost after the edit was done. */
  lostAnswers = 0;
  isDown = false;
  /** By kind: why it is refused. */
  readonly refusals = new Map<string, string>();
  /** While set, answers wait for it. */
  gate: Promise<void> | null = null;
  readonly #done = new Map<string, EditResult>();

  workspace = async (): Promise<Workspace> => {
    this.askedCount++;
    const answer = this.current;
    await this.gate;
    if (this.isDown) throw new ApiError(0, 'The server does not answer. Is it still running?');
    return answer;
  };

  edit = async (request: EditsRequest): Promise<{ version: number; results: EditResult[] }> => {
    this.requests.push(request);
    await this.gate;
    if (this.isDown) throw new ApiError(0, 'The server does not answer. Is it still running?');
    const results = request.edits.map((edit) => this.#done.get(edit.id) ?? this.#apply(edit));
    if (this.lostAnswers-- > 0) throw new ApiError(502, 'Bad gateway');
    return { version: this.current.version, results };
  };

  editsOf(run: string): RunEdits {
    return (
      this.current.runs.find((one) => one.run === run) ?? {
        run,
        display_name: null,
        note: '',
        labels: [],
        color: null,
        is_favourite: false,
        is_archived: false,
      }
    );
  }

  /** As somebody else would. */
  put(edits: RunEdits): void {
    const runs = this.current.runs.filter(({ run }) => run !== edits.run);
    this.current = { ...this.current, runs: [...runs, edits], version: this.current.version + 1 };
  }

  #apply(edit: Edit): EditResult {
    const result = this.#try(edit);
    this.#done.set(edit.id, result);
    return result;
  }

  #try(edit: Edit): EditResult {
    const no = { id: edit.id, is_applied: false, inverse: null, text: null, conflict: null };
    const refusal = this.refusals.get(edit.kind);
    if (refusal !== undefined) return { ...no, error: refusal };
    const before = this.editsOf(edit.run ?? '');
    const inverse = (change: Partial<Edit>): EditResult => ({
      id: edit.id,
      is_applied: true,
      inverse: { id: `inverse of ${edit.id}`, kind: edit.kind, run: before.run, ...change },
      text: null,
      conflict: null,
      error: '',
    });
    switch (edit.kind) {
      case 'name':
        this.put({ ...before, display_name: edit.text || null });
        return inverse({ text: before.display_name });
      case 'archive':
        this.put({ ...before, is_archived: edit.is_on ?? true });
        return inverse({ is_on: before.is_archived });
      case 'note': {
        const base = edit.base ?? null;
        if (base !== null && !before.note.startsWith(base)) {
          return { ...no, conflict: before.note, error: 'Somebody else changed the same lines' };
        }
        const text = `${edit.text ?? ''}${base === null ? '' : before.note.slice(base.length)}`;
        this.put({ ...before, note: text });
        return { ...inverse({ text: before.note, base: text }), text };
      }
      default:
        return { ...no, error: `${edit.kind} is not known here` };
    }
  }
}
