// Changes what people added to the log: sends edits, shows them before the server has answered, takes them back when it
// refuses, and remembers how to undo them – with the inverse edits that the server's answers carry, so that undoing one
// change never takes another person's with it. Who undoes what is still on its way need not wait: that goes behind it.
//
// Edits go one request after the other, in the order they were made. What was sent lies on top of what the server served
// until an answer that was asked for later has it.
import { ApiError, type Client, type Edit, type EditResult, type Workspace } from '../wire/client';
import { newEditId, withEdits } from './workspace-edits';
import type { NewEdit, WorkspaceOptions } from './workspace.svelte';

/** Edits in one request: a change of ten thousand runs goes in a few. */
export const MOST_AT_ONCE = 2000;
const MOST_STEPS = 100;
/** Only the last change has a message: two of them would contradict each other, and an older one would undo out of turn. */
const TOPIC = 'edit';
/** An answer got lost: once more, with the same ids, so that nothing is done twice. */
const RETRY_MS = 500;
const PATIENCE_MS = 30_000;

interface Pending {
  edits: readonly Edit[];
  /** The server has them. */
  isConfirmed: boolean;
}

interface Step {
  readonly words: string;
  /** A promise until the server has answered; none: nothing changed that could be taken back. */
  edits: Edits | Promise<Edits>;
}

type Edits = readonly Edit[];

interface EditorOptions extends WorkspaceOptions {
  readonly client: Pick<Client, 'workspace' | 'edit'>;
  /** null: not loaded yet. */
  readonly served: () => Workspace | null;
  /** What lies on top changed. */
  readonly show: () => void;
  readonly refresh: () => Promise<void>;
  /** Replaced by tests. */
  readonly wait?: (ms: number) => Promise<void>;
}

export class WorkspaceEditor {
  readonly #options: EditorOptions;
  #pending: readonly Pending[] = [];
  #undoable = $state.raw<readonly Step[]>([]);
  #redoable = $state.raw<readonly Step[]>([]);
  /** The last request; the next one waits for it. */
  #last: Promise<unknown> = Promise.resolve();
  #isDestroyed = false;

  constructor(options: EditorOptions) {
    this.#options = options;
  }

  get undoWords(): string | null {
    return this.#undoable.at(-1)?.words ?? null;
  }

  get redoWords(): string | null {
    return this.#redoable.at(-1)?.words ?? null;
  }

  async apply(news: readonly NewEdit[], words: string): Promise<readonly EditResult[]> {
    if (news.length === 0) return [];
    const sent = this.#send(news.map((edit) => ({ ...edit, id: newEditId() })));
    // At once: people undo what they see, which may be before the server has answered.
    const step: Step = { words, edits: sent.then(inverses) };
    const redoable = this.#redoable;
    this.#undoable = [...this.#undoable, step].slice(-MOST_STEPS);
    this.#redoable = [];
    const results = await sent;
    const isStep = this.#settle(step, results);
    if (!isStep) this.#redoable = [...redoable, ...this.#redoable];
    if (!this.#complain(words, results) && isStep) {
      const run = (): void => void this.#take(step, 'undo');
      this.#options.announce(inPast(words), { label: 'Undo', run }, TOPIC);
    }
    return results;
  }

  undo(): Promise<boolean> {
    return this.#take(this.#undoable.at(-1), 'undo');
  }

  redo(): Promise<boolean> {
    return this.#take(this.#redoable.at(-1), 'redo');
  }

  /** The served workspace with what the server does not have yet, as far as is known. */
  onTop(served: Workspace): Workspace {
    return withEdits(
      served,
      this.#pending.flatMap(({ edits }) => edits),
    );
  }

