// Somebody who knows the keys is faster than the page: what is pressed while its code is on its way is not lost, and neither
// is code that does not arrive.
import type { Page } from '@playwright/test';
import { expect, test } from './media-logs';
import { Screen } from './screen';

/** Holds back scripts of this name until the returned function is called. */
async function holdBack(page: Page, name: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/assets/${name}-*.js`, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test('keys pressed before their code is there are played when it comes', async ({ page, media }) => {
  const stepBox = page
    .getByRole('toolbar', { name: 'Step', exact: true })
    .getByRole('textbox', { name: 'Step', exact: true });

  // The dashboard is late: its keys wait for it.
  const sendImages = await holdBack(page, 'images');
  await page.goto(`${media.url}#images`);
  await expect(page.getByRole('checkbox', { name: 'Show a', exact: true })).toBeVisible();
  await page.keyboard.press(',');
  await page.keyboard.press(',');
  sendImages();
  await expect(stepBox).toHaveValue('20');

  // The listener itself is late: what the frame does waits as well.
  const sendKeys = await holdBack(page, 'shell-keys');
  await page.reload();
  await expect(page.getByRole('checkbox', { name: 'Show a', exact: true })).toBeVisible();
  await page.keyboard.press('?');
  sendKeys();
  await expect(page.getByRole('dialog', { name: 'Keyboard and pointer' })).toBeVisible();
});

test('a drag and keys on a chart that does not listen yet count when it does', async ({ page, training }) => {
  const screen = new Screen(page);
  const chart = screen.chart('val/loss');
  const openWithout = async (): Promise<() => void> => {
    const send = await holdBack(page, 'interaction');
    await page.goto('about:blank');
    await page.goto(`${training.url}#timeseries&runFilter=seed`);
    await expect(chart).toHaveAttribute('data-drawn', /^[1-9]/);
    await expect(chart).not.toHaveAttribute('data-listens', 'true');
    return send;
  };

  let send = await openWithout();
  await screen.dragZoom(chart, 0.25, 0.5);
  send();
  const [from, to] = await screen.waitForXRange();
  expect([from > 60, from < 140, to > 160, to < 240]).toEqual([true, true, true, true]);

  // Begun before, ended after it.
  send = await openWithout();
  const [start, end] = [await screen.placeIn(chart, 0.25), await screen.placeIn(chart, 0.5)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  send();
  await expect(chart).toHaveAttribute('data-listens', 'true');
  await page.mouse.move(end.x, end.y);
  await page.mouse.up();
  await screen.waitForXRange();

  send = await openWithout();
  await page.mouse.move(5, 5);
  await expect(screen.place('val/loss')).toHaveText('Last values');
  await chart.focus();
  await page.keyboard.press('Home');
  send();
  await expect(screen.place('val/loss')).toHaveText(/^Step 0/);
});

test.describe('code that is lost on its way', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] });

  test('is asked for again, and the page is whole', async ({ page, training }) => {
    const lost = new Set<string>();
    await page.route(
      /assets\/(interaction|after-charts|arranging|shell-keys|Overlays)-.*\.js/,
      async (route) => {
        // Asked for again under another name, where browsers remember that the first one could not be had.
        const { pathname } = new URL(route.request().url());
        if (lost.has(pathname)) await route.continue();
        else {
          lost.add(pathname);
          await route.abort();
        }
      },
    );
    const screen = new Screen(page);
    await screen.open(`${training.url}#timeseries&runFilter=seed`, 'val/loss');
    expect(lost.size).toBeGreaterThan(0);
    // Of the shell's keys, and of what comes after the charts.
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard and pointer' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Data…', exact: true }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(lost.size).toBe(5);
  });
});
