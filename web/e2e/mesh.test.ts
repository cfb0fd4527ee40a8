// Meshes: drawn, turned together and alone, as they were logged, downloaded; and what is left where nothing can be drawn. What is drawn
// is read from the pixels of the cards.
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './accessible';
import { expect, test as base } from './fixtures';
import type { Server } from './server';
import { serveWritten } from './written-log';

const test = base.extend<object, { meshes: Server }>({
  meshes: [async ({}, use) => await serveWritten('write_mesh.py', [], use), { scope: 'worker' }],
});

// The same browser, with a graphics card that is made of software.
test.use({
  launchOptions: {
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  },
});

interface Drawn {
  /** Of all pixels, those that are not the ground. */
  readonly share: number;
  /** Mean colour of those. */
  readonly colour: readonly [red: number, green: number, blue: number];
}

class MeshPage {
  constructor(readonly page: Page) {}

  async open(server: Server, filter: string, settings = ''): Promise<void> {
    const words = settings === '' ? '' : `&media=${settings}`;
    await this.page.goto(`${server.url}#mesh&tagFilter=${encodeURIComponent(filter)}${words}`);
  }

  tile(name: string): Locator {
    return this.page.getByRole('article', { name, exact: true });
  }

  view(name: string): Locator {
    return this.tile(name).locator('[data-mesh-view]');
  }

  /** Yaw, pitch, zoom and shift. */
  async pose(name: string): Promise<number[]> {
    return (await this.view(name).getAttribute('data-pose'))!.split(' ').map(Number);
  }

  async drag(name: string, by: readonly [x: number, y: number], button: 'left' | 'right' = 'left') {
    const { x, y, width, height } = (await this.view(name).boundingBox())!;
    const { mouse } = this.page;
    await mouse.move(x + width / 2, y + height / 2);
    await mouse.down({ button });
    await mouse.move(x + width / 2 + by[0], y + height / 2 + by[1], { steps: 4 });
    await mouse.up({ button });
  }

  drawn(name: string): Promise<Drawn> {
    return this.view(name)
      .locator('canvas')
      .evaluate((canvas: HTMLCanvasElement): Drawn => {
        const { width, height } = canvas;
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, Math.max(1, width), Math.max(1, height));
        const sum: [number, number, number] = [0, 0, 0];
        let count = 0;
        for (let i = 0; i < data.length; i += 4) {
          if (data[i + 3]! < 128) continue;
          count += 1;
          for (let channel = 0; channel < 3; channel++) sum[channel]! += data[i + channel]!;
        }
        const [red, green, blue] = sum;
        return { share: (4 * count) / data.length, colour: [red / count, green / count, blue / count] };
      });
  }

  async expectShare(name: string, least: number, most: number): Promise<void> {
    await expect.poll(async () => (await this.drawn(name)).share).toBeGreaterThan(least);
    await expect.poll(async () => (await this.drawn(name)).share).toBeLessThan(most);
  }
}

test('meshes are drawn in their colours, at one scale, and follow the bar of steps', async ({
  page,
  meshes,
}) => {
  const screen = new MeshPage(page);
  await screen.open(meshes, 'solid');
  await screen.expectShare('solid of wide', 0.2, 0.9);
  await screen.expectShare('solid of narrow', 0.08, 0.4);
  const [narrow, wide] = [await screen.drawn('solid of narrow'), await screen.drawn('solid of wide')];
  expect(narrow.share).toBeLessThan(0.8 * wide.share);
  expect(wide.colour[2]).toBeGreaterThan(60);
  expect(wide.colour[0]).toBeLessThan(20);
  await expect(screen.tile('solid of wide')).toContainText('8 vertices · 12 faces');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Previous step' }).first().click();
  await expect.poll(async () => (await screen.drawn('solid of wide')).colour[0]).toBeGreaterThan(60);
  expect((await screen.drawn('solid of wide')).colour[2]).toBeLessThan(20);
});

test('all turn together until they are told not to, by pointer, wheel and keys', async ({ page, meshes }) => {
  const screen = new MeshPage(page);
  await screen.open(meshes, 'solid');
  await screen.expectShare('solid of wide', 0.1, 0.9);
  const before = await screen.pose('solid of wide');
  await screen.drag('solid of narrow', [60, 0]);
  const turned = await screen.pose('solid of wide');
  expect(turned[0]).toBeLessThan(before[0]! - 0.3);
  expect(turned.slice(1)).toEqual(before.slice(1));
  await screen.drag('solid of narrow', [30, 20], 'right');
  expect((await screen.pose('solid of wide')).slice(3)).not.toEqual(before.slice(3));

  // It was pressed, so that the wheel is its own.
  await page.mouse.wheel(0, -200);
  await expect.poll(async () => (await screen.pose('solid of wide'))[2]).toBeGreaterThan(1.2);
  await screen.view('solid of wide').press('ArrowUp');
  await screen.view('solid of wide').press('-');
  await screen.view('solid of wide').press('0');
  expect(await screen.pose('solid of narrow')).toEqual(before);

  await screen.view('solid of wide').press('ArrowUp');
  const together = await screen.pose('solid of wide');
  await page.getByText('One camera for all').click();
  await screen.view('solid of wide').press('ArrowRight');
  expect(await screen.pose('solid of narrow')).toEqual(before);
  expect(await screen.pose('solid of wide')).not.toEqual(before);
  await screen.view('solid of wide').press('0');
  expect(await screen.pose('solid of wide')).toEqual(before);
  await page.getByText('One camera for all').click();
  await expect.poll(() => screen.pose('solid of wide')).toEqual(together);
});

