// The real server as a process of its own, with a port of its own, that a test can stop and start again.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { ENVIRONMENT, PYTHON } from './logs';

const START_LIMIT_MS = 60_000;
const POLL_MS = 20;
const SIGNALS = { SIGTERM: 15, SIGKILL: 9, SIGINT: 2 };

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** The process that all servers of a worker are forked from: see fork_servers.py. It ends with the worker. */
class Forks {
  private readonly input: Writable;
  private readonly answers: AsyncIterator<string>;
  private last: Promise<unknown> = Promise.resolve();
  /** Of what the servers print. */
  readonly directory = mkdtempSync(join(tmpdir(), 'sightline-e2e-output-'));

  constructor() {
    process.once('exit', () => rmSync(this.directory, { recursive: true, force: true }));
    const script = join(import.meta.dirname, 'fork_servers.py');
    const child = spawn(PYTHON, [script], { env: ENVIRONMENT, stdio: ['pipe', 'pipe', 'inherit'] });
    child.unref();
    for (const stream of [child.stdin, child.stdout] as unknown as { unref(): void }[]) stream.unref();
    this.input = child.stdin;
    this.answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  /** Orders are carried out one after the other. */
  order(what: object): Promise<number | null> {
    const turn = this.last.then(async () => {
      this.input.write(`${JSON.stringify(what)}\n`);
      const answer = await this.answers.next();
      if (answer.done === true) throw new Error('the process that starts servers has ended');
      return JSON.parse(answer.value) as number | null;
    });
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

let made: Forks | null = null;

/** Made by the first server of a worker. */
const forks = (): Forks => (made ??= new Forks());

export class Server {
  private pid: number | null = null;

  private constructor(
    private readonly logdir: string,
    private readonly extraArgs: readonly string[],
    readonly port: number,
  ) {}

  static async start(logdir: string, extraArgs: readonly string[] = []): Promise<Server> {
    const server = new Server(logdir, extraArgs, await freePort());
    await server.start();
    return server;
  }

  /** Where the page is, path prefix included, with a slash at the end. */
  get url(): string {
    const at = this.extraArgs.indexOf('--path_prefix');
    const prefix = at === -1 ? '' : (this.extraArgs[at + 1] ?? '').replace(/\/$/, '');
    return `http://127.0.0.1:${this.port}${prefix}/`;
  }

  private get output(): string {
    return join(forks().directory, `${this.port}.txt`);
  }

  /** Everything the process has printed so far. */
  get printed(): string {
    return readFileSync(this.output, 'utf-8');
  }

  async start(): Promise<void> {
    const args = ['--logdir', this.logdir, '--port', String(this.port), ...this.extraArgs];
    const pid = await forks().order({ start: args, output: this.output });
    this.pid = pid;
    const until = Date.now() + START_LIMIT_MS;
    while (!(await this.isAnswering())) {
      if ((await forks().order({ ended: pid })) !== null)
        throw new Error(`the server ended:\n${this.printed}`);
      if (Date.now() > until) throw new Error(`the server does not answer:\n${this.printed}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** Any answer will do: with a token it is a refusal. */
  private async isAnswering(): Promise<boolean> {
    try {
      await fetch(`${this.url}api/v1/environment`);
      return true;
    } catch {
      return false;
    }
  }

  async stop(signal: keyof typeof SIGNALS = 'SIGTERM'): Promise<number | null> {
    const pid = this.pid;
    this.pid = null;
    return pid === null ? null : await forks().order({ stop: pid, signal: SIGNALS[signal] });
  }
}
