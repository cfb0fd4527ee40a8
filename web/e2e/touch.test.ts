// Fingers, as a phone's screen reports them: pictures are pinched and moved, the slider of steps is drawn, the divider is
// taken hold of beside its line, and a finger that moves over pictures scrolls the page.
import type { CDPSession, Locator, Page } from '@playwright/test';
import { test as base, expect } from './fixtures';
import { frames } from './screen';
import { writeLog } from './written-log';

interface Place {
  readonly x: number;
  readonly y: number;
}

/** From here to there, in pixels of the window. */
type Path = readonly [from: Place, to: Place];

const MOVES = 6;

class Fingers {
  constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  /** All of them at once, each on its way; every place is seen by the page before the next one. */
  async move(...paths: Path[]): Promise<void> {
    await this.send(
      'touchStart',
      paths.map(([from]) => from),
    );
    for (let i = 1; i <= MOVES; i++) {
      const share = i / MOVES;
      const places = paths.map(([a, b]) => ({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share }));
      await this.send('touchMove', places);
    }
    await this.send('touchEnd', []);
  }

  private async send(type: 'touchStart' | 'touchMove' | 'touchEnd', places: readonly Place[]): Promise<void> {
    const touchPoints = places.map(({ x, y }, id) => ({ x, y, id }));
    await this.session.send('Input.dispatchTouchEvent', { type, touchPoints });
    // Browsers hand over the movements of a finger once a frame; those of one frame are one.
    await frames(this.page, 1);
  }
}

const test = base.extend<{ fingers: Fingers }>({
  fingers: async ({ page }, use) => {
    await use(new Fingers(page, await page.context().newCDPSession(page)));
  },
});
// The grid asks for the bomb's thumbnail, and the server refuses: as it should.
test.use({
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  expectedErrors: [/pictures%2Fbomb/],
});

async function middleOf(place: Locator): Promise<Place & { readonly width: number }> {
  const { x, y, width, height } = (await place.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2, width };
}

/** Chromium scrolls a little after the finger, and not from its first movement on. */
async function expectScrolled(page: Page): Promise<void> {
  const position = (): Promise<number> =>
    page.evaluate(() => Math.max(...[...document.querySelectorAll('.scroller')].map((one) => one.scrollTop)));
  await expect.poll(position).toBeGreaterThan(0);
}

test('pictures: scroll, step slider, pinch, pan and divider by touch', async ({
  page,
  logs,
  server,
  fingers,
}) => {
  await writeLog('write_viewer.py', logs.path);
  await page.goto(`${server.url}#images`);
  const tile = page.getByRole('button', { name: 'first, step 200', exact: true }).last();
  await expect(tile).toBeVisible();

  // A finger that moves over the pictures scrolls, and opens nothing.
  await fingers.move([
    { x: 100, y: 560 },
    { x: 100, y: 260 },
  ]);
  await expectScrolled(page);
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const slider = page.getByRole('slider', { name: 'Step of everything', exact: true });
  const track = await middleOf(slider);
  await fingers.move([{ x: track.x + track.width / 2 - 8, y: track.y }, track]);
  await expect(slider).toHaveAttribute('aria-valuetext', 'step 100');

  await page.goto(`${server.url}#images&media=open:first;pictures/digits;;200&full=viewer:pictures`);
  const dialog = page.getByRole('dialog', { name: /^Pictures: / });
  const pane = dialog.getByRole('application');
  await expect(pane).toHaveAttribute('data-scale', /./);
  const scale = async (): Promise<number> => Number(await pane.getAttribute('data-scale'));
  const left = async (): Promise<number> => Number((await pane.getAttribute('data-centre'))!.split(',')[0]);
  const before = await scale();
  const middle = await middleOf(pane);
  const beside = (px: number): Place => ({ x: middle.x + px, y: middle.y });
  // Two fingers go three times as far apart.
  await fingers.move([beside(-30), beside(-90)], [beside(30), beside(90)]);
  await expect.poll(async () => (await scale()) / before).toBeCloseTo(3, 1);
  const centre = await left();
  await fingers.move([middle, beside(60)]);
  await expect.poll(async () => (centre - (await left())) * (await scale())).toBeCloseTo(60, 0);
  // It was the picture that grew, not the page.
  expect(await page.evaluate(() => visualViewport!.scale)).toBe(1);

  await page.goto('about:blank');
  const both = 'open:first;pictures/digits;;0$other;;;0,open.mode:swipe';
  await page.goto(`${server.url}#images&media=${both}&full=viewer:pictures`);
  const divider = dialog.getByRole('slider', { name: 'Divider between A and B', exact: true });
  await expect(divider).toHaveAttribute('aria-valuenow', '50');
  const line = await middleOf(divider);
  // Beside the line, where a finger that aims at it comes down.
  await fingers.move([
    { x: line.x + 18, y: line.y },
    { x: line.x + 78, y: line.y },
  ]);
  await expect(divider).toHaveAttribute('aria-valuenow', '70');
});
