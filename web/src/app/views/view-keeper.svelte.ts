// Saved views: which there are, which is shown, and everything that can be done with them. The server keeps them beside
// the logs (page.workspace lists them), the address says which one is shown (page.address).
//
// Nothing that somebody made is lost: a view that somebody else saved meanwhile is only replaced when that is asked for,
// a deleted one can be brought back, and opening one offers the way back to unsaved changes of another.
import { untrack } from 'svelte';
import { messageOf } from '../../base/format';
import { compareNatural } from '../../base/natural-order';
import type { Page } from '../../state/page.svelte';
import type { ViewState } from '../../state/types';
import type { OpenView } from '../../state/url-sync.svelte';
import { hashOfNamed } from '../../state/settings/link';
import {
  fileText,
  formatOf,
  MOST_FILE_BYTES,
  parseFile,
  readViewContent,
  readViewFile,
  viewContentOf,
  viewFileOf,
} from '../../state/settings/view-file';
import { ApiError, type SavedView, type ViewInfo } from '../../wire/client';
import { saveText } from './save-text';

export const MOST_NAME_CHARS = 200;

/** What is asked of the user; null: nothing. */
export type Question =
  | { readonly kind: 'save-as' }
  | { readonly kind: 'rename'; readonly name: string }
  /** Somebody else saved the view, or removed it, since it was opened here. */
  | { readonly kind: 'conflict'; readonly name: string; readonly why: string };

