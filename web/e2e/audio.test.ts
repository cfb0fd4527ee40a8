// Sounds: seen, heard, repeated and compared. What is heard is read from the browser's own audio nodes, not
// from what the page says about them.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './accessible';
import { expect, test as base } from './fixtures';
import { Screen } from './screen';
import type { Server } from './server';
import { serveWritten } from './written-log';

const test = base.extend<object, { sounds: Server }>({
  sounds: [async ({}, use) => await serveWritten('write_audio.py', [], use), { scope: 'worker' }],
});

/** Nodes that exist, in the order in which they were made. */
interface Nodes {
  readonly gains: GainNode[];
  readonly sources: AudioBufferSourceNode[];
}

class SoundPage {
  constructor(readonly page: Page) {}

  /** The dashboard with the tags that the filter lets through. */
  async open(server: Server, filter: string, words = ''): Promise<void> {
    await this.page.addInitScript(() => {
      const nodes: Nodes = { gains: [], sources: [] };
      Object.assign(window, { nodes });
      const { createGain, createBufferSource } = BaseAudioContext.prototype;
      BaseAudioContext.prototype.createGain = function () {
        const node = createGain.call(this);
        nodes.gains.push(node);
        return node;
      };
      BaseAudioContext.prototype.createBufferSource = function () {
        const node = createBufferSource.call(this);
        nodes.sources.push(node);
        return node;
      };
    });
    await this.page.goto(`${server.url}#audio&tagFilter=${encodeURIComponent(filter)}${words}`);
  }

  tile(name: string): Locator {
    return this.page.getByRole('article', { name, exact: true });
  }

  position(within: Locator): Promise<number> {
    return within.locator('[data-position]').evaluate((element) => Number(element.dataset['position']));
  }

  seeker(within: Locator): Locator {
    return within.getByRole('slider', { name: /^Position in/ });
  }

  /** From one share of the width to another. */
  async drag(area: Locator, from: number, to: number): Promise<void> {
    const { x, y, width, height } = (await area.boundingBox())!;
    await this.page.mouse.move(x + from * width, y + height / 2);
    await this.page.mouse.down();
    await this.page.mouse.move(x + ((from + to) / 2) * width, y + height / 2);
    await this.page.mouse.move(x + to * width, y + height / 2);
    await this.page.mouse.up();
  }

  /** Amplitudes of all gains but the volume, which is made first. */
  gains(): Promise<number[]> {
    return this.page.evaluate(() =>
      (window as unknown as { nodes: Nodes }).nodes.gains
        .slice(1)
        .map((node) => Math.round(10 * node.gain.value) / 10),
    );
  }

  /** What a side of the comparison is: run and step. */
  async expectSide(name: 'A' | 'B', run: string, step: number): Promise<void> {
    const side = this.page.getByRole('group', { name: `Side ${name}`, exact: true });
    await expect(side.locator('select').first().locator('option:checked')).toHaveText(run);
    await expect(side.getByRole('slider')).toHaveAttribute('aria-valuetext', `step ${step}`);
  }

  sourceCount(): Promise<number> {
    return this.page.evaluate(() => (window as unknown as { nodes: Nodes }).nodes.sources.length);
  }
}

