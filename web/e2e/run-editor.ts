// Editing and grouping runs as a user does it, for the tests about them.
import { expect, type Locator, type Page } from '@playwright/test';
import { Screen } from './screen';

export class RunEditor {
  private readonly screen: Screen;

  constructor(readonly page: Page) {
    this.screen = new Screen(page);
  }

  /** The row of a run, with the focus. */
  async focus(run: string): Promise<Locator> {
    const row = this.screen.runRow(run);
    // Keys come with the menu, beside the first charts.
    await row.click({ button: 'right' });
    await expect(this.page.getByRole('menuitem').first()).toBeVisible();
    await this.page.keyboard.press('Escape');
    await expect(this.page.getByRole('menuitem')).toHaveCount(0);
    await row.focus();
    return row;
  }

  /** Changes something, until the server has it: it is shown at once, and a reload may come before it has been sent. */
  async save(change: () => Promise<void>): Promise<void> {
    const answered = this.page.waitForResponse((response) =>
      response.url().endsWith('api/v1/workspace/edits'),
    );
    await change();
    await answered;
  }

  async choose(run: string, item: string | RegExp): Promise<void> {
    await this.screen.runRow(run).click({ button: 'right' });
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  async label(run: string, label: string): Promise<void> {
    await this.choose(run, 'Labels');
    const field = this.page.getByRole('textbox', { name: 'Add a label' });
    await field.fill(label);
    await field.press('Enter');
    await expect(this.page.getByRole('button', { name: `Remove label ${label}` })).toBeVisible();
    await this.page.getByRole('button', { name: 'Done' }).click();
  }

  async rename(run: string, name: string): Promise<void> {
    await this.choose(run, 'Rename');
    const field = this.page.getByRole('textbox', { name: /^New name of/ });
    await field.fill(name);
    await field.press('Enter');
    await expect(field).toHaveCount(0);
  }

  /** The area where a note is written. */
  async openNote(run: string): Promise<Locator> {
    await this.choose(run, 'Note');
    return this.page.getByRole('textbox', { name: /^Note on/ });
  }

  async saveNote(): Promise<void> {
    await this.page.getByRole('button', { name: 'Save note' }).click();
  }

  async openGrouping(): Promise<Locator> {
    await this.page.getByRole('button', { name: 'Group by', exact: true }).click();
    return this.page.getByRole('dialog', { name: 'Group by' });
  }

  async groupBy(what: string): Promise<void> {
    const panel = await this.openGrouping();
    await panel.getByRole('combobox', { name: 'Group runs by' }).selectOption({ label: what });
    await this.page.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
  }

  groupRow(label: string): Locator {
    return this.page
      .getByRole('row')
      .filter({ has: this.page.getByRole('checkbox', { name: `Show all in ${label}`, exact: true }) });
  }

  /** Labels of the groups in the table, from top to bottom. */
  async groups(): Promise<string[]> {
    const boxes = this.page.getByRole('checkbox', { name: /^Show all in / });
    return await boxes.evaluateAll((all) =>
      all.map((box) => (box.getAttribute('aria-label') ?? '').replace('Show all in ', '')),
    );
  }
}