  /** Called when the workspace is asked for; what it returns, when the answer is there. */
  markSent(): () => void {
    const had = new Set(this.#pending.filter(({ isConfirmed }) => isConfirmed));
    return () => {
      this.#pending = this.#pending.filter((one) => !had.has(one));
    };
  }

  destroy(): void {
    this.#isDestroyed = true;
  }

  async #take(step: Step | undefined, which: 'undo' | 'redo'): Promise<boolean> {
    const [from, to] = this.#lists(which);
    if (step === undefined || !from.includes(step)) return false;
    const sent = this.#send(step.edits);
    const back: Step = { words: step.words, edits: sent.then(inverses) };
    this.#keep(
      which,
      from.filter((one) => one !== step),
      [...to, back],
    );
    const results = await sent;
    const isBack = this.#settle(back, results);
    // It was on its way and changed nothing, which has been told.
    if (results.length === 0) return false;
    const words = `${which === 'undo' ? 'Undo' : 'Redo'}: ${step.words}`;
    const hasFailed = this.#complain(words, results);
    const [left, right] = this.#lists(which);
    // What could not be sent can be tried again; what the server refused will be refused again.
    const isLost = results.every(({ is_applied: isApplied, id }) => !isApplied && id === '');
    if (isLost) this.#keep(which, [...left, step], right);
    if (!hasFailed) {
      const other = which === 'undo' ? 'redo' : 'undo';
      this.#options.announce(
        which === 'undo' ? `Undone: ${step.words}` : `Done again: ${step.words}`,
        isBack
          ? { label: which === 'undo' ? 'Redo' : 'Undo', run: () => void this.#take(back, other) }
          : undefined,
        TOPIC,
      );
    }
    return !isLost && results.some(({ is_applied: isApplied }) => isApplied);
  }

  /** The server has answered: whether the step leads anywhere. One that does not is forgotten. */
  #settle(step: Step, results: readonly EditResult[]): boolean {
    const edits = inverses(results);
    step.edits = edits;
    if (edits.length > 0) return true;
    this.#undoable = this.#undoable.filter((one) => one !== step);
    this.#redoable = this.#redoable.filter((one) => one !== step);
    return false;
  }

  /** Where such a step is taken from, and where the way back goes. */
  #lists(which: 'undo' | 'redo'): [readonly Step[], readonly Step[]] {
    return which === 'undo' ? [this.#undoable, this.#redoable] : [this.#redoable, this.#undoable];
  }

  #keep(which: 'undo' | 'redo', from: readonly Step[], to: readonly Step[]): void {
    this.#undoable = which === 'undo' ? from : to;
    this.#redoable = which === 'undo' ? to : from;
  }

  /** Says what was not saved, once for all edits; false: nothing to say. A note's conflict is for who wrote the note. */
  #complain(words: string, results: readonly EditResult[]): boolean {
    const failed = results.filter(({ is_applied: isApplied }) => !isApplied);
    if (failed.length === 0) return false;
    const refused = failed.filter(({ conflict }) => conflict === null);
    if (refused.length > 0) {
      const many = results.length > 1 ? ` (${refused.length} of ${results.length})` : '';
      this.#options.announce(`Not saved${many}: ${words}. ${refused[0]!.error}`);
    }
    return true;
  }

  async #send(edits: Edits | Promise<Edits>): Promise<readonly EditResult[]> {
    const pending: Pending = { edits: edits instanceof Promise ? [] : edits, isConfirmed: false };
    this.#pending = [...this.#pending, pending];
    this.#options.show();
    const turn = this.#last.then(async () => {
      // What is undone stands earlier in this queue: its answer is there.
      if (edits instanceof Promise) {
        pending.edits = await edits;
        this.#options.show();
      }
      return await this.#request(pending.edits);
    });
    this.#last = turn;
    const results = await turn;
    const applied = pending.edits.flatMap((edit, i) => {
      const { is_applied: isApplied, text } = results[i]!;
      if (!isApplied) return [];
      return edit.kind === 'note' && text !== null ? { ...edit, text } : edit;
    });
    pending.edits = applied;
    pending.isConfirmed = true;
    if (applied.length === 0) this.#pending = this.#pending.filter((one) => one !== pending);
    this.#options.show();
    if (applied.length > 0 && !this.#isDestroyed) void this.#options.refresh();
    return results;
  }

  /** Never rejects; a result whose id is empty never reached the server, or its answer never reached us. */
  async #request(edits: readonly Edit[]): Promise<readonly EditResult[]> {
    const results: EditResult[] = [];
    for (let i = 0; i < edits.length; i += MOST_AT_ONCE) {
      try {
        results.push(...(await this.#requestTwice(edits.slice(i, i + MOST_AT_ONCE))));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        while (results.length < edits.length) {
          results.push({
            id: '',
            is_applied: false,
            inverse: null,
            text: null,
            conflict: null,
            error: reason,
          });
        }
        // What comes after would be told as not saved, whatever became of it.
        break;
      }
    }
    return results;
  }

  async #requestTwice(edits: readonly Edit[]): Promise<readonly EditResult[]> {
    const ask = async (): Promise<readonly EditResult[]> => {
      const request = { edits: [...edits] };
      const { results } = await this.#options.client.edit(request, AbortSignal.timeout(PATIENCE_MS));
      const byId = new Map(results.map((result) => [result.id, result]));
      return edits.map(({ id }) => byId.get(id) ?? missing(id));
    };
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError && error.isConnectionLost)) throw error;
      await (this.#options.wait ?? waitMs)(RETRY_MS);
      return await ask();
    }
  }
}

function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function missing(id: string): EditResult {
  const error = 'The server said nothing about it';
  return { id, is_applied: false, inverse: null, text: null, conflict: null, error };
}

/** The way back. Last edits first: that is how they come off. */
function inverses(results: readonly EditResult[]): Edits {
  return results.flatMap(({ inverse }) => inverse ?? []).reverse();
}

const PAST = new Map([
  ['Add', 'Added'],
  ['Annotate', 'Annotated'],
  ['Archive', 'Archived'],
  ['Change', 'Changed'],
  ['Clear', 'Cleared'],
  ['Colour', 'Coloured'],
  ['Delete', 'Deleted'],
  ['Edit', 'Edited'],
  ['Label', 'Labelled'],
  ['Move', 'Moved'],
  ['Pin', 'Pinned'],
  ['Remove', 'Removed'],
  ['Rename', 'Renamed'],
  ['Reset', 'Reset'],
  ['Restore', 'Restored'],
  ['Save', 'Saved'],
  ['Set', 'Set'],
  ['Star', 'Starred'],
  ['Unarchive', 'Unarchived'],
]);

/** "Rename a" → "Renamed a". */
function inPast(words: string): string {
  const [verb = '', ...rest] = words.split(' ');
  return [PAST.get(verb) ?? verb, ...rest].join(' ');
}