test('a sound is seen at once, fetched when it is played, sought in and repeated', async ({
  page,
  sounds,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('audio/sound')) asked.push(request.url());
  });
  const screen = new SoundPage(page);
  await screen.open(sounds, 'sine');
  const tile = screen.tile('loud, step 200');
  await expect(tile.locator('[data-waveform]')).toBeVisible();
  await expect(tile).toContainText('16 kHz · mono · 16 bit');
  await expect(tile.locator('[data-position]')).toHaveText('0:00.00 / 0:02.00');
  expect(asked).toEqual([]);

  await tile.getByRole('button', { name: 'Play loud, step 200', exact: true }).click();
  await expect.poll(() => screen.position(tile)).toBeGreaterThan(0.2);
  expect(asked.length).toBe(1);
  // Another one silences it, and a second play begins where it was.
  const other = screen.tile('soft, step 200');
  await other.getByRole('button', { name: 'Play soft, step 200', exact: true }).click();
  await expect(tile.getByRole('button', { name: 'Play loud, step 200', exact: true })).toBeVisible();
  await expect.poll(() => screen.position(other)).toBeGreaterThan(0);
  await other.getByRole('button', { name: 'Pause soft, step 200', exact: true }).click();

  // By pointer, by the ruler, and by keys.
  const seeker = screen.seeker(tile);
  const { width, height } = (await seeker.boundingBox())!;
  await seeker.click({ position: { x: width / 2, y: height / 2 } });
  await expect.poll(() => screen.position(tile)).toBeCloseTo(1, 1);
  await seeker.press('ArrowRight');
  await expect.poll(() => screen.position(tile)).toBeCloseTo(1.1, 1);
  await seeker.press('Home');
  await expect.poll(() => screen.position(tile)).toBe(0);
  // On the whole tile they are the same.
  await tile.press('End');
  await expect.poll(() => screen.position(tile)).toBe(2);
  await tile.press('Shift+ArrowLeft');
  await expect.poll(() => screen.position(tile)).toBeCloseTo(1.5, 5);
  await tile.press('Home');
  await expect.poll(() => screen.position(tile)).toBe(0);
  await expect(seeker).toHaveAttribute('aria-valuetext', '0:00.00 of 0:02.00');

  // A drag goes through it.
  await screen.drag(seeker, 0.25, 0.4);
  await expect.poll(() => screen.position(tile)).toBeCloseTo(0.8, 1);
  // Repeated it goes back again and again; let go it ends.
  await seeker.press('r');
  await seeker.press('End');
  await seeker.press('ArrowLeft');
  await seeker.press('Space');
  const places: number[] = [];
  await expect
    .poll(async () => {
      places.push(await screen.position(tile));
      return places.some((place, i) => i > 0 && place < places[i - 1]!);
    })
    .toBe(true);
  await seeker.press('r');
  // It ends by itself.
  await expect(tile.getByRole('button', { name: 'Play loud, step 200', exact: true })).toBeVisible();
  await expect(tile.locator('[data-position]')).toHaveText('0:02.00 / 0:02.00');

  // Another step, for this tile alone; then the one bar for all.
  const step = tile.getByRole('slider', { name: 'Step of loud', exact: true });
  await step.press('ArrowLeft');
  await expect(screen.tile('loud, step 100')).toBeVisible();
  await expect(other).toBeVisible();
  await page.getByRole('slider', { name: 'Step of everything', exact: true }).press('Home');
  await expect(screen.tile('loud, step 0')).toBeVisible();
  await expect(screen.tile('soft, step 0')).toBeVisible();

  await screen
    .tile('soft, step 0')
    .getByRole('button', { name: 'More about soft, step 0', exact: true })
    .click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download as logged' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe('speech_sine_step_0.wav');
  expect((await readFile(await file.path())).subarray(0, 4).toString()).toBe('RIFF');
});

test('spectrograms show what sounds are', async ({ page, sounds }) => {
  const screen = new SoundPage(page);
  await screen.open(sounds, 'sine');
  const settings = page.getByRole('complementary', { name: 'Audio: settings' });
  const words = new Screen(page);
  await settings.getByRole('radio', { name: 'Spectrum', exact: true }).check();
  await expect.poll(() => words.words().get('media')).toContain('sounds:spectrogram');
  const spectrogram = screen.tile('loud, step 200').locator('[data-spectrogram="done"]');
  await expect(spectrogram).toBeVisible();
  await expect(screen.tile('loud, step 200')).toContainText('1 kHz');
  /** The brightest row of the middle column, as a share of the height from the top. */
  const brightest = (of: Locator): Promise<number> =>
    of.evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas
        .getContext('2d')!
        .getImageData(Math.floor(canvas.width / 2), 0, 1, canvas.height);
      const rows = Array.from({ length: canvas.height }, (_, y) => data[4 * y]! + data[4 * y + 1]!);
      return rows.indexOf(Math.max(...rows)) / canvas.height;
    });
  // 500 Hz between 30 Hz and 8 kHz, logarithmically, is half way up.
  await expect.poll(() => brightest(spectrogram)).toBeCloseTo(0.5, 1);
  await settings.getByRole('radio', { name: 'Linear', exact: true }).check();
  await expect.poll(() => brightest(spectrogram)).toBeCloseTo(1 - 500 / 8000, 1);
  await settings.getByRole('button', { name: 'Reset all settings' }).click();
  await expect(spectrogram).toHaveCount(0);
  await expect.poll(() => words.words().get('media')).toBeNull();
});

