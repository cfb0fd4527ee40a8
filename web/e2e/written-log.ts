// Logs that a script of this folder writes, and a server on one for the tests that only look at it.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ENVIRONMENT, PYTHON } from './logs';
import { Server } from './server';

/** The script gets the directory and `args`. */
export async function writeLog(
  script: string,
  directory: string,
  args: readonly string[] = [],
): Promise<void> {
  const path = join(import.meta.dirname, script);
  await promisify(execFile)(PYTHON, [path, directory, ...args], { env: ENVIRONMENT });
}

/** The script gets the directory and `args`. Log and server are there while `use` runs. */
export async function serveWritten(
  script: string,
  args: readonly string[],
  use: (server: Server) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'sightline-e2e-'));
  await writeLog(script, directory, args);
  const server = await Server.start(directory);
  await use(server);
  await server.stop();
  await rm(directory, { recursive: true, force: true });
}
