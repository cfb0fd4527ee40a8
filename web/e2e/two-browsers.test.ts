// Two people look at the same log and write about the same run at the same time: everyone sees what the other did without
// a reload, and nothing that anybody wrote is lost.
import type { Browser, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { curve, type LogDirectory } from './logs';
import { Screen } from './screen';
import type { Server } from './server';

interface KeptRun {
  readonly run: string;
  readonly display_name: string | null;
  readonly note: string;
  readonly labels: readonly string[];
}

/** What the server has about a run. */
async function keptOf(server: Server, run: string): Promise<KeptRun | undefined> {
  const answer = await fetch(`${server.url}api/v1/workspace`);
  return ((await answer.json()) as { runs: KeptRun[] }).runs.find((one) => one.run === run);
}

async function keptLabels(server: Server, run: string): Promise<string[]> {
  return [...((await keptOf(server, run))?.labels ?? [])].sort();
}

/** One edit through the API, from inside of a page, as a script of its own would send it. */
async function edit(page: Page, edits: readonly Record<string, unknown>[]): Promise<unknown[]> {
  return await page.evaluate(async (list) => {
    const answer = await fetch('api/v1/workspace/edits', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ edits: list }),
    });
    return ((await answer.json()) as { results: unknown[] }).results;
  }, edits);
}

/** A second person: another browser context, with its own storage and its own stream of events. */
async function second(browser: Browser, server: Server): Promise<Screen> {
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } });
  const screen = new Screen(await context.newPage());
  await screen.open(server.url, 'loss');
  await screen.waitUntilLive();
  return screen;
}

async function bothOpen(
  page: Page,
  browser: Browser,
  logs: LogDirectory,
  server: Server,
): Promise<[Screen, Screen]> {
  await logs.write('exp/a', { loss: curve(50) });
  await logs.write('exp/b', { loss: curve(50, { phase: 1 }) });
  const ours = new Screen(page);
  await ours.open(server.url, 'loss');
  await ours.waitUntilLive();
  return [ours, await second(browser, server)];
}

/** By the row's menu. */
async function choose(screen: Screen, run: string, item: RegExp): Promise<void> {
  await screen.runRow(run).click({ button: 'right' });
  await screen.page.getByRole('menuitem', { name: item }).click();
}

async function rename(screen: Screen, run: string, name: string): Promise<void> {
  await choose(screen, run, /^Rename/);
  await expect(screen.page.getByRole('textbox', { name: /^New name of/ })).toBeFocused();
  await screen.page.keyboard.type(name);
  await screen.page.keyboard.press('Enter');
}

async function openNote(screen: Screen, run: string): Promise<void> {
  await choose(screen, run, /^Note/);
  await expect(noteArea(screen)).toBeVisible();
}

const noteArea = ({ page }: Screen) => page.getByRole('textbox', { name: /^Note on / });
const saveNote = ({ page }: Screen) =>
  page.getByRole('region', { name: 'Note', exact: true }).getByRole('button', { name: 'Save' });

test('a name given in one browser is there in the other, in the table and in the charts', async ({
  page,
  browser,
  logs,
  server,
}) => {
  const [ours, theirs] = await bothOpen(page, browser, logs, server);
  await rename(ours, 'exp/a', 'Baseline');
  await expect(ours.runRow('Baseline')).toBeVisible();
  await expect(theirs.runRow('Baseline')).toBeVisible();
  await expect
    .poll(async () => (await theirs.runsIn('loss')).some((run) => run.includes('Baseline')))
    .toBe(true);

  // Both rename at once: the later one counts, for both, and the first can still be had back.
  await Promise.all([
    edit(page, [{ id: 'one', kind: 'name', run: 'exp/b', text: 'Ours' }]),
    edit(theirs.page, [{ id: 'two', kind: 'name', run: 'exp/b', text: 'Theirs' }]),
  ]);
  const name = (await keptOf(server, 'exp/b'))!.display_name!;
  expect(['Ours', 'Theirs']).toContain(name);
  for (const screen of [ours, theirs]) await expect(screen.runRow(name)).toBeVisible();
  await theirs.page.context().close();
});

