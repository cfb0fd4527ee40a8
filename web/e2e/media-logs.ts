// A log with scalars, pictures and texts that goes on when a test says so, and a server on it.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test as base } from './fixtures';
import { ENVIRONMENT, PYTHON } from './logs';
import { Server } from './server';

export interface MediaLog {
  readonly url: string;
  /** Values at these steps, in one run. */
  write(run: string, steps: readonly number[]): Promise<void>;
}

export const test = base.extend<{ media: MediaLog }>({
  media: async ({}, use) => {
    const directory = await mkdtemp(join(tmpdir(), 'sightline-media-'));
    const script = join(import.meta.dirname, 'write_media.py');
    const child = spawn(PYTHON, [script], { env: ENVIRONMENT, stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const write = async (run: string, steps: readonly number[]): Promise<void> => {
      child.stdin.write(`${JSON.stringify({ directory: join(directory, run), steps })}\n`);
      const answer = await answers.next();
      if (answer.value !== 'done') throw new Error(`writing failed: ${answer.value}`);
    };
    await write('a', [0, 10, 20, 30, 40]);
    await write('b', [0, 20, 40]);
    const server = await Server.start(directory, ['--reload_interval', '1']);
    await use({ url: server.url, write });
    await server.stop();
    child.stdin.end();
    await ended;
    await rm(directory, { recursive: true, force: true });
  },
});

export { expect } from './fixtures';
