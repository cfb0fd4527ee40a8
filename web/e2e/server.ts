// The real server as a child process, with a port of its own, that a test can stop and start again.
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { ENVIRONMENT, PYTHON } from './logs';

const START_LIMIT_MS = 30_000;
const POLL_MS = 50;

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

export class Server {
  private child: ChildProcess | null = null;
  private output = '';

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

  /** Everything the process has printed so far. */
  get printed(): string {
    return this.output;
  }

  async start(): Promise<void> {
    const args = ['-m', 'sightline', '--logdir', this.logdir, '--port', String(this.port), ...this.extraArgs];
    const child = spawn(PYTHON, args, { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    const collect = (chunk: Buffer) => (this.output += chunk.toString());
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const until = Date.now() + START_LIMIT_MS;
    while (!(await this.isAnswering())) {
      if (child.exitCode !== null) throw new Error(`the server ended:\n${this.output}`);
      if (Date.now() > until) throw new Error(`the server does not answer:\n${this.output}`);
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

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.child;
    this.child = null;
    if (child === null) return null;
    if (child.exitCode !== null) return child.exitCode;
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    return await ended;
  }
}