test('labels that both add at once are all there', async ({ page, browser, logs, server }) => {
  const [ours, theirs] = await bothOpen(page, browser, logs, server);
  const add = (screen: Screen, who: string) =>
    Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        edit(screen.page, [{ id: `${who}-${i}`, kind: 'add_label', run: 'exp/a', text: `${who} ${i}` }]),
      ),
    );
  await Promise.all([add(ours, 'ours'), add(theirs, 'theirs')]);
  const expected = ['ours', 'theirs']
    .flatMap((who) => Array.from({ length: 20 }, (_, i) => `${who} ${i}`))
    .sort();
  expect(await keptLabels(server, 'exp/a')).toEqual(expected);

  // By hand, and seen by the other.
  await choose(ours, 'exp/a', /^Labels/);
  await page.getByRole('textbox', { name: 'Add a label' }).fill('by hand');
  await page.keyboard.press('Enter');
  await expect.poll(() => keptLabels(server, 'exp/a')).toContain('by hand');
  await choose(theirs, 'exp/a', /^Labels/);
  await expect(theirs.page.getByRole('button', { name: 'Remove label by hand' })).toBeVisible();
  await theirs.page.context().close();
});

test('notes that both write at once are put together', async ({ page, browser, logs, server }) => {
  const [ours, theirs] = await bothOpen(page, browser, logs, server);
  await edit(page, [{ id: 'first', kind: 'note', run: 'exp/a', text: 'Setup\n\nResult\n' }]);
  await expect.poll(async () => (await keptOf(server, 'exp/a'))?.note).toBe('Setup\n\nResult\n');
  for (const screen of [ours, theirs]) {
    // This page has heard of it, too.
    await expect(screen.runRow('exp/a').getByRole('button', { name: /^Note on/ })).toBeVisible();
    await openNote(screen, 'exp/a');
    await expect(noteArea(screen)).toHaveValue('Setup\n\nResult\n');
  }
  await noteArea(ours).fill('Setup: ours\n\nResult\n');
  await noteArea(theirs).fill('Setup\n\nResult: theirs\n');
  await saveNote(ours).click();
  await expect.poll(async () => (await keptOf(server, 'exp/a'))?.note).toBe('Setup: ours\n\nResult\n');
  await saveNote(theirs).click();
  await expect
    .poll(async () => (await keptOf(server, 'exp/a'))?.note)
    .toBe('Setup: ours\n\nResult: theirs\n');
  // Each reads both.
  for (const screen of [ours, theirs]) {
    const note = screen.page.getByRole('region', { name: 'Note', exact: true });
    await expect(note).toContainText('Setup: ours');
    await expect(note).toContainText('Result: theirs');
  }
  await theirs.page.context().close();
});

test('notes that change the same line are both shown to who comes second', async ({
  page,
  browser,
  logs,
  server,
}) => {
  const [ours, theirs] = await bothOpen(page, browser, logs, server);
  for (const screen of [ours, theirs]) await openNote(screen, 'exp/a');
  await noteArea(ours).fill('ours');
  await noteArea(theirs).fill('theirs');
  await saveNote(ours).click();
  await expect.poll(async () => (await keptOf(server, 'exp/a'))?.note).toBe('ours');
  await saveNote(theirs).click();
  const note = theirs.page.getByRole('region', { name: 'Note', exact: true });
  await expect(note.getByRole('alert')).toContainText('Somebody else changed the same lines');
  expect((await keptOf(server, 'exp/a'))?.note).toBe('ours');
  const both = await noteArea(theirs).inputValue();
  expect(both).toContain('ours');
  expect(both).toContain('theirs');
  await saveNote(theirs).click();
  await expect.poll(async () => (await keptOf(server, 'exp/a'))?.note).toBe(both);
  await theirs.page.context().close();
});

test.describe('while the server is away', () => {
  test.use({ expectedErrors: [/net::ERR_(CONNECTION|INCOMPLETE|EMPTY|NETWORK)/] });

  test('an edit fails with a sentence; when it is back, what others did is there', async ({
    page,
    logs,
    server,
  }) => {
    await logs.write('a', { loss: curve(20) });
    const screen = new Screen(page);
    await screen.open(server.url, 'loss');
    await screen.waitUntilLive();
    // The first edit loads what makes edits.
    await choose(screen, 'a', /^Add to favourites/);
    await expect.poll(async () => (await keptOf(server, 'a')) !== undefined).toBe(true);
    await server.stop();
    await rename(screen, 'a', 'Lost');
    await expect(
      page.getByRole('status').getByText(/^Not saved: Rename a\. The server does not answer/),
    ).toBeVisible();
    await expect(screen.runRow('a')).toBeVisible();
    await server.start();
    await screen.waitUntilLive();
    await edit(page, [{ id: 'later', kind: 'name', run: 'a', text: 'Found' }]);
    await expect(screen.runRow('Found')).toBeVisible();
  });
});