test('two sounds are compared at the same place', async ({ page, sounds }) => {
  const screen = new SoundPage(page);
  await screen.open(sounds, 'sine');
  const tile = screen.tile('loud, step 200');
  await expect(tile.locator('[data-waveform]')).toBeVisible();
  const before = await tile.boundingBox();
  await tile.getByRole('button', { name: 'Compare loud, step 200 as A' }).click();
  const comparison = page.getByRole('region', { name: 'Comparison of sounds', exact: true });
  await expect(comparison).toContainText('Press B on a sound');
  // Nothing jumps, also when the last of it has come.
  await expect(comparison.locator('[data-waveform]')).toHaveCount(1);
  expect(await tile.boundingBox()).toEqual(before);
  await screen.seeker(screen.tile('soft, step 200')).press('b');
  await screen.expectSide('A', 'loud', 200);
  await screen.expectSide('B', 'soft', 200);
  await expect(comparison.locator('[data-waveform]')).toHaveCount(2);
  expect(await tile.boundingBox()).toEqual(before);
  await expectAccessible(page);

  await comparison.getByRole('button', { name: 'Repeat the sound', exact: true }).click();
  await comparison.getByRole('button', { name: 'Play the comparison', exact: true }).click();
  await expect.poll(() => screen.position(comparison)).toBeGreaterThan(0.3);
  await expect.poll(() => screen.gains()).toEqual([1, 0]);
  const started = await screen.sourceCount();
  expect(started).toBe(2);
  await page.keyboard.press('x');
  await expect.poll(() => screen.gains()).toEqual([0, 1]);
  await expect(comparison.getByRole('radio', { name: 'B', exact: true })).toBeChecked();
  await page.keyboard.press('a');
  await expect.poll(() => screen.gains()).toEqual([1, 0]);
  await comparison.getByRole('radio', { name: 'B', exact: true }).check();
  await expect.poll(() => screen.gains()).toEqual([0, 1]);
  // Nothing was started anew: both have run all the time, so that the place is the same.
  expect(await screen.sourceCount()).toBe(started);
  await expect(comparison.getByRole('button', { name: 'Pause the comparison', exact: true })).toBeVisible();

  // On a sound and in the comparison letters are theirs; elsewhere they are the page's. The help says so.
  const runs = page.getByRole('region', { name: 'Runs', exact: true });
  await page.getByRole('slider', { name: 'Step of everything', exact: true }).focus();
  await page.keyboard.press('b');
  await expect(runs).toHaveCount(0);
  await page.keyboard.press('b');
  await expect(runs).toBeVisible();
  // A press anywhere on it is enough.
  await comparison.getByText('x switches', { exact: true }).click();
  await page.keyboard.press('a');
  await expect.poll(() => screen.gains()).toEqual([1, 0]);
  await page.keyboard.press('b');
  await expect.poll(() => screen.gains()).toEqual([0, 1]);
  await expect(runs).toBeVisible();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard and pointer' });
  await expect(help.getByRole('heading', { name: /^Sounds/ })).toHaveText(/on a sound, or in the comparison/);
  for (const key of ['Home', 'End']) {
    await expect(help.getByText(key, { exact: true })).toBeVisible();
  }
  // Nothing here is a chart.
  await expect(help).not.toContainText('charts');
  await page.keyboard.press('Escape');

  await comparison.getByRole('button', { name: 'End the comparison', exact: true }).click();
  await expect(comparison).toHaveCount(0);

  // Both by the pointer, then the space bar: the two are heard. By keys the button is one that is pressed again.
  await tile.getByRole('button', { name: 'Compare loud, step 200 as A' }).click();
  await expect(tile).toBeFocused();
  const asB = screen.tile('soft, step 200').getByRole('button', { name: 'Compare soft, step 200 as B' });
  await asB.click();
  await page.keyboard.press('Space');
  await expect(comparison.getByRole('button', { name: 'Pause the comparison', exact: true })).toBeVisible();
  await screen.expectSide('B', 'soft', 200);
  await asB.press('Space');
  await expect(comparison).toContainText('Press B on a sound');
  await asB.press('Space');
  await expect(asB).toBeFocused();
  await screen.expectSide('B', 'soft', 200);
  await comparison.getByRole('button', { name: 'End the comparison', exact: true }).click();

  // Two steps of one run.
  await screen.tile('soft, step 200').getByRole('button', { name: 'Compare soft, step 200 as A' }).click();
  await screen
    .tile('soft, step 200')
    .getByRole('slider', { name: 'Step of soft', exact: true })
    .press('Home');
  await screen.tile('soft, step 0').getByRole('button', { name: 'Compare soft, step 0 as B' }).click();
  await screen.expectSide('A', 'soft', 200);
  await screen.expectSide('B', 'soft', 0);

  // Another run and step in place; a reload, and Back to the page, bring the same two.
  await comparison.getByRole('combobox', { name: 'B: run', exact: true }).selectOption('loud');
  await comparison.getByRole('slider', { name: 'B: step', exact: true }).press('ArrowRight');
  await screen.expectSide('B', 'loud', 100);
  const words = new Screen(page);
  await expect.poll(() => words.words().get('media')).toMatch(/sound\.b:loud;speech\/sine;;100/);
  await page.reload();
  await screen.expectSide('A', 'soft', 200);
  await screen.expectSide('B', 'loud', 100);
  await expect(comparison.locator('[data-waveform]')).toHaveCount(2);
  // A run that is there no more is named; the other side is still there.
  const link = page.url().replace('sound.b:loud', 'sound.b:gone');
  await page.goto('about:blank');
  await page.goto(link);
  await expect(comparison.getByRole('alert')).toHaveText('There is no run called “gone”');
  await expect(comparison.locator('[data-waveform]')).toHaveCount(1);
  await comparison.getByRole('combobox', { name: 'B: run', exact: true }).selectOption('loud');
  await screen.expectSide('B', 'loud', 100);
});

