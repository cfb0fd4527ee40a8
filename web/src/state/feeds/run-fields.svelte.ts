// The hyper-parameters of all runs. Loaded by the first look at them, and again when there may be more: new runs or new
// series, at most every few seconds while a sweep starts hundreds of them.
import type { Client, RunField } from '../../wire/client';
import { Feed } from './feed';

const REFRESH_MS = 3000;

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
  readonly #feed: Feed<'fields', readonly RunField[]>;
  #byName = $state.raw<ReadonlyMap<string, Known>>(new Map());
  #isLoaded = $state(false);
  readonly names: readonly string[] = $derived([...this.#byName.keys()]);

  constructor({ client, serverId }: RunFieldOptions) {
    this.#feed = new Feed<'fields', readonly RunField[]>({
      serverId,
      refreshMs: REFRESH_MS,
      ask: async (_all, signal) => {
        const { server_id, fields } = await client.fields(signal);
        return { serverId: server_id, values: new Map([['fields', fields]]) };
      },
      take: (_all, fields = []) => this.#take(fields),
    });
    this.#feed.want(['fields']);
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
    this.#feed.outdate();
  }

  /** The server was restarted: what is here belongs to other numbers. */
  clear(): void {
    this.#byName = new Map();
    this.#isLoaded = false;
    this.#feed.restart();
  }

  destroy(): void {
    this.#feed.destroy();
  }

  #take(fields: readonly RunField[]): void {
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