export class ViewKeeper {
  readonly #page: Page;
  question = $state.raw<Question | null>(null);
  /** The server is being asked to keep something. */
  isBusy = $state(false);
  #views = $derived.by(() => [...this.#page.workspace.views].sort((a, b) => compareNatural(a.name, b.name)));
  #isChanged = $derived.by(() => {
    const { named } = this.#page.address;
    return named !== null && contentText(this.#page.view) !== contentText(named.view);
  });

  constructor(page: Page) {
    this.#page = page;
  }

  /** To be called in a component: opens what the address or the log wants. */
  watch(): void {
    const { address, workspace } = this.#page;
    $effect(() => {
      const { wanted } = address;
      if (wanted !== null) void untrack(() => this.#openWanted(wanted.name));
    });
    $effect(() => {
      const { state } = workspace;
      if (state === null) return;
      const name = state.default_view;
      untrack(() => {
        address.rememberDefault(name);
        const isFree = address.named === null && address.wanted === null && address.isUntouched;
        if (name !== null && isFree) void this.#openWanted(name);
      });
    });
  }

  /** By name. */
  get views(): readonly ViewInfo[] {
    return this.#views;
  }

  get current(): OpenView | null {
    return this.#page.address.named;
  }

  /** What is shown differs from what is saved. Which tab is open is no change. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  get isLoaded(): boolean {
    return this.#page.workspace.state !== null;
  }

  /** Why nothing can be saved; null: it can, as far as is known. */
  get refusal(): string | null {
    const { state } = this.#page.workspace;
    if (state === null || state.is_writable) return null;
    return state.problems[0] ?? 'Nothing can be saved beside these logs';
  }

  /** Where views are kept, for people. */
  get place(): string {
    return this.#page.workspace.state?.place ?? '';
  }

  isDefault(name: string): boolean {
    return this.#page.workspace.state?.default_view === name;
  }

  has(name: string): boolean {
    return this.#page.workspace.views.some((view) => view.name === name);
  }

  linkOf(name: string): string {
    const url = new URL(location.href);
    url.hash = hashOfNamed(name);
    return url.href;
  }

  async open(name: string): Promise<void> {
    const opened = await this.#load(name);
    if (opened === null) return;
    const { address } = this.#page;
    const before = this.isChanged ? { named: this.current!, view: copyOf(this.#page.view) } : null;
    address.open(opened);
    if (before === null) return;
    this.#page.announce(`Opened “${name}”; “${before.named.name}” had changes that were not saved`, {
      label: 'Go back',
      run: () => address.open(before.named, before.view),
    });
  }

  /** Puts back what is saved. */
  reset(): void {
    const { current } = this;
    if (current === null) return;
    const before = copyOf(this.#page.view);
    const { dashboard } = this.#page.view;
    const { address } = this.#page;
    address.open(current, { ...current.view, dashboard });
    this.#page.announce(`“${current.name}” is as it was saved`, {
      label: 'Undo',
      run: () => address.open(current, before),
    });
  }

  leave(): void {
    this.#page.address.leave();
  }

  async save(): Promise<void> {
    const { current } = this;
    if (current === null) this.question = { kind: 'save-as' };
    else await this.#save(current.name, current.revision);
  }

  /** Whether it worked. */
  async saveAs(name: string): Promise<boolean> {
    return await this.#save(name, null);
  }

  /** Theirs is replaced by what is shown here. */
  async overwrite(name: string): Promise<void> {
    await this.#try(async () => {
      const theirs = await this.#fetch(name);
      await this.#save(name, theirs?.revision ?? null);
    });
  }

  async rename(from: string, to: string): Promise<boolean> {
    return await this.#try(async () => {
      const { client, address, announce } = this.#parts;
      const saved = await client.savedView(from);
      const view = saved.view as Record<string, unknown>;
      const info = await client.saveView({ name: to, view, base: saved.revision, rename_from: from });
      const { current } = this;
      if (current?.name === from) address.rename({ ...current, name: info.name, revision: info.revision });
      if (this.isDefault(from)) await this.setDefault(info.name);
      announce(`“${from}” is called “${info.name}” now`);
    });
  }

  async remove(name: string): Promise<void> {
    await this.#try(async () => {
      const { client, address, announce } = this.#parts;
      const { current } = this;
      const wasDefault = this.isDefault(name);
      // One that cannot be read can still be thrown away.
      const saved = await this.#fetch(name).catch(() => null);
      await client.removeView({ name });
      if (current?.name === name) address.leave();
      if (wasDefault) await this.setDefault(null);
      const bringBack = { label: 'Undo', run: () => void this.#bringBack(saved!, wasDefault) };
      // Says it all: also that there is no default view any more.
      if (saved === null) announce(`Deleted “${name}”; its file is in the trash`, undefined, 'edit');
      else announce(`Deleted “${name}”`, bringBack, 'edit');
    });
  }

  async #bringBack(saved: SavedView, wasDefault: boolean): Promise<void> {
    await this.#try(async () => {
      const { client, announce } = this.#parts;
      await client.saveView({ name: saved.name, view: saved.view as Record<string, unknown>, base: null });
      if (wasDefault) await this.setDefault(saved.name);
      announce(`“${saved.name}” is back`, undefined, 'edit');
    });
  }

  /** null: none any more. */
  async setDefault(name: string | null): Promise<void> {
    const words = name === null ? 'Set no default view' : `Set “${name}” as the default view`;
    const [result] = await this.#page.workspace.apply([{ kind: 'default_view', text: name ?? '' }], words);
    if (result?.is_applied === true) this.#page.address.rememberDefault(name);
  }

  /** What is shown now, or a saved view, as a file. */
  async download(name: string | null): Promise<void> {
    await this.#try(async () => {
      if (name === null) {
        const title = this.current?.name ?? 'view';
        saveText(fileText(viewFileOf(this.#page.view, title)), `${title}.view.json`);
        return;
      }
      const { view } = await this.#read(name);
      if (view !== null) saveText(fileText(viewFileOf(view, name)), `${name}.view.json`);
    });
  }

  /** Shows what the file says; it becomes a saved view when it is saved. Nothing changes if it cannot be read. */
  async openFile(file: File): Promise<void> {
    const { announce, address } = this.#parts;
    const refuse = (why: string): void => announce(`${file.name} was not opened. ${why}`);
    if (file.size > MOST_FILE_BYTES) {
      refuse('It is too large for a view');
      return;
    }
    const raw = parseFile(await file.text().catch(() => ''));
    const { view, problems } = readViewFile(raw);
    if (view === null) {
      const isChart = formatOf(raw) === 'chart';
      refuse(isChart ? 'It is a single chart, not a view' : problems.join('. '));
      return;
    }
    const before = { named: this.current, view: copyOf(this.#page.view) };
    address.show(view);
    const more = problems.length > 0 ? `. ${problems.join('. ')}` : '';
    announce(`Opened ${file.name}${more}`, {
      label: 'Go back',
      run: () => {
        if (before.named === null) address.show(before.view);
        else address.open(before.named, before.view);
      },
    });
  }

  get #parts(): Pick<Page, 'client' | 'address'> & { announce: Page['announce'] } {
    const page = this.#page;
    return { client: page.client, address: page.address, announce: (...said) => page.announce(...said) };
  }

  async #save(name: string, base: string | null): Promise<boolean> {
    const view = copyOf(this.#page.view);
    return await this.#try(async () => {
      try {
        const content = { ...viewContentOf(view) };
        const info = await this.#page.client.saveView({ name, view: content, base });
        this.#page.address.rename({ name: info.name, view, revision: info.revision });
        this.question = null;
        this.#page.announce(`Saved “${info.name}”`);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
        this.question = { kind: 'conflict', name, why: error.message };
      }
    });
  }

  async #openWanted(name: string): Promise<void> {
    const { address } = this.#page;
    const isNamed = address.wanted?.isDefault === false;
    try {
      const { view, problems, revision } = await this.#read(name);
      if (!isNamed && !address.isUntouched) {
        // Somebody has begun to work meanwhile: what they did is worth more than what nobody asked for.
        address.giveUp('');
        return;
      }
      if (view === null) {
        address.giveUp(`The view “${name}” was not opened. ${problems.join('. ')}`);
        return;
      }
      if (address.wanted !== null && address.wanted.name !== name) return;
      address.openWanted({ name, view, revision });
      this.#tell(name, problems);
    } catch (error) {
      const isGone = error instanceof ApiError && error.status === 404;
      address.giveUp(
        isGone
          ? `There is no saved view called “${name}” here`
          : `The view “${name}” was not opened. ${messageOf(error)}`,
      );
    }
  }

  async #load(name: string): Promise<OpenView | null> {
    let opened: OpenView | null = null;
    await this.#try(async () => {
      const { view, problems, revision } = await this.#read(name);
      if (view === null) this.#page.announce(`“${name}” was not opened. ${problems.join('. ')}`);
      else {
        opened = { name, view, revision };
        this.#tell(name, problems);
      }
    });
    return opened;
  }

  async #read(name: string): Promise<ReturnType<typeof readViewContent> & { revision: string }> {
    const saved = await this.#page.client.savedView(name);
    return { ...readViewContent(saved.view), revision: saved.revision };
  }

  /** null: there is none of this name. */
  async #fetch(name: string): Promise<SavedView | null> {
    try {
      return await this.#page.client.savedView(name);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  }

  #tell(name: string, problems: readonly string[]): void {
    if (problems.length > 0) this.#page.announce(`“${name}”: ${problems.join('. ')}`);
  }

  /** Trouble is told to the user here; the list is asked for again, whatever happened. */
  async #try(act: () => Promise<void>): Promise<boolean> {
    this.isBusy = true;
    try {
      await act();
      return true;
    } catch (error) {
      this.#page.announce(messageOf(error));
      return false;
    } finally {
      this.isBusy = false;
      void this.#page.workspace.refresh();
    }
  }
}

function contentText(view: ViewState): string {
  return JSON.stringify({ ...viewContentOf(view), dashboard: '' });
}

/** As it would be read again: what is compared later has the same shape. */
function copyOf(view: ViewState): ViewState {
  return readViewContent(viewContentOf(view)).view!;
}