test.describe('steps with different numbers of sounds', () => {
  // A sample that a step does not have.
  test.use({ expectedErrors: [/404/] });

  test('more sounds have more tiles, keys mean what a tile shows, and leaving the page ends the sound', async ({
    page,
    sounds,
  }) => {
    const screen = new SoundPage(page);
    await page.setViewportSize({ width: 500, height: 500 });
    await screen.open(sounds, 'more|sine|batch', '&media=soundtile:1200');
    await expect(screen.tile('loud, step 200').first()).toBeVisible();
    const more = page.getByRole('region', { name: 'more', exact: true });
    await expect(more.getByRole('article')).toHaveCount(2);
    await more.getByRole('slider', { name: 'Step of loud', exact: true }).press('ArrowLeft');
    await expect(more.getByRole('article', { name: 'loud 1/3, step 100', exact: true })).toBeVisible();
    await page.getByRole('slider', { name: 'Step of everything', exact: true }).fill('1');
    await expect(more.getByRole('article', { name: 'loud 3/3, step 100', exact: true })).toHaveCount(1);

    // The keys mean what the tile shows now, not what it showed when it got the focus.
    const first = more.getByRole('article').first();
    const step = first.getByRole('slider', { name: 'Step of loud 1/3', exact: true });
    await step.press('ArrowLeft');
    await expect(more.getByRole('article', { name: 'loud 1/3, step 0', exact: true })).toBeVisible();
    await step.press('Shift+A');
    const comparison = page.getByRole('region', { name: 'Comparison of sounds', exact: true });
    await expect(comparison).toContainText('more');
    await screen.expectSide('A', 'loud', 0);
    await comparison.getByRole('button', { name: 'End the comparison', exact: true }).click();
    await expect(screen.seeker(page.locator('[data-sound]')).first()).toBeFocused();

    await first.getByRole('button', { name: 'Repeat the sound', exact: true }).click();
    await first.getByRole('button', { name: 'Play loud 1/3, step 0', exact: true }).click();
    await expect.poll(() => screen.position(first)).toBeGreaterThan(0);
    const isSilent = (): Promise<boolean> =>
      page.evaluate(() => (window as unknown as { stopped: number }).stopped > 0);
    await page.evaluate(() => {
      Object.assign(window, { stopped: 0 });
      const { stop } = AudioScheduledSourceNode.prototype;
      AudioScheduledSourceNode.prototype.stop = function (...when) {
        (window as unknown as { stopped: number }).stopped += 1;
        stop.apply(this, when);
      };
    });
    await page.evaluate(() => (location.hash = '#images'));
    await expect.poll(isSilent).toBe(true);
  });
});

