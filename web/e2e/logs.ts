// Log directories of tests. Everything in them is written by the real writer, in one process that lives as long as the
// tests do: starting Python for every few points would take most of their time.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

export const ROOT = join(import.meta.dirname, '..', '..');

/** The Python that has the package: the project's own unless $PYTHON_E2E names another. */
export const PYTHON = process.env['PYTHON_E2E'] ?? join(ROOT, '.venv', 'bin', 'python');

/** The sources as they are, unless $PYTHONPATH_E2E names a copy of them (with another build of the page). */
const SOURCES = process.env['PYTHONPATH_E2E'] ?? join(ROOT, 'src');
export const ENVIRONMENT = { ...process.env, PYTHONPATH: SOURCES, PYTHONUNBUFFERED: '1', TZ: 'UTC' };

export type Value = number | 'NaN' | 'Infinity' | '-Infinity';

export interface WriteOptions {
  readonly firstStep?: number;
  /** Wall time of step 0 in seconds; the present otherwise. */
  readonly startedS?: number;
  /** The run goes on: its file stays open, and the next write goes into it. */
  readonly isOpen?: boolean;
}

/** The writing process. Orders are carried out one after the other. */
export class Writer {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly answers: Interface;
  private last: Promise<unknown> = Promise.resolve();

  constructor() {
    const script = join(import.meta.dirname, 'write_scalars.py');
    this.child = spawn(PYTHON, [script], { env: ENVIRONMENT, stdio: ['pipe', 'pipe', 'inherit'] });
    this.answers = createInterface({ input: this.child.stdout });
  }

  write(directory: string, tags: Record<string, readonly Value[]>, options: WriteOptions): Promise<void> {
    const order = {
      directory,
      first_step: options.firstStep ?? 0,
      started_s: options.startedS ?? null,
      is_open: options.isOpen ?? false,
      tags,
    };
    const turn = this.last.then(async () => {
      const answer = new Promise<string>((resolve, reject) => {
        const fail = (code: number | null): void =>
          reject(new Error(`the writer ended with code ${String(code)}`));
        this.child.once('exit', fail);
        this.answers.once('line', (line) => {
          this.child.off('exit', fail);
          resolve(line);
        });
      });
      this.child.stdin.write(`${JSON.stringify(order)}\n`);
      const text = await answer;
      if (text !== 'done') throw new Error(`the writer could not write: ${text}`);
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin.end();
    await ended;
  }
}

export class LogDirectory {
  /** Runs whose file was left open. */
  private readonly open = new Set<string>();

  private constructor(
    readonly path: string,
    private readonly writer: Writer,
  ) {}

  static async create(writer: Writer): Promise<LogDirectory> {
    return new LogDirectory(await mkdtemp(join(tmpdir(), 'sightline-e2e-')), writer);
  }

  /** Points of one run; they are on disk when this resolves. Into a new file, unless the last one was left open. */
  async write(
    run: string,
    tags: Record<string, readonly Value[]>,
    options: WriteOptions = {},
  ): Promise<void> {
    if (options.isOpen === true) this.open.add(run);
    else this.open.delete(run);
    await this.writer.write(join(this.path, run), tags, options);
  }

  /** Finished runs, each with a curve of its own. */
  async writeCurves(runs: readonly string[]): Promise<void> {
    for (const [phase, run] of runs.entries()) await this.write(run, { 'train/loss': curve(40, { phase }) });
  }

  async remove(): Promise<void> {
    for (const run of this.open) await this.write(run, {});
    await rm(this.path, { recursive: true, force: true });
  }
}

/** A falling curve with a little regular noise, the same on every run of the tests; each value fits a float32. */
export function curve(count: number, { from = 1, to = 0.1, noise = 0.02, phase = 0 } = {}): number[] {
  return Array.from({ length: count }, (_, i) => {
    const base = to + (from - to) * Math.exp((-4 * i) / count);
    return Math.fround(base + noise * Math.sin((i + phase) * 12.9898) * Math.cos(i * 78.233));
  });
}
