// Somebody who knows the keys is faster than the page: what is pressed while its code is on its way is not lost.
import type { Page } from '@playwright/test';
import { expect, test } from './media-logs';

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