test.describe('odd sounds', () => {
  test.use({ expectedErrors: [/422/] });

  test('every format plays, labels are Markdown, and what cannot be played says why', async ({
    page,
    sounds,
  }) => {
    const screen = new SoundPage(page);
    await screen.open(sounds, 'formats');
    for (const tag of ['bits-24', 'flac', 'mp3', 'ogg', 'streamed']) {
      const section = page.getByRole('region', { name: `formats/${tag}`, exact: true });
      await section.scrollIntoViewIfNeeded();
      const tile = section.getByRole('article');
      await expect(tile.locator('[data-waveform]')).toBeVisible();
      await tile.getByRole('button', { name: 'Play loud, step 0', exact: true }).click();
      await expect.poll(() => screen.position(tile), { message: tag }).toBeGreaterThan(0.05);
      await tile.getByRole('button', { name: 'Pause loud, step 0', exact: true }).click();
    }
    await expect(page.getByRole('region', { name: 'formats/streamed', exact: true })).toContainText(
      'The header leaves the length open',
    );
    // Its waveform is drawn by the server; the browser has no decoder for it.
    const doubles = page.getByRole('region', { name: 'formats/doubles', exact: true }).getByRole('article');
    await doubles.getByRole('button', { name: 'Play loud, step 0', exact: true }).click();
    await expect(doubles).toContainText('This browser cannot play the sound (audio/wav)');

    await page.getByPlaceholder('Filter tags (regex)').fill('odd|batch');
    await expect(page.getByRole('region', { name: 'odd/damaged', exact: true })).toContainText(
      'The format chunk of the WAV file is cut short: it is damaged',
    );
    await expect(page.getByRole('region', { name: 'odd/picture', exact: true })).toContainText(
      'This is no sound, but image/png',
    );
    const labelled = screen.tile('loud 1/2, step 200');
    await expect(labelled.locator('strong')).toHaveText('Said');
    await expect(labelled.locator('script')).toHaveCount(0);
    await expect(screen.tile('loud 2/2, step 200').locator('code')).toHaveText('second');
  });
});

