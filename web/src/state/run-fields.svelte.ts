// The hyper-parameters of all runs. Loaded by the first look at them, and again when there may be more: new runs or new
// series, at most every few seconds while a sweep starts hundreds of them.
import { isAbort, type Client, type RunField } from '../wire/client';

const MOST_OFTEN_MS = 3000;
const LONGEST_RETRY_MS = 30_000;

export type FieldValue = number | string | boolean;

/** What the run table, groups and filters ask for. */
export interface FieldsOfRuns {
  /** In the server's order. */
  readonly names: readonly string[];
  /** False until the first answer. */
  readonly isLoaded: boolean;
  kindOf(name: string): RunField['kind'] | undefined;
  /** undefined: the run has no such hyper-parameter. */
  value(name: string, id: number): FieldValue | undefined;
}

export interface RunFieldOptions {
  readonly client: Pick<Client, 'fields'>;
  readonly serverId: () => string;
}

interface Known {
  readonly field: RunField;
  readonly byRun: ReadonlyMap<number, FieldValue>;
}

export class RunFieldStore implements FieldsOfRuns {
  readonly #options: RunFieldOptions;
  #byName = $state.raw<ReadonlyMap<string, Known>>(new Map());
  #isLoaded = $state(false);
  #names = $derived([...this.#byName.keys()]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastMs = -Infinity;
  #retryMs = MOST_OFTEN_MS;
  /** The running question. */
  #abort: AbortController | null = null;
  #isAgain = false;

  constructor(options: RunFieldOptions) {
    this.#options = options;
    this.#plan(0);
  }

  get names(): readonly string[] {
    return this.#names;
  }

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  kindOf(name: string): RunField['kind'] | undefined {
    return this.#byName.get(name)?.field.kind;
  }

  value(name: string, id: number): FieldValue | undefined {
    return this.#byName.get(name)?.byRun.get(id);
  }

  /** There may be new ones. */
  outdate(): void {
    this.#plan(Math.max(0, this.#lastMs + MOST_OFTEN_MS - performance.now()));
  }

  /** The server was restarted: what is here belongs to other numbers. */
  clear(): void {
    this.#byName = new Map();
    this.#isLoaded = false;
    this.#plan(0);
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#abort?.abort();
  }

  #plan(delayMs: number): void {
    if (this.#abort !== null) {
      this.#isAgain = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#fetch(), delayMs);
  }

  async #fetch(): Promise<void> {
    this.#lastMs = performance.now();
    this.#isAgain = false;
    const abort = new AbortController();
    this.#abort = abort;
    let retryMs = 0;
    try {
      const answer = await this.#options.client.fields(abort.signal);
      // Of other runs than the table's: the table is about to be replaced.
      if (answer.server_id === this.#options.serverId()) this.#take(answer.fields);
      else retryMs = MOST_OFTEN_MS;
    } catch (error) {
      // Whether the server can be reached is shown elsewhere.
      if (isAbort(error)) return;
      retryMs = this.#retryMs;
      this.#retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
    }
    this.#abort = null;
    this.#goOn(retryMs);
  }

  #goOn(retryMs: number): void {
    if (retryMs > 0) this.#plan(retryMs);
    else if (this.#isAgain) this.outdate();
  }

  #take(fields: readonly RunField[]): void {
    this.#retryMs = MOST_OFTEN_MS;
    this.#isLoaded = true;
    const before = this.#byName;
    const after = new Map(
      fields.map((field) => {
        const known = before.get(field.name);
        return [field.name, known && isSameField(known.field, field) ? known : toKnown(field)];
      }),
    );
    const isSame =
      before.size === after.size && [...after].every(([name, known]) => before.get(name) === known);
    if (!isSame) this.#byName = after;
  }
}

function toKnown(field: RunField): Known {
  const byRun = new Map<number, FieldValue>();
  field.run.forEach((id, i) => {
    const value = field.value[i] as FieldValue | null | undefined;
    // JSON has no number for what is not finite: such a one is as good as missing.
    if (value !== undefined && value !== null) byRun.set(id, value);
  });
  return { field, byRun };
}

function isSameField(a: RunField, b: RunField): boolean {
  return (
    a.kind === b.kind &&
    a.run.length === b.run.length &&
    a.run.every((id, i) => id === b.run[i] && a.value[i] === b.value[i])
  );
}
