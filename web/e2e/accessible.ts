// What axe says against a page, as far as it keeps somebody from using it.
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Logged documents in frames are as they were logged. */
export async function expectAccessible(page: Page): Promise<void> {
  // What loads is faint for a moment while it comes and goes.
  await expect(page.locator('[data-loading]')).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page }).exclude('iframe').analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const told = grave.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
  expect(told).toEqual([]);
}
