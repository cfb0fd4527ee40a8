// A server on pictures whose every pixel is known (write_viewer.py), and the viewer that they are looked at in.
import type { Locator, Page } from '@playwright/test';
import { test as base, expect } from './fixtures';
import { frames, Screen } from './screen';
import type { Server } from './server';
import { serveWritten } from './written-log';

export const test = base.extend<object, { pictures: Server }>({
  // The grid behind the viewer asks for it, and the server refuses: as it should.
  expectedErrors: [/pictures%2Fbomb/],

  pictures: [async ({}, use) => await serveWritten('write_viewer.py', [], use), { scope: 'worker' }],
});

interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}
type Colour = readonly [red: number, green: number, blue: number];

/** The viewer as it is met: its panes, and pixels of the pictures in them. */
export class Viewer {
  constructor(readonly page: Page) {}

  get dialog(): Locator {
    return this.page.getByRole('dialog', { name: /^Pictures: / });
  }

  /** The only one, or the one whose name begins like this. */
  pane(name: RegExp = /./): Locator {
    return this.dialog.getByRole('application', { name });
  }

  get readout(): Locator {
    return this.dialog.locator('.readout');
  }

  get scale(): Locator {
    return this.dialog.getByLabel('Scale', { exact: true });
  }

  async open(server: Server, slots: string, ...words: string[]): Promise<void> {
    const media = [`open:${slots}`, ...words].join(',');
    await this.page.goto(`${server.url}#images&media=${media}&full=viewer:pictures`);
    await this.ready();
  }

  /** Pictures are there, and none is on its way. */
  async ready(): Promise<void> {
    await expect(this.pane().first()).toHaveAttribute('data-scale', /./);
    await expect(this.dialog.locator('[aria-busy="true"]')).toHaveCount(0);
  }

  async viewport(pane: Locator): Promise<View> {
    const said = await pane.evaluate(({ dataset }) => [dataset['scale'], dataset['centre']]);
    const [scale = NaN, x = NaN, y = NaN] = said.join().split(',').map(Number);
    return { scale, x, y };
  }

  /** As soon as it does not change any more: a wheel may be on its way yet. */
  async stillViewport(pane: Locator): Promise<View> {
    let last = await this.viewport(pane);
    await expect
      .poll(async () => {
        const before = JSON.stringify(last);
        // Between two looks there are frames, in which it could have moved.
        await frames(this.page, 3);
        last = await this.viewport(pane);
        return JSON.stringify(last) === before;
      })
      .toBe(true);
    return last;
  }

  /** Where the middle of a pixel is, in the window. */
  async placeOf(pane: Locator, x: number, y: number): Promise<{ x: number; y: number }> {
    const box = (await pane.boundingBox())!;
    const view = await this.viewport(pane);
    return {
      x: box.x + box.width / 2 + (x + 0.5 - view.x) * view.scale,
      y: box.y + box.height / 2 + (y + 0.5 - view.y) * view.scale,
    };
  }

  async pointAt(pane: Locator, x: number, y: number): Promise<void> {
    const place = await this.placeOf(pane, x, y);
    await this.page.mouse.move(place.x, place.y);
  }

  /** What is drawn a little off the middle of a pixel. */
  async colourAt(pane: Locator, x: number, y: number): Promise<Colour> {
    const box = (await pane.boundingBox())!;
    const place = await this.placeOf(pane, x, y);
    return await pane.locator('canvas').evaluate(
      (canvas: HTMLCanvasElement, at) => {
        const { data } = canvas.getContext('2d')!.getImageData(at.x, at.y, 1, 1);
        return [data[0]!, data[1]!, data[2]!] as const;
      },
      { x: Math.round(place.x - box.x), y: Math.round(place.y - box.y) },
    );
  }

  async expectColour(pane: Locator, x: number, y: number, colour: Colour): Promise<void> {
    await expect.poll(() => this.colourAt(pane, x, y)).toEqual(colour);
  }

  async mode(name: string): Promise<void> {
    await this.dialog.getByRole('radio', { name, exact: true }).check({ force: true });
  }

  async word(name: string): Promise<string | undefined> {
    const words = (new Screen(this.page).words().get('media') ?? '').split(',');
    return Promise.resolve(words.find((word) => word.startsWith(`${name}:`))?.slice(name.length + 1));
  }
}

export { expect };