test('faces are wires or points, and a batch is gone through', async ({ page, meshes }) => {
  const screen = new MeshPage(page);
  await screen.open(meshes, 'solid|cloud');
  await screen.expectShare('solid of wide', 0.2, 0.9);
  await page.getByText('Wires', { exact: true }).click();
  await screen.expectShare('solid of wide', 0.002, 0.1);
  await page.getByText('Points', { exact: true }).click();
  await screen.expectShare('solid of wide', 0.0001, 0.01);
  const cloud = screen.tile('cloud of narrow');
  await expect(cloud).toContainText('1 of 2');
  await cloud.getByRole('button', { name: 'Next of the batch' }).click();
  await expect(cloud).toContainText('2 of 2');
  await expect(screen.tile('cloud of wide')).toContainText('2 of 2');
});

test('a place in a batch stays asked for where a step has fewer', async ({ page, meshes }) => {
  const screen = new MeshPage(page);
  await screen.open(meshes, 'batches', 'mesh.sample:3');
  const tile = screen.tile('batches of narrow');
  await expect(tile).toContainText('2 of 2');
  await page.getByRole('button', { name: 'Previous step' }).first().click();
  await expect(tile).toContainText('4 of 4');
  await page.getByRole('button', { name: 'Next step' }).first().click();
  await expect(tile).toContainText('2 of 2');
  await tile.getByRole('button', { name: 'Previous of the batch' }).click();
  await expect(tile).toContainText('1 of 2');
});

test('the logged camera is used, unless one does not want it', async ({ page, meshes }) => {
  const screen = new MeshPage(page);
  await screen.open(meshes, 'seen');
  await screen.expectShare('seen of wide', 0.1, 0.9);
  expect((await screen.pose('seen of wide'))[1]).toBeGreaterThan(1.5);
  await page.getByText('As it was logged', { exact: true }).click();
  await expect.poll(async () => (await screen.pose('seen of wide'))[1]).toBeLessThan(0.5);
});

test('a mesh is saved as a file that other programs read', async ({ page, meshes }) => {
  const screen = new MeshPage(page);
  await screen.open(meshes, 'solid');
  const saving = page.waitForEvent('download');
  await screen.tile('solid of wide').getByRole('button', { name: 'Download as PLY' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe('solid-of-wide-step-10.ply');
  const data = await readFile(await download.path());
  expect(data.toString('latin1')).toContain('element vertex 8\n');
  expect(data.toString('latin1')).toContain('element face 12\n');
});

test('what was left out is said, and nothing is an error', async ({ page, meshes }) => {
  const screen = new MeshPage(page);
  await screen.open(meshes, 'odd');
  const holes = screen.tile('odd/holes of odd');
  await expect(holes).toContainText('1 of 8 vertices are left out: they are NaN or infinite');
  // Each has lines of its own, and nothing of it is cut off.
  const notes = holes.getByRole('listitem');
  await expect(notes).toHaveCount(2);
  await expect(notes.last()).toContainText('are left out: a corner of theirs is missing or not a number');
  for (const note of await notes.all()) {
    await expect(note).toBeInViewport({ ratio: 1 });
    expect(await note.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  }
  await screen.expectShare('odd/holes of odd', 0.05, 0.9);
  await expect(screen.tile('odd/nothing of odd')).toContainText('There is no point to draw');
});

test('ends of an axis are told apart, however far from 0', async ({ page, meshes }) => {
  const screen = new MeshPage(page);
  await screen.open(meshes, 'far', 'mesh.colours:y');
  await expect(screen.tile('far of wide')).toContainText('999999 1000001');
});

test('a lost drawing context comes back', async ({ page, meshes }) => {
  await page.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: unknown[]) {
      const context = Reflect.apply(original, this, args) as WebGL2RenderingContext | null;
      if (args[0] === 'webgl2' && context !== null) Object.assign(window, { drawing: context });
      return context;
    } as typeof original;
  });
  const screen = new MeshPage(page);
  await screen.open(meshes, 'solid');
  await screen.expectShare('solid of wide', 0.2, 0.9);
  await page.evaluate(async () => {
    const { drawing } = window as unknown as { drawing: WebGL2RenderingContext };
    const extension = drawing.getExtension('WEBGL_lose_context')!;
    const lost = new Promise((resolve) => drawing.canvas.addEventListener('webglcontextlost', resolve));
    extension.loseContext();
    await lost;
    // It may come back once all have heard that it was lost.
    await new Promise((resolve) => setTimeout(resolve));
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>('[data-mesh-view] canvas'))
      canvas.getContext('2d')!.clearRect(0, 0, canvas.width, canvas.height);
    extension.restoreContext();
  });
  await screen.expectShare('solid of wide', 0.2, 0.9);
});

test('without WebGL a sentence says so, and the file can be had', async ({ page, meshes }) => {
  await page.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: unknown[]) {
      return args[0] === 'webgl2' ? null : (Reflect.apply(original, this, args) as unknown);
    } as typeof original;
  });
  const screen = new MeshPage(page);
  await screen.open(meshes, 'solid');
  const tile = screen.tile('solid of wide');
  await expect(tile).toContainText('it has no WebGL');
  const saving = page.waitForEvent('download');
  await tile.getByText('Download as PLY').click();
  expect((await saving).suggestedFilename()).toBe('solid-of-wide-step-10.ply');
});
