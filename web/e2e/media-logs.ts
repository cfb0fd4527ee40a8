// A log with scalars, pictures and texts that goes on when a test says so, and a server on it.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test as base } from './fixtures';
import { ENVIRONMENT, PYTHON } from './logs';

export interface MediaLog {
  readonly url: string;
  /** Values at these steps, in one run; of these tags instead of the usual ones. */
  write(run: string, steps: readonly number[], tags?: MediaTags): Promise<void>;
}

export interface MediaTags {
  readonly images?: readonly string[];
  /** Markdown by tag. */
  readonly texts?: Readonly<Record<string, string>>;
}

export const test = base.extend<{ media: MediaLog }>({
  // The server ends after the page, which would complain about its end.
  media: async ({ logs, startServer }, use) => {
    const directory = logs.path;
    const script = join(import.meta.dirname, 'write_media.py');
    const child = spawn(PYTHON, [script], { env: ENVIRONMENT, stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const write = async (run: string, steps: readonly number[], tags: MediaTags = {}): Promise<void> => {
      child.stdin.write(`${JSON.stringify({ directory: join(directory, run), steps, ...tags })}\n`);
      const answer = await answers.next();
      if (answer.value !== 'done') throw new Error(`writing failed: ${answer.value}`);
    };
    await write('a', [0, 10, 20, 30, 40]);
    await write('b', [0, 20, 40]);
    const server = await startServer(directory);
    await use({ url: server.url, write });
    child.stdin.end();
    await ended;
  },
});

export { expect } from './fixtures';
