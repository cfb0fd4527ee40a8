// Somebody looks closer: by dragging, with the wheel, and back again. All cards go along, and close up every point is
// there.
import type { Page, Response } from '@playwright/test';
import { decodeFrame, type DecodedSeries } from '../src/wire/frame';
import type { ScalarRequest } from '../src/wire/generated';
import { expect, test } from './fixtures';
import { curve } from './logs';
import { numberFrom, Screen } from './screen';
import { DENSE_COUNT, pointsOf } from './training-log';

const DENSE = '2026-02-11/dense';

/** What the server answers next to a query about this tag, for a part of the x axis or (false) for all of it. */
async function nextSeries(page: Page, tag: string, isZoomed: boolean): Promise<DecodedSeries[]> {
  let index = -1;
  const isIt = (response: Response): boolean => {
    if (!response.url().endsWith('api/v1/scalars')) return false;
    const { queries } = response.request().postDataJSON() as ScalarRequest;
    index = queries.findIndex((query) => query.tag === tag && Array.isArray(query.x_range) === isZoomed);
    return index !== -1;
  };
  const response = await page.waitForResponse(isIt);
  const body = await response.body();
  const frame = decodeFrame(
    body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength) as ArrayBuffer,
  );
  return frame.series.filter(({ query }) => query === index);
}

test('dragging over a chart zooms all charts, and a double click shows everything again', async ({
  page,
  training,
  shoot,
}) => {
  const screen = new Screen(page);
  await screen.open(`${training.url}#timeseries&runFilter=seed`, 'val/loss');
  await screen.dragZoom(screen.chart('val/loss'), 0.25, 0.5);
  const [from, to] = await screen.waitForXRange();
  expect(from).toBeGreaterThan(60);
  expect(from).toBeLessThan(140);
  expect(to).toBeGreaterThan(160);
  expect(to).toBeLessThan(240);
  await page.mouse.move(5, 5);
  for (const tag of ['val/loss', 'val/accuracy']) {
    await expect(screen.place(tag)).toHaveText('Last in range');
    await expect
      .poll(async () => (await screen.values(tag)).map(({ step }) => Number(step)))
      .toEqual(Array.from({ length: 3 }, () => Math.floor(to)));
  }
  await shoot(page, 'zoomed');

  // With Shift the drag moves the view instead.
  const hold = await screen.placeIn(screen.chart('val/loss'), 0.7);
  await page.keyboard.down('Shift');
  await page.mouse.move(hold.x, hold.y);
  await page.mouse.down();
  await page.mouse.move(hold.x - 60, hold.y, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await expect.poll(() => screen.xRange()?.[0]).toBeGreaterThan(from);
  const moved = screen.xRange()!;
  expect(moved[1] - moved[0]).toBeCloseTo(to - from, 0);

  const place = await screen.placeIn(screen.chart('val/accuracy'), 0.5);
  await page.mouse.dblclick(place.x, place.y);
  await expect.poll(() => screen.xRange()).toBeNull();
  await page.mouse.move(5, 5);
  await expect(screen.place('val/loss')).toHaveText('Last values');

  await screen.dragZoom(screen.chart('val/loss'), 0.25, 0.5);
  await page.getByRole('button', { name: 'Reset zoom' }).click();
  await expect.poll(() => screen.xRange()).toBeNull();
});

test('the wheel zooms with Ctrl and scrolls without', async ({ page, training }) => {
  const screen = new Screen(page);
  await screen.open(`${training.url}#timeseries&runFilter=seed`, 'val/loss');
  const scroller = page.locator('[data-scroller]');
  const { x, y } = await screen.placeIn(screen.chart('val/loss'), 0.5);
  await page.mouse.move(x, y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -400);
  await page.keyboard.up('Control');
  const [from, to] = await screen.waitForXRange();
  expect(from).toBeGreaterThan(0);
  expect(to).toBeLessThan(399);
  const before = await scroller.evaluate((element) => element.scrollTop);
  await page.mouse.wheel(0, before > 0 ? -200 : 200);
  await expect.poll(() => scroller.evaluate((element) => element.scrollTop)).not.toBe(before);
  expect(screen.xRange()).toEqual([from, to]);
});

test('a dense series is reduced from afar and complete close up', async ({ page, training, shoot }) => {
  const screen = new Screen(page);
  const whole = nextSeries(page, 'train/loss', false);
  await page.goto(`${training.url}#timeseries&runs=none&show=${DENSE}`);
  const [overview] = await whole;
  expect(overview).toMatchObject({ isExact: false, total: DENSE_COUNT });
  expect(overview!.value.length).toBeLessThan(DENSE_COUNT / 2);
  await screen.waitForChart('train/loss');

  const zoomed = nextSeries(page, 'train/loss', true);
  await screen.dragZoom(screen.chart('train/loss'), 0.4, 0.44);
  const [close] = await zoomed;
  const [from, to] = await screen.waitForXRange();
  expect(close!.isExact).toBe(true);
  const logged = pointsOf(DENSE, 'train/loss');
  const steps = [...close!.step];
  // Every step of the range, one after the other, with the value that was logged.
  expect(steps[0]).toBeLessThanOrEqual(Math.ceil(from));
  expect(steps.at(-1)).toBeGreaterThanOrEqual(Math.floor(to));
  expect(steps).toEqual(steps.map((_, i) => steps[0]! + i));
  expect([...close!.value]).toEqual(steps.map((step) => logged[step]));

  // On screen: walking by keys goes from step to step, once the chart has what came.
  const stepAtCursor = async () => numberFrom((await screen.values('train/loss'))[0]!.step);
  await screen.chart('train/loss').focus();
  await expect(async () => {
    await page.keyboard.press('Home');
    const first = await stepAtCursor();
    await page.keyboard.press('ArrowRight');
    expect(await stepAtCursor()).toBe(first + 1);
  }).toPass();
  await shoot(page, 'close-up');
});

test('new points leave a zoomed view where it is and extend one that shows everything', async ({
  page,
  logs,
  server,
}) => {
  const values = curve(600);
  await logs.write(
    'going',
    { loss: values.slice(0, 500), 'val/loss': values.slice(0, 500) },
    { isOpen: true },
  );
  const screen = new Screen(page);
  await screen.open(server.url, 'loss');
  await expect(screen.card('loss')).toContainText('steps 0 to 499');
  await screen.dragZoom(screen.chart('loss'), 0.2, 0.6);
  const range = await screen.waitForXRange();
  await page.mouse.move(5, 5);
  await expect(screen.place('loss')).toHaveText('Last in range');

  const more = values.slice(500);
  await logs.write('going', { loss: more, 'val/loss': more }, { firstStep: 500, isOpen: true });
  await expect(screen.runRow('going')).toContainText('599');
  await expect(screen.place('loss')).toHaveText('Last in range');
  expect(screen.xRange()).toEqual(range);
  expect((await screen.values('loss'))[0]!.step).toBe(String(Math.floor(range[1])));

  await page.keyboard.press('0');
  await expect(screen.card('loss')).toContainText('steps 0 to 599');
  await logs.write('going', { loss: [0.5], 'val/loss': [0.5] }, { firstStep: 600 });
  await expect(screen.card('loss')).toContainText('steps 0 to 600');
  await expect.poll(() => screen.xRange()).toBeNull();
});
