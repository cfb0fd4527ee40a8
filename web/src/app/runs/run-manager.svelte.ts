// What people do to runs: names, labels, notes, colours, stars, the archive and the trash. One object for the rows, menus,
// keys and dialogs of the table, so that each of them does the same. Loaded after the first view (manage.ts).
//
// Every change goes through the workspace, which shows it at once, tells of errors and knows how to undo it. Runs are
// named by name here: their numbers are another server's tomorrow.
import { countOf, messageOf } from '../../base/format';
import type { Page } from '../../state/page.svelte';
import type { NewEdit } from '../../state/workspace.svelte';

export type RunDialog =
  | { readonly kind: 'labels' | 'color' | 'delete'; readonly runs: readonly string[] }
  | { readonly kind: 'group-color'; readonly key: string; readonly label: string }
  | { readonly kind: 'trash' | 'latest' };

/** What is said where nothing may be deleted: the server was not started for it. */
export const DELETE_HINT = 'start with --allow-delete';

export class RunManager {
  readonly page: Page;
  /** The dialog that is open. */
  dialog = $state.raw<RunDialog | null>(null);
  /** The run whose name is being typed. */
  renaming = $state<string | null>(null);

  constructor(page: Page) {
    this.page = page;
  }

  /** Why nothing can be changed, for people; null: it can. */
  get refusal(): string | null {
    const { state } = this.page.workspace;
    if (state === null) return 'Names, notes and labels are not loaded yet';
    if (state.is_writable) return null;
    return state.problems[0] ?? 'The server has no place where it could save this';
  }

  get isDeleteAllowed(): boolean {
    return this.page.workspace.state?.is_delete_allowed ?? false;
  }

  /** "baseline-2" or "12 runs". */
  wordsFor(runs: readonly string[]): string {
    const [first] = runs;
    return runs.length === 1 && first !== undefined ? this.nameOf(first) : countOf(runs.length, 'run');
  }

  /** As people see it. */
  nameOf(run: string): string {
    return this.page.workspace.displayNames.get(run) ?? run;
  }

  /** Empty, or the name of the directory: that name again. */
  rename(run: string, name: string): void {
    const text = name.trim();
    const isOwn = text === '' || text === run;
    if (isOwn ? !this.page.workspace.displayNames.has(run) : text === this.nameOf(run)) return;
    this.#apply([{ kind: 'name', run, text: isOwn ? null : text }], `Rename ${this.nameOf(run)}`);
  }

  isFavourite(run: string): boolean {
    return this.page.workspace.editsOf(run)?.is_favourite ?? false;
  }

  isArchived(run: string): boolean {
    return this.page.workspace.archived.has(run);
  }

  setFavourite(runs: readonly string[], isOn: boolean): void {
    const edits = runs
      .filter((run) => this.isFavourite(run) !== isOn)
      .map((run): NewEdit => ({ kind: 'favourite', run, is_on: isOn }));
    const words = isOn ? `Add ${this.wordsFor(runs)} to` : `Remove ${this.wordsFor(runs)} from`;
    this.#apply(edits, `${words} favourites`);
  }

  setArchived(runs: readonly string[], isOn: boolean): void {
    const edits = runs
      .filter((run) => this.isArchived(run) !== isOn)
      .map((run): NewEdit => ({ kind: 'archive', run, is_on: isOn }));
    this.#apply(edits, `${isOn ? 'Archive' : 'Unarchive'} ${this.wordsFor(runs)}`);
  }

  /** null: the page chooses again. */
  setColor(runs: readonly string[], color: string | null): void {
    const edits = runs
      .filter((run) => (this.page.workspace.colors.get(run) ?? null) !== color)
      .map((run): NewEdit => ({ kind: 'color', run, text: color }));
    this.#apply(edits, `Change the colour of ${this.wordsFor(runs)}`);
  }

  setGroupColor(key: string, label: string, color: string | null): void {
    if ((this.page.workspace.groupColors.get(key) ?? null) === color) return;
    this.#apply([{ kind: 'group_color', key, text: color }], `Change the colour of ${label}`);
  }

  setLabel(runs: readonly string[], label: string, isOn: boolean): void {
    const edits = runs
      .filter((run) => (this.page.workspace.labels.get(run) ?? []).includes(label) !== isOn)
      .map((run): NewEdit => ({ kind: isOn ? 'add_label' : 'remove_label', run, text: label }));
    const words = isOn
      ? `Label ${this.wordsFor(runs)} “${label}”`
      : `Remove “${label}” from ${this.wordsFor(runs)}`;
    this.#apply(edits, words);
  }

  /** Opens the question, or says why there is none. */
  askToDelete(runs: readonly string[]): void {
    if (this.isDeleteAllowed) this.dialog = { kind: 'delete', runs };
    else this.page.announce(`This server deletes nothing: ${DELETE_HINT}`);
  }

  /** Puts deleted runs back to where they were and says how it went; returns what could not be put back, by id. */
  async restore(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { page } = this;
    try {
      const answer = await page.client.restoreRuns({ ids: [...ids] });
      await Promise.all([page.workspace.refresh(), page.reload()]);
      const failed = answer.runs.filter((run) => run.error !== '');
      const done = answer.runs.filter((run) => run.error === '');
      const words = done.length === 1 ? done[0]!.run : countOf(done.length, 'run');
      if (done.length > 0) page.announce(`Restored ${words}`, undefined, 'edit');
      for (const run of failed) page.announce(`${run.run} was not restored: ${run.error}`);
      return new Map(failed.map((run) => [run.id, run.error]));
    } catch (error) {
      page.announce(`Nothing was restored: ${messageOf(error)}`);
      return new Map(ids.map((id) => [id, messageOf(error)]));
    }
  }

  askForLabels(runs: readonly string[]): void {
    if (this.#canEdit()) this.dialog = { kind: 'labels', runs };
  }

  askForColor(runs: readonly string[]): void {
    if (this.#canEdit()) this.dialog = { kind: 'color', runs };
  }

  askForGroupColor(key: string, label: string): void {
    if (this.#canEdit()) this.dialog = { kind: 'group-color', key, label };
  }

  askForName(run: string): void {
    if (this.#canEdit()) this.renaming = run;
  }

  #canEdit(): boolean {
    const { refusal } = this;
    if (refusal !== null) this.page.announce(refusal);
    return refusal === null;
  }

  #apply(edits: readonly NewEdit[], words: string): void {
    if (edits.length > 0 && this.#canEdit()) void this.page.workspace.apply(edits, words);
  }
}
