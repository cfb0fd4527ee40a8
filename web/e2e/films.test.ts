// Films: in the grid, and in the player with its frames, speed, steps and several side by side. Every frame of the
// logged films has a colour of its own (write_films.py), so one pixel tells which frame is seen.
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { expect, test as base } from './fixtures';
import { Screen } from './screen';
import type { Server } from './server';
import { serveWritten } from './written-log';

const test = base.extend<object, { films: Server }>({
  films: [async ({}, use) => await serveWritten('write_films.py', [], use), { scope: 'worker' }],
});

// As in write_films.py.
const COLORS = [40, 215].flatMap((r) =>
  [40, 130, 215].flatMap((g) => [40, 215].map((b) => [r, g, b] as const)),
);

/** While a film goes round: looked at as usual, every half or whole second, it would be at the same frame each time. */
const OFTEN = { intervals: [70] };

/** Which of the colours the middle of an image, canvas or video has; −1: none of them. */
async function colorOf(shown: Locator): Promise<number> {
  const seen = await shown.evaluate((element) => {
    const context = new OffscreenCanvas(1, 1).getContext('2d')!;
    context.drawImage(element as HTMLCanvasElement, 0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  });
  return COLORS.findIndex((color) => color.every((value, i) => Math.abs(value - seen[i]!) < 24));
}

class Player {
  constructor(
    readonly page: Page,
    readonly dialog = page.getByRole('dialog'),
  ) {}

  get screens(): Locator {
    return this.dialog.locator('canvas, video');
  }

  button(name: string): Locator {
    return this.dialog.getByRole('button', { name, exact: true });
  }

  get place(): Locator {
    return this.dialog.getByRole('group', { name: 'Film controls' });
  }

  async colors(): Promise<number[]> {
    return Promise.all((await this.screens.all()).map(colorOf));
  }

  /** The controls say the frame, and the pixels show it. */
  async expectFrame(frame: number, count: number, colors: readonly number[]): Promise<void> {
    await expect(this.place).toContainText(`frame ${frame} / ${count}`);
    await expect.poll(() => this.colors()).toEqual(colors);
  }
}

/** The Images page with these tags; films stand still until they are told to, unless `isPlaying`. */
async function open(
  page: Page,
  url: string,
  tags: string,
  { isPlaying = false, words = '' } = {},
): Promise<void> {
  await page.goto(`${url}#images&tagFilter=^${tags}${isPlaying ? '' : '&media=films:0'}${words}`);
}

function tile(page: Page, tag: string, run: string): Locator {
  return page
    .getByRole('region', { name: tag, exact: true })
    .getByRole('button', { name: new RegExp(`^${run}, step`) });
}

test('a GIF: frame by frame, repeat, speed, steps', async ({ page, films, shoot }) => {
  await open(page, films.url, 'films/gif');
  await tile(page, 'films/gif', 'a').click();
  const player = new Player(page);
  // At step 200 the colours are shifted by two.
  await player.expectFrame(1, 8, [2]);
  await page.keyboard.press('ArrowRight');
  await player.expectFrame(2, 8, [3]);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await player.expectFrame(8, 8, [9]);
  await player.button('First frame').click();
  await player.expectFrame(1, 8, [2]);
  await page.keyboard.press('End');
  await player.expectFrame(8, 8, [9]);
  await player.button('Repeat').click();
  await page.keyboard.press('ArrowRight');
  await player.expectFrame(8, 8, [9]);
  await player.dialog.getByRole('slider', { name: 'Frame', exact: true }).fill('4');
  await player.expectFrame(5, 8, [6]);
  await shoot(page, 'gif');

  // Another step of the series: the same frame of another film.
  await page.keyboard.press('Shift+ArrowLeft');
  await player.expectFrame(5, 8, [5]);
  await player.dialog.getByRole('slider', { name: 'Step of the film of a', exact: true }).fill('0');
  await player.expectFrame(5, 8, [4]);

  // Played once to its end, then again and again.
  await player.dialog.getByRole('combobox', { name: 'Speed' }).selectOption('4×');
  await player.dialog.getByRole('heading').click();
  await page.keyboard.press('Space');
  await player.expectFrame(8, 8, [7]);
  await expect(player.button('Play')).toBeVisible();
  await player.button('Repeat').click();
  // Not four times as fast: where a frame takes long to be drawn, the same few of them would be met in every round.
  await player.dialog.getByRole('combobox', { name: 'Speed' }).selectOption('1×');
  await player.dialog.getByRole('heading').click();
  await page.keyboard.press('Space');
  const seen = new Set<number>();
  await expect.poll(async () => seen.add((await player.colors())[0]!).size, OFTEN).toBeGreaterThan(5);
  await player.button('Pause').click();
  // Its keys, above it; leaving them leads back to where the focus was.
  await player.button('Repeat').focus();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard and pointer' });
  await expect(help.getByRole('heading', { level: 3 }).first()).toHaveText('Film player');
  await shoot(page, 'help');
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await expect(player.button('Repeat')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(player.dialog).toBeHidden();
  await expect(tile(page, 'films/gif', 'a')).toBeFocused();
});

test('an MP4: exact frames, forwards and backwards', async ({ page, films }) => {
  await open(page, films.url, 'films/mp4');
  await tile(page, 'films/mp4', 'b').click();
  const player = new Player(page);
  await player.expectFrame(1, 12, [5]);
  for (const frame of [2, 3, 4, 5]) {
    await page.keyboard.press('ArrowRight');
    await player.expectFrame(frame, 12, [(frame + 4) % 12]);
  }
  for (const frame of [4, 3]) {
    await page.keyboard.press('ArrowLeft');
    await player.expectFrame(frame, 12, [(frame + 4) % 12]);
  }
  await page.keyboard.press('End');
  await player.expectFrame(12, 12, [4]);
  await page.keyboard.press('Shift+ArrowLeft');
  await player.expectFrame(12, 12, [3]);
  await expect(player.dialog.getByText(/· MP4 ·/)).toBeVisible();
  // Played by a press on the picture: it moves, and goes round.
  await player.screens.click();
  const seen = new Set<number>();
  await expect.poll(async () => seen.add((await player.colors())[0]!).size, OFTEN).toBeGreaterThan(3);
  await player.screens.click();
  await expect(player.button('Play')).toBeVisible();
  const download = page.waitForEvent('download');
  await player.dialog.getByRole('link', { name: 'Download the film of b', exact: true }).click();
  expect((await download).suggestedFilename()).toMatch(/\.mp4$/);
});

test('films side by side go together', async ({ page, films, shoot }) => {
  await open(page, films.url, 'films/webm', { words: ',film:a;films/webm;;$b;;;&full=viewer:films' });
  const player = new Player(page);
  // The longer one leads.
  await player.expectFrame(1, 12, [0, 3]);
  await player.dialog.getByRole('heading').click();
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
  await player.expectFrame(5, 12, [4, 7]);
  await page.keyboard.press('End');
  await player.expectFrame(12, 12, [5, 2]);
  await expect(player.dialog.getByText('holds its last frame')).toBeVisible();
  // Both move while they play, and never show frames far from each other.
  await page.keyboard.press('Home');
  await player.expectFrame(1, 12, [0, 3]);
  await page.keyboard.press('Space');
  await expect(player.button('Pause')).toBeVisible();
  await expect
    .poll(async () => {
      const [a, b] = await player.colors();
      return a! >= 2 && a! <= 4 && Math.abs(b! - 3 - a!) <= 1;
    }, OFTEN)
    .toBe(true);
  await page.keyboard.press('Space');
  await expect
    .poll(async () => {
      const [a, b] = await player.colors();
      return Math.min(5, (b! + 9) % 12) === a;
    })
    .toBe(true);
  await shoot(page, 'side-by-side');

  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await player.expectFrame(2, 12, [1, 4]);
  await player.button('Take away the film of b').click();
  await player.expectFrame(2, 6, [1]);

  // A link to a film that is there no more, beside one that is.
  await page.goto('about:blank');
  await open(page, films.url, 'films/webm', { words: ',film:gone;films/webm;;5$a;;;&full=viewer:films' });
  await expect(player.dialog.getByText('There is no run called “gone”')).toBeVisible();
  await player.expectFrame(1, 6, [0]);
  await player.button('Take it away').click();
  await expect(player.dialog.getByRole('region', { name: 'Film of gone' })).toHaveCount(0);
  await player.expectFrame(1, 6, [0]);
});

test.describe('odd films', () => {
  // Pictures that cannot be made, and films that cannot be decoded.
  test.use({ expectedErrors: [/422/] });

  test('a film that the browser or nobody can play has a sentence and a download', async ({
    page,
    films,
    shoot,
  }) => {
    await open(page, films.url, 'odd/(?!fine)');
    const player = new Player(page);
    for (const tag of ['odd/cut', 'odd/header']) {
      const place = page.getByRole('region', { name: tag, exact: true });
      await expect(place.getByRole('link', { name: 'Download as logged' })).toBeVisible();
      // In our words, not in those of the browser.
      await expect(place).not.toContainText(/pipeline|demuxer|ffmpeg/i);
    }
    await tile(page, 'odd/mpeg4', 'odd/damaged').click();
    await expect(
      player.dialog.getByText('This browser cannot play the film, or the file is damaged.'),
    ).toBeVisible();
    await expect(player.dialog.getByRole('link', { name: 'Download as logged' })).toBeVisible();
    await expect(player.button('Play')).toBeDisabled();
    await page.keyboard.press('Escape');
    // What is unusual, but fine.
    await tile(page, 'odd/vp8', 'odd/damaged').click();
    await expect(player.dialog.getByText(/· WebM ·/)).toBeVisible();
    await player.expectFrame(1, 6, [0]);
    await page.keyboard.press('Escape');
    await tile(page, 'odd/webp', 'odd/damaged').click();
    await player.expectFrame(1, 5, [0]);
    await page.keyboard.press('End');
    await player.expectFrame(5, 5, [4]);
    await page.keyboard.press('Escape');
    // More frames than the server takes apart: the grid plays it.
    await tile(page, 'odd/long', 'odd/damaged').click();
    await expect(player.dialog.getByText('It plays in the grid while you point at it.')).toBeVisible();
    for (const name of ['Play', 'Next frame']) await expect(player.button(name)).toBeDisabled();
    await expect(player.dialog.getByRole('slider', { name: 'Frame', exact: true })).toBeDisabled();
    await shoot(page, 'too-long');
  });
});

test('of stills and films together, the viewer hands the films over to their player', async ({
  page,
  films,
}) => {
  await open(page, films.url, '(films/webm|still)');
  await tile(page, 'still', 'a').click({ modifiers: ['Control'] });
  for (const run of ['a', 'b']) await tile(page, 'films/webm', run).click({ modifiers: ['Control'] });
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  const viewer = page.getByRole('dialog', { name: /^Pictures/ });
  const openFilms = viewer.getByRole('button', { name: 'Open the films', exact: true });
  await expect(openFilms).toHaveCount(2);
  await openFilms.first().click();
  const player = page.getByRole('dialog', { name: 'films/webm', exact: true });
  await expect(player.locator('video')).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(player).toHaveCount(0);
  await expect(openFilms.first()).toBeFocused();

  // The link has the films and where they stand: a reload brings them back, and so does Forward after Back.
  await openFilms.first().click();
  const shown = new Player(page, player);
  await shown.expectFrame(1, 12, [0, 3]);
  for (const key of ['ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  const words = (): string => new Screen(page).words().get('media') ?? '';
  await expect.poll(words).toContain('film.frame:2');
  await page.reload();
  await shown.expectFrame(3, 12, [2, 5]);
  await page.goBack();
  await expect(player).toHaveCount(0);
  await expect(viewer).toBeVisible();
  await page.goForward();
  await shown.expectFrame(3, 12, [2, 5]);
  await page.keyboard.press('Escape');
  await expect(openFilms).toHaveCount(2);
  await expect.poll(words).not.toContain('film.');
});

test('the grid plays what is in sight, and stands still when that is wished', async ({
  page,
  films,
  shoot,
}) => {
  await open(page, films.url, 'films/', { isPlaying: true });
  const gif = page.getByRole('region', { name: 'films/gif', exact: true });
  const mp4 = page.getByRole('region', { name: 'films/mp4', exact: true });
  await expect(gif.locator('img[data-playing]')).toHaveCount(2);
  const video = mp4.locator('video').first();
  await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.paused)).toBe(false);
  await shoot(page, 'grid');
  await page.getByRole('switch', { name: 'Play films', exact: true }).click({ force: true });
  await expect(gif.locator('img[data-playing]')).toHaveCount(0);
  await expect(mp4.locator('video')).toHaveCount(0);
  // Pointed at, it plays anyway.
  await tile(page, 'films/mp4', 'a').hover();
  await expect.poll(() => video.evaluate((one: HTMLVideoElement) => one.paused)).toBe(false);
  await tile(page, 'films/gif', 'a').focus();
  await expect(gif.locator('img[data-playing]')).toHaveCount(1);
});

test('a film with the focus goes away with its tag, and comes back', async ({ page, films }) => {
  await open(page, films.url, 'films/gif');
  const playing = page.locator('img[data-playing]');
  await expect(page.locator('[data-picture] canvas:visible')).toHaveCount(2);
  await tile(page, 'films/gif', 'a').focus();
  await expect(playing).toHaveCount(1);
  // An error on the page fails the test.
  await open(page, films.url, 'films/mp4');
  await expect(tile(page, 'films/mp4', 'a')).toBeVisible();
  await expect(tile(page, 'films/gif', 'a')).toHaveCount(0);
  await tile(page, 'films/mp4', 'a').focus();
  await page.goBack();
  await expect(tile(page, 'films/gif', 'a')).toBeVisible();
  await expect(playing).toHaveCount(0);
});

test.describe('phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('phone: two films above each other, every control in reach', async ({ page, films, shoot }) => {
    await open(page, films.url, 'films/gif', { words: ',film:a;films/gif;;$b;;;&full=viewer:films' });
    const player = new Player(page);
    await player.button('Next frame').tap();
    await player.expectFrame(2, 8, [3, 6]);
    const boxes = await Promise.all((await player.screens.all()).map((one) => one.boundingBox()));
    expect(boxes[1]!.y).toBeGreaterThanOrEqual(boxes[0]!.y + boxes[0]!.height);
    for (const name of ['Play', 'Repeat', 'Close the player']) {
      const box = (await player.button(name).boundingBox())!;
      expect(box.x + box.width).toBeLessThanOrEqual(390);
      expect(box.y + box.height).toBeLessThanOrEqual(844);
      expect(box.height).toBeGreaterThanOrEqual(44);
    }
    const slider = player.dialog.getByRole('slider', { name: 'Frame', exact: true });
    expect((await slider.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    const { x, y, width, height } = (await slider.boundingBox())!;
    await page.touchscreen.tap(x + width - 8, y + height / 2);
    await player.expectFrame(8, 8, [9, 0]);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
    await shoot(page, 'phone');
  });

  test('phone: four films below each other, each with its steps inside', async ({ page, films, shoot }) => {
    const slots = 'a;films/gif;;200$b;;;200$a;films/mp4;;200$b;;;200';
    await open(page, films.url, 'films/', { words: `,film:${slots}&full=viewer:films` });
    const { dialog } = new Player(page);
    const tiles = dialog.getByRole('region', { name: /^Film of / });
    await expect(tiles).toHaveCount(4);
    await expect(dialog.getByRole('textbox', { name: /, typed$/ })).toHaveCount(4);
    for (const one of await tiles.all()) {
      const box = (await one.boundingBox())!;
      expect(box.width).toBeGreaterThan(300);
      for (const control of await one.locator('input').all()) {
        const { x, y, width, height } = (await control.boundingBox())!;
        expect([x >= box.x, x + width <= box.x + box.width]).toEqual([true, true]);
        expect([y >= box.y, y + height <= box.y + box.height]).toEqual([true, true]);
      }
    }
    // How they are played, all of it in one line.
    const [speed, repeat] = await Promise.all([
      dialog.getByLabel('Speed', { exact: true }).boundingBox(),
      dialog.getByRole('button', { name: 'Repeat', exact: true }).boundingBox(),
    ]);
    expect(Math.abs(speed!.y + speed!.height / 2 - repeat!.y - repeat!.height / 2)).toBeLessThan(8);
    await shoot(page, 'phone-four');
  });
});