test('among charts the comparison is in one card, and the settings have those of sounds', async ({
  page,
  sounds,
  shoot,
}) => {
  const link = 'sound.a:loud;speech/sine;;200,sound.b:soft;speech/batch;;200';
  await page.goto(`${sounds.url}#timeseries&tagFilter=speech&media=kinds:audio,${link}`);
  const cards = ['speech/sine', 'speech/batch'].map((tag) => new Screen(page).card(tag));
  const comparison = page.getByRole('region', { name: 'Comparison of sounds', exact: true });
  for (const card of cards) await expect(card.locator('[data-waveform]').first()).toBeVisible();
  await expect(comparison).toHaveCount(1);
  await expect(comparison.locator('[data-waveform]')).toHaveCount(2);

  const pane = page.getByRole('complementary', { name: 'Chart settings', exact: true });
  const settings = pane.getByRole('region', { name: 'Sounds', exact: true });
  await settings.getByRole('radio', { name: 'Spectrum', exact: true }).check();
  await expect(cards[0]!.locator('[data-spectrogram="done"]').first()).toBeVisible();
  await shoot(page, 'among-charts');
  await settings.getByRole('button', { name: 'Reset settings of sounds', exact: true }).click();
  await expect(page.locator('[data-spectrogram]')).toHaveCount(0);
});

test('tags of few sounds share a row', async ({ page, sounds }) => {
  const screen = new SoundPage(page);
  await screen.open(sounds, '^formats/(bits-24|doubles)$', '&runFilter=^loud$');
  const tiles = page.getByRole('article', { name: /^loud, step/ });
  await expect(tiles.locator('[data-waveform]')).toHaveCount(2);
  const [left, right] = (await Promise.all((await tiles.all()).map((one) => one.boundingBox()))).map(
    (box) => box!,
  );
  expect(right!.y).toBe(left!.y);
  expect(right!.width).toBe(left!.width);
  expect(right!.x).toBeGreaterThan(left!.x + left!.width);
});

test.describe('dark', () => {
  test.use({ colorScheme: 'dark' });

  test('dark: tiles with both pictures', async ({ page, sounds, shoot }) => {
    const screen = new SoundPage(page);
    await screen.open(sounds, 'batch', '&media=sounds:both');
    await expect(screen.tile('loud 1/2, step 200').locator('[data-spectrogram="done"]')).toBeVisible();
    await expectAccessible(page);
    await shoot(page, 'audio-dark');
  });
});

test.describe('phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('phone: tap to play, and the sheet of settings', async ({ page, sounds, shoot }) => {
    const screen = new SoundPage(page);
    await screen.open(sounds, 'sine');
    const tile = screen.tile('loud, step 200');
    await tile.getByRole('button', { name: 'Play loud, step 200', exact: true }).tap();
    await expect.poll(() => screen.position(tile)).toBeGreaterThan(0.1);
    const { width } = (await tile.boundingBox())!;
    expect(width).toBeLessThan(390);
    await expectAccessible(page);
    await shoot(page, 'audio-phone');
    await page.getByRole('button', { name: 'Audio: settings', exact: true }).tap();
    const sheet = page.getByRole('dialog', { name: 'Audio: settings' });
    await sheet.getByText('Both', { exact: true }).tap();
    await page.keyboard.press('Escape');
    await expect(tile.locator('[data-spectrogram="done"]')).toBeVisible();

    // The comparison: play and close in one line, the pair in the next.
    await tile.getByRole('button', { name: 'Compare loud, step 200 as A', exact: true }).tap();
    await page.getByRole('button', { name: 'Compare soft, step 200 as B', exact: true }).tap();
    const comparison = page.getByRole('region', { name: 'Comparison of sounds', exact: true });
    const boxOf = async (name: string) =>
      (await comparison.getByRole('button', { name, exact: true }).boundingBox())!;
    const hear = comparison.getByRole('radiogroup', { name: 'Heard', exact: true });
    await expect(hear).toBeVisible();
    const [play, close] = [await boxOf('Play the comparison'), await boxOf('End the comparison')];
    const pair = (await hear.boundingBox())!;
    expect(close.y).toBeCloseTo(play.y, 0);
    expect(close.x + close.width).toBeGreaterThan(360);
    expect(pair.y).toBeGreaterThanOrEqual(play.y + play.height);
    await shoot(page, 'audio-phone-comparison');
  });
});
