// Notes pinned to points: written once, seen by everyone who opens the log.
import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures';
import { curve, type LogDirectory } from './logs';
import { Screen } from './screen';
import type { Server } from './server';

const POINTS = 50;

interface KeptNote {
  readonly tag: string;
  readonly run: string;
  readonly step: number;
  readonly text: string;
}

async function kept(server: Server): Promise<KeptNote[]> {
  const answer = await fetch(`${server.url}api/v1/workspace`);
  return ((await answer.json()) as { annotations: KeptNote[] }).annotations;
}

async function opened(screen: Screen, logs: LogDirectory, server: Server): Promise<void> {
  await logs.write('a', { loss: curve(POINTS, { noise: 0 }), accuracy: curve(POINTS) });
  await screen.open(`${server.url}#scalars&smoothing=none`, 'loss');
  await screen.waitUntilLive();
}

const editor = ({ page }: Screen): Locator => page.getByRole('dialog', { name: /^Note on / });
const text = (screen: Screen): Locator => editor(screen).getByRole('textbox', { name: 'Note' });

/** The keyboard's cursor, so many points before the end. */
async function pointAt(screen: Screen, tag: string, back: number): Promise<void> {
  await screen.chart(tag).focus();
  await screen.page.keyboard.press('End');
  // After each key: if one is ever lost, it is seen which.
  for (let i = 0; i <= back; i++) {
    if (i > 0) await screen.page.keyboard.press('ArrowLeft');
    await expect(screen.place(tag)).toHaveText(`Step ${POINTS - 1 - i}`);
  }
}

async function writeNote(screen: Screen, words: string): Promise<void> {
  await pointAt(screen, 'loss', 9);
  await screen.page.keyboard.press('n');
  await text(screen).fill(words);
  await text(screen).press('Control+Enter');
  await expect(editor(screen)).toBeHidden();
}

test('a note is written at the cursor, read again, changed, deleted, and brought back', async ({
  page,
  logs,
  server,
  shoot,
}) => {
  const screen = new Screen(page);
  await opened(screen, logs, server);
  await writeNote(screen, 'Halved the rate');
  await expect
    .poll(() => kept(server))
    .toMatchObject([{ tag: 'loss', run: 'a', step: 40, text: 'Halved the rate' }]);

  await pointAt(screen, 'loss', 9);
  await page.keyboard.press('Enter');
  await expect(text(screen)).toHaveValue('Halved the rate');
  await shoot(page, 'note');
  await text(screen).fill('Halved the learning rate');
  await editor(screen).getByRole('button', { name: 'Save' }).click();
  await expect(editor(screen)).toBeHidden();
  await expect
    .poll(async () => (await kept(server)).map((note) => note.text))
    .toEqual(['Halved the learning rate']);

  await pointAt(screen, 'loss', 9);
  await page.keyboard.press('Enter');
  await editor(screen).getByRole('button', { name: 'Delete the note' }).click();
  await expect.poll(() => kept(server)).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect
    .poll(async () => (await kept(server)).map((note) => note.text))
    .toEqual(['Halved the learning rate']);
});

test('a click on a line opens an editor, and what was typed is not lost when it closes', async ({
  page,
  logs,
  server,
}) => {
  const screen = new Screen(page);
  await logs.write('a', { loss: Array.from({ length: 50 }, () => 1) });
  await screen.open(`${server.url}#scalars&smoothing=none`, 'loss');
  const place = await screen.placeIn(screen.chart('loss'), 0.5, 0.5);
  await page.mouse.click(place.x, place.y);
  await expect(text(screen)).toBeFocused();
  await text(screen).fill('Not saved yet');
  await page.keyboard.press('Escape');
  await expect(editor(screen)).toBeHidden();
  await page.mouse.click(place.x, place.y);
  await expect(text(screen)).toHaveValue('Not saved yet');
  expect(await kept(server)).toEqual([]);
});

test('somebody else sees it without a reload, and nobody overwrites the other unseen', async ({
  page,
  browser,
  logs,
  server,
}) => {
  const ours = new Screen(page);
  await opened(ours, logs, server);
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } });
  const theirs = new Screen(await context.newPage());
  await theirs.open(`${server.url}#scalars&smoothing=none`, 'loss');
  await theirs.waitUntilLive();
  await writeNote(ours, 'First');
  await expect(theirs.page.getByRole('button', { name: '1 note…' })).toBeVisible();

  await theirs.page.getByRole('button', { name: '1 note…' }).click();
  await theirs.page.getByRole('button', { name: /First/ }).click();
  await expect(text(theirs)).toHaveValue('First');

  await pointAt(ours, 'loss', 9);
  await page.keyboard.press('Enter');
  await text(ours).fill('First, and more');
  await text(ours).press('Control+Enter');
  await expect(editor(ours)).toBeHidden();
  // Shown at once, sent a moment later; who comes second is who finds it there.
  await expect.poll(async () => (await kept(server)).map((note) => note.text)).toEqual(['First, and more']);

  await text(theirs).fill('Mine');
  await text(theirs).press('Control+Enter');
  await expect(editor(theirs).getByRole('alert')).toContainText('First, and more');
  await expect(text(theirs)).toHaveValue('Mine');
  await text(theirs).press('Control+Enter');
  await expect.poll(async () => (await kept(server)).map((note) => note.text)).toEqual(['Mine']);
  await context.close();
});

test('a refusal keeps the typed text', async ({ page, logs, server }) => {
  const screen = new Screen(page);
  await opened(screen, logs, server);
  await page.route('**/api/v1/workspace/edits', async (route) => {
    const { edits } = route.request().postDataJSON() as { edits: { id: string }[] };
    const results = edits.map(({ id }) => ({
      id,
      is_applied: false,
      inverse: null,
      text: null,
      conflict: null,
      error: 'The disk is full',
    }));
    await route.fulfill({ json: { version: 1, results } });
  });
  await pointAt(screen, 'loss', 9);
  await page.keyboard.press('n');
  await text(screen).fill('Precious');
  await text(screen).press('Control+Enter');
  await expect(editor(screen).getByRole('alert')).toContainText('The disk is full');
  await expect(text(screen)).toHaveValue('Precious');
});

test('a link to a note opens its chart with the selector there, and notes can be hidden', async ({
  page,
  logs,
  server,
  shoot,
}) => {
  const screen = new Screen(page);
  await opened(screen, logs, server);
  await writeNote(screen, 'Look here');
  await pointAt(screen, 'loss', 9);
  await page.keyboard.press('Enter');
  await editor(screen).getByRole('button', { name: 'Copy a link to this point' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain('#');
  const link = await copied();
  await page.keyboard.press('Escape');
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('dialog', { name: 'loss' })).toBeVisible();
  expect(screen.words().get('select')).toBe('40');
  await shoot(page, 'linked');
  await page.keyboard.press('Escape');
  await page.getByRole('switch', { name: /^Show notes on points/ }).click();
  // The selector's table stands where the cursor's place is said otherwise.
  await screen.waitForChart('loss');
  await screen.chart('loss').focus();
  await page.keyboard.press('End');
  for (let i = 0; i < 9; i++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  // The note of the point is found all the same: a second one would hide the first.
  await expect(text(screen)).toHaveValue('Look here');
});
