// What every end-to-end test starts with: a log directory, a server on it, and a page that may not complain. Whatever
// the browser reports as an error (a script's, a refused request, a breach of the content security policy) fails the
// test, unless the test says that it expects it.
import process from 'node:process';
import { test as base, expect, type Page } from '@playwright/test';
import { LogDirectory, Writer } from './logs';
import { Server } from './server';
import { writeTrainingLog } from './training-log';

interface TestFixtures {
  /** More flags for the server: `test.use({ serverArgs: ['--path_prefix', '/a'] })`. */
  serverArgs: string[];
  /** Expressions that errors of this test may match. */
  expectedErrors: RegExp[];
  /** An empty log directory of the test's own. */
  logs: LogDirectory;
  /** A server on it. */
  server: Server;
  /** More of them, for tests that look elsewhere; each is stopped after the page has been closed. */
  startServer: (logdir: string, extraArgs?: readonly string[]) => Promise<Server>;
  /** Takes a picture for people, where $E2E_PICTURES asks for them. */
  shoot: (page: Page, name: string) => Promise<void>;
}

interface WorkerFixtures {
  writer: Writer;
  /** A server on the log of training-log.ts, for all tests that only look. */
  training: Server;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  serverArgs: [[], { option: true }],
  expectedErrors: [[], { option: true }],
  // Room for two cards beside each other between run table and settings.
  viewport: { width: 1600, height: 1000 },

  writer: [
    async ({}, use) => {
      const writer = new Writer();
      await use(writer);
      await writer.end();
    },
    { scope: 'worker' },
  ],

  training: [
    async ({ writer }, use) => {
      const logs = await LogDirectory.create(writer);
      await writeTrainingLog(logs);
      const server = await Server.start(logs.path);
      await use(server);
      await server.stop();
      await logs.remove();
    },
    { scope: 'worker' },
  ],

  logs: async ({ writer }, use) => {
    const logs = await LogDirectory.create(writer);
    await use(logs);
    await logs.remove();
  },

  startServer: async ({}, use) => {
    const started: Server[] = [];
    await use(async (logdir, extraArgs = []) => {
      const server = await Server.start(logdir, extraArgs);
      started.push(server);
      return server;
    });
    await Promise.all(started.map((server) => server.stop()));
  },

  server: async ({ logs, startServer, serverArgs }, use) => {
    await use(await startServer(logs.path, serverArgs));
  },

  context: async ({ context }, use) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await use(context);
  },

  // startServer and logs: they end after the page, which would complain about their end.
  page: async ({ page, expectedErrors, logs: _logs, startServer: _startServer }, use) => {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
    });
    await use(page);
    expect(errors.filter((text) => !expectedErrors.some((one) => one.test(text)))).toEqual([]);
  },

  shoot: async ({}, use, testInfo) => {
    await use(async (page, name) => {
      if (process.env['E2E_PICTURES'] === undefined) return;
      await page.screenshot({ path: testInfo.outputPath(`${name}.png`) });
    });
  },
});

export { expect };
