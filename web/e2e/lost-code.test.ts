// Code that does not arrive is asked for until it does.
import { expect, test } from './fixtures';
import { Screen } from './screen';

test.describe('code that is lost on its way', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] });

  test('is asked for again, and the page is whole', async ({ page, training }) => {
    const lost = new Set<string>();
    await page.route(/assets\/(after-charts|Overlays)-.*\.js/, async (route) => {
      // Asked for again under another name, where browsers remember that the first one could not be had.
      const { pathname } = new URL(route.request().url());
      if (lost.has(pathname)) await route.continue();
      else {
        lost.add(pathname);
        await route.abort();
      }
    });
    const screen = new Screen(page);
    await screen.open(`${training.url}#timeseries&runFilter=seed`, 'val/loss');
    expect(lost.size).toBeGreaterThan(0);
    // Of what lies over the page, and of what comes after the charts.
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard and pointer' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Data…', exact: true }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(lost.size).toBe(2);
  });
});
