// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findCommands } from '../../state/fuzzy';
import { removeTooltips } from '../../widgets/tooltip';
import { ApiError, type RunEdits } from '../../wire/client';
import { FakePage, makeRun } from '../fake-page.svelte';
import { saidOf } from './fake-workspace-server';
import { NoteDrafts } from './note-drafts';
import PageHarness from '../PageHarness.svelte';
import RunTable from './RunTable.svelte';

let fake: FakePage;

beforeEach(() => localStorage.clear());

afterEach(async () => {
  cleanup();
  await removeTooltips();
  fake.runs.destroy();
});

interface Setting {
  readonly said?: readonly RunEdits[];
  readonly prepare?: (page: FakePage) => void;
  readonly isPhone?: boolean;
}

async function show(
  names: readonly string[],
  { said = [], prepare, isPhone = false }: Setting = {},
): Promise<void> {
  fake = new FakePage(names.map((name, id) => makeRun(id, name)));
  fake.server.state = { ...fake.server.state, runs: [...said] };
  prepare?.(fake);
  await fake.workspace.refresh();
  render(PageHarness, { page: fake.page, component: RunTable, given: { isPhone } });
  await tick();
  // What edits is loaded when the first view stands.
  await waitFor(() => expect(fake.commands.get('run.rename')).toBeDefined());
}

function rows(): HTMLElement[] {
  return screen
    .getAllByRole('row')
    .filter((row) => row.getAttribute('aria-rowindex') !== '1')
    .sort((a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')));
}

const nameIn = (row: Element): string => row.querySelector('.name')?.textContent ?? '';
const shownNames = (): string[] => rows().map(nameIn);

function rowOf(name: string): HTMLElement {
  const row = rows().find((one) => nameIn(one) === name);
  if (row === undefined) throw new Error(`No row ${name} among ${shownNames().join(', ')}`);
  return row;
}

async function press(name: string, key: string): Promise<void> {
  rowOf(name).focus();
  await fireEvent.keyDown(rowOf(name), { key });
  await tick();
}

async function chooseInMenuOf(name: string, item: string | RegExp): Promise<void> {
  await fireEvent.contextMenu(rowOf(name), { clientX: 5, clientY: 5 });
  await fireEvent.click(await screen.findByRole('menuitem', { name: item }));
  await tick();
}

async function chooseInTable(item: string | RegExp): Promise<void> {
  await fireEvent.click(screen.getByRole('button', { name: 'Select runs' }));
  await fireEvent.click(await screen.findByRole('menuitem', { name: item }));
  await tick();
}

const selectedNames = (): string[] =>
  fake.runs.all.filter(({ id }) => fake.runs.isSelected(id)).map(({ name }) => name);
const lastEdit = () => fake.server.edits.at(-1);

describe('grouped runs', () => {
  const NAMES = ['a/1', 'a/2', 'b/1', 'alone'];

  async function group(): Promise<void> {
    fake.view.grouping = {
      by: { kind: 'folder', depth: 1 },
      center: 'mean',
      band: 'std',
      areMembersShown: true,
    };
    await waitFor(() => expect(shownNames()).toContain('No group'));
  }

  it('stand below a row for each group, in place of the tree', async () => {
    await show(NAMES, { prepare: (page) => (page.view.table = { ...page.view.table, isTree: true }) });
    await group();
    expect(shownNames()).toEqual(['a', 'a/1', 'a/2', 'b', 'b/1', 'No group', 'alone']);
    expect(rows().map((row) => row.getAttribute('aria-level'))).toEqual(['1', '2', '2', '1', '2', '1', '2']);
    expect(screen.getByRole('treegrid')).toBeTruthy();
  });

  it('are switched together, and say how many are on', async () => {
    await show(NAMES);
    await group();
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Show all in a' });
    await fireEvent.click(screen.getByRole('checkbox', { name: 'Show a/1' }));
    expect(box.indeterminate).toBe(true);
    expect(rowOf('a').textContent).toContain('1 of 2');
    await fireEvent.click(box);
    expect(selectedNames()).toEqual(NAMES);
    await fireEvent.click(box);
    expect(selectedNames()).toEqual(['b/1', 'alone']);
  });

  it('are closed and opened, and shown alone, by keys', async () => {
    await show(NAMES);
    await group();
    await press('a/2', 'ArrowLeft');
    expect(nameIn(document.activeElement as Element)).toBe('a');
    await press('a', 'ArrowLeft');
    expect(shownNames()).toEqual(['a', 'b', 'b/1', 'No group', 'alone']);
    await press('a', 'o');
    expect(selectedNames()).toEqual(['a/1', 'a/2']);
    await press('a', 'Enter');
    expect(shownNames()).toContain('a/2');
  });

  it('show only their group after a double-click, or from its menu', async () => {
    await show(NAMES);
    await group();
    await fireEvent.dblClick(screen.getByRole('checkbox', { name: 'Show all in b' }));
    expect(selectedNames()).toEqual(['b/1']);
    await chooseInMenuOf('a', /^Only this group/);
    expect(selectedNames()).toEqual(['a/1', 'a/2']);
  });

  it('keep to the filter', async () => {
    await show(NAMES);
    await group();
    fake.view.runFilter = '1';
    await waitFor(() => expect(shownNames()).toEqual(['a', 'a/1', 'b', 'b/1']));
  });

  it('have one colour, which can be chosen', async () => {
    await show(NAMES);
    await group();
    await press('a', 'c');
    const dialog = await screen.findByRole('dialog', { name: 'Colour of a' });
    await fireEvent.change(within(dialog).getByLabelText('Any colour'), { target: { value: '#123456' } });
    await waitFor(() => expect(lastEdit()).toMatchObject({ kind: 'group_color', key: 'a', text: '#123456' }));
    expect(fake.runs.color(0)).toBe('#123456');
    expect(fake.runs.color(1)).toBe('#123456');
  });

  it('ten thousand in one group are not all in the DOM', { timeout: 60_000 }, async () => {
    await show(Array.from({ length: 10_000 }, (_, id) => `all/run${id}`));
    fake.view.grouping = {
      by: { kind: 'folder', depth: 1 },
      center: 'mean',
      band: 'std',
      areMembersShown: true,
    };
    await waitFor(() => expect(screen.getByRole('treegrid').getAttribute('aria-rowcount')).toBe('10002'), {
      timeout: 20_000,
    });
    expect(rows().length).toBeLessThan(100);
    expect(rowOf('all').textContent).toContain('20 of 10,000');
  });
});

describe('the grouping panel', () => {
  async function open(kind: string): Promise<HTMLElement> {
    await fireEvent.click(screen.getByRole('button', { name: 'Group by' }));
    const panel = await screen.findByRole('dialog', { name: 'Group by' });
    const select = within(panel).getByRole<HTMLSelectElement>('combobox', { name: 'Group runs by' });
    select.value = kind;
    await fireEvent.change(select);
    return panel;
  }

  it('shows the groups of a pattern before it is taken', async () => {
    await show(['x-seed1', 'x-seed2', 'y-seed1', 'other']);
    const panel = await open('regex');
    await fireEvent.input(within(panel).getByRole('textbox'), { target: { value: '(.*)-seed' } });
    await waitFor(() => expect(panel.textContent).toContain('2 groups, 1 run in none'));
    expect(
      within(panel)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['x2', 'y1']);
    expect(fake.view.grouping).toBeNull();
    await fireEvent.submit(panel.querySelector('form') as HTMLFormElement);
    expect(fake.view.grouping?.by).toEqual({ kind: 'regex', pattern: '(.*)-seed' });
  });

  it('says in place what is wrong with a pattern', async () => {
    await show(['a', 'b']);
    const panel = await open('regex');
    await fireEvent.input(within(panel).getByRole('textbox'), { target: { value: '(' } });
    await waitFor(() =>
      expect(within(panel).getByRole('alert').textContent).toContain('Not a regular expression'),
    );
    await fireEvent.submit(panel.querySelector('form') as HTMLFormElement);
    expect(fake.view.grouping).toBeNull();
  });

  it('finds hyper-parameters by typing', async () => {
    await show(['a', 'b'], {
      prepare: (page) => {
        page.fields = ['lr', 'optimizer'].map((name) => ({
          name,
          kind: 'number',
          run: [0, 1],
          value: [1, 2],
        }));
      },
    });
    const panel = await open('field');
    await waitFor(() => expect(within(panel).getByRole('button', { name: 'optimizer' })).toBeTruthy());
    await fireEvent.input(within(panel).getByRole('textbox'), { target: { value: 'LR' } });
    expect(within(panel).queryByRole('button', { name: 'optimizer' })).toBeNull();
    await fireEvent.click(within(panel).getByRole('button', { name: 'lr' }));
    await waitFor(() => expect(shownNames()).toEqual(['lr = 1', 'a', 'lr = 2', 'b']));
  });

  it('does not count the groups of before as long as no hyper-parameter is chosen', async () => {
    await show(['a/1', 'b/1']);
    const panel = await open('folder');
    await waitFor(() => expect(panel.textContent).toContain('2 groups'));
    const select = within(panel).getByRole<HTMLSelectElement>('combobox', { name: 'Group runs by' });
    select.value = 'field';
    await fireEvent.change(select);
    expect(panel.textContent).not.toMatch(/\d groups?/);
  });

  it('says when there is nothing to group by', async () => {
    await show(['a']);
    expect((await open('label')).textContent).toContain('No run has a label yet');
  });

  it('ends grouping', async () => {
    await show(['a/1', 'b']);
    await open('folder');
    expect(fake.view.grouping?.by).toEqual({ kind: 'folder', depth: 1 });
    const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Group runs by' });
    select.value = 'none';
    await fireEvent.change(select);
    expect(fake.view.grouping).toBeNull();
  });
});

describe('a name', () => {
  const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^New name of/ });

  it('is changed in the row with F2 and Enter, and the row keeps the focus', async () => {
    await show(['a', 'b']);
    await press('b', 'F2');
    expect(document.activeElement).toBe(field());
    await fireEvent.input(field(), { target: { value: ' The good one ' } });
    await fireEvent.keyDown(field(), { key: 'Enter' });
    await waitFor(() => expect(shownNames()).toContain('The good one'));
    expect(lastEdit()).toMatchObject({ kind: 'name', run: 'b', text: 'The good one' });
    expect(document.activeElement).toBe(rowOf('The good one'));
  });

  it('stays as it was with Esc', async () => {
    await show(['a']);
    await press('a', 'F2');
    await fireEvent.input(field(), { target: { value: 'x' } });
    await fireEvent.keyDown(field(), { key: 'Escape' });
    expect(shownNames()).toEqual(['a']);
    expect(fake.server.edits).toEqual([]);
  });

  it('that is empty is the directory’s again', async () => {
    await show(['a'], { said: [saidOf('a', { display_name: 'Other' })] });
    expect(shownNames()).toEqual(['Other']);
    await chooseInMenuOf('Other', /^Rename/);
    await fireEvent.input(field(), { target: { value: '  ' } });
    await fireEvent.keyDown(field(), { key: 'Enter' });
    await waitFor(() => expect(shownNames()).toEqual(['a']));
    expect(lastEdit()).toMatchObject({ kind: 'name', run: 'a', text: null });
  });

  it('of the directory stays in the details', async () => {
    await show(['dir/a', 'dir/b'], { said: [saidOf('dir/a', { display_name: 'Other' })] });
    await press('Other', 'Enter');
    const dialog = await screen.findByRole('dialog', { name: 'Other' });
    expect(dialog.textContent).toContain('dir/a');
  });

  it('of a run is shown in the tree too', async () => {
    await show(['dir/a', 'dir/b'], {
      said: [saidOf('dir/a', { display_name: 'Other' })],
      prepare: (page) => (page.view.table = { ...page.view.table, isTree: true }),
    });
    expect(shownNames()).toEqual(['dir', 'Other', 'b']);
  });
});

describe('labels', () => {
  it('are added to the selected runs at once, also those that some have', async () => {
    await show(['a', 'b', 'c'], { said: [saidOf('a', { labels: ['paper'] })] });
    await fireEvent.click(screen.getByRole('checkbox', { name: 'Show c' }));
    await chooseInTable(/^Labels/);
    const dialog = await screen.findByRole('dialog', { name: 'Labels of 2 runs' });
    expect(dialog.textContent).toContain('1 of 2');
    await fireEvent.click(within(dialog).getByRole('button', { name: '1 of 2' }));
    await waitFor(() => expect(fake.workspace.labels.get('b')).toEqual(['paper']));
    expect(fake.server.edits).toHaveLength(1);
    const field = within(dialog).getByRole('textbox', { name: 'Add a label' });
    await fireEvent.input(field, { target: { value: 'new' } });
    await fireEvent.keyDown(field, { key: 'Enter' });
    await waitFor(() => expect(fake.workspace.labels.get('a')).toEqual(['paper', 'new']));
    expect(fake.workspace.labels.get('c')).toBeUndefined();
  });

  it('in use elsewhere are offered, and removed with their cross', async () => {
    await show(['a', 'b'], { said: [saidOf('a', { labels: ['paper'] })] });
    await press('b', 'l');
    const dialog = await screen.findByRole('dialog', { name: 'Labels of b' });
    await fireEvent.click(within(dialog).getByRole('button', { name: 'paper' }));
    await waitFor(() => expect(fake.workspace.labels.get('b')).toEqual(['paper']));
    await fireEvent.click(within(dialog).getByRole('button', { name: 'Remove label paper' }));
    await waitFor(() => expect(fake.workspace.labels.has('b')).toBe(false));
  });

  it('are a column', async () => {
    await show(['a'], {
      said: [saidOf('a', { labels: ['x', 'y'] })],
      prepare: (page) => (page.view.table = { ...page.view.table, columns: ['labels'] }),
    });
    expect([...rowOf('a').querySelectorAll('.label')].map((chip) => chip.textContent)).toEqual(['x', 'y']);
  });
});

describe('favourites and the archive', () => {
  it('are changed by keys, and seen in the row', async () => {
    await show(['a', 'b']);
    await press('a', 'f');
    await waitFor(() => expect(within(rowOf('a')).getByRole('img', { name: 'favourite' })).toBeTruthy());
    await press('a', 'f');
    await waitFor(() => expect(within(rowOf('a')).queryByRole('img', { name: 'favourite' })).toBeNull());
    await press('b', 'e');
    await waitFor(() => expect(shownNames()).toEqual(['a']));
    fake.view.showArchived = true;
    await tick();
    expect(rowOf('b').textContent).toContain('archived');
  });

  it('have a column that is pressed, and brings them to the top', async () => {
    await show(['a', 'b', 'c'], {
      prepare: (page) => (page.view.table = { ...page.view.table, columns: ['favourite'] }),
    });
    await fireEvent.click(screen.getByRole('button', { name: 'Favourite c' }));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Favourite c' }).getAttribute('aria-pressed')).toBe('true'),
    );
    fake.view.table = { ...fake.view.table, sortBy: 'favourite' };
    fake.view.table = { ...fake.view.table, isDescending: true };
    await tick();
    expect(shownNames()).toEqual(['c', 'a', 'b']);
  });

  it('can be undone', async () => {
    await show(['a', 'b']);
    await press('a', 'e');
    await waitFor(() => expect(fake.announced).toEqual(['Archived a']));
    expect(fake.workspace.undoWords).toBe('Archive a');
    await fake.workspace.undo();
    expect(shownNames()).toEqual(['a', 'b']);
  });
});

describe('a note', () => {
  const area = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Note on/ });
  const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save note' }));

  async function write(text: string): Promise<void> {
    await press('a', 'n');
    await screen.findByRole('textbox', { name: 'Note on a' });
    await fireEvent.input(area(), { target: { value: text } });
  }

  it('is written, looked at and saved with what it began with', async () => {
    await show(['a'], { said: [saidOf('a', { note: 'old' })] });
    await write('**new**');
    await fireEvent.click(screen.getByRole('radio', { name: 'Preview' }));
    await waitFor(() => expect(screen.getByRole('dialog').querySelector('strong')?.textContent).toBe('new'));
    await save();
    await waitFor(() =>
      expect(lastEdit()).toMatchObject({ kind: 'note', run: 'a', text: '**new**', base: 'old' }),
    );
    await waitFor(() => expect(screen.getByRole('button', { name: 'Edit note' })).toBeTruthy());
    await waitFor(() => expect(screen.getByRole('dialog').querySelector('strong')?.textContent).toBe('new'));
  });

  it('that is not saved is there again later', async () => {
    await show(['a']);
    await write('half a thought');
    await fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    cleanup();
    fake.runs.destroy();
    await show(['a']);
    await press('a', 'Enter');
    await screen.findByRole('textbox', { name: 'Note on a' });
    expect(area().value).toBe('half a thought');
    await fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.queryByRole('textbox', { name: /^Note on/ })).toBeNull();
    expect(localStorage.getItem('sightline.noteDrafts.1')).toBe('[]');
  });

  it('that is written on while it is being saved keeps the rest, as a change of what was saved', async () => {
    await show(['a'], { said: [saidOf('a', { note: 'old' })] });
    await write('one');
    let answer = (): void => undefined;
    fake.server.gate = new Promise((resolve) => (answer = resolve));
    await save();
    await fireEvent.input(area(), { target: { value: 'one two' } });
    answer();
    await waitFor(() => expect(lastEdit()).toMatchObject({ text: 'one', base: 'old' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save note' })).toBeTruthy());
    expect(area().value).toBe('one two');
    await save();
    await waitFor(() => expect(lastEdit()).toMatchObject({ text: 'one two', base: 'one' }));
  });

  it('that is being saved is read when the details are opened again', async () => {
    await show(['a'], { said: [saidOf('a', { note: 'old' })] });
    await write('new');
    let answer = (): void => undefined;
    fake.server.gate = new Promise((resolve) => (answer = resolve));
    await save();
    await fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    await press('a', 'Enter');
    await screen.findByRole('textbox', { name: 'Note on a' });
    answer();
    await fireEvent.click(await screen.findByRole('button', { name: 'Edit note' }));
    expect(localStorage.getItem('sightline.noteDrafts.1')).toBe('[]');
    expect(area().value).toBe('new');
  });

  it('that was kept stays kept when the server refuses it again', async () => {
    new NoteDrafts().write('/logs', 'a', { base: '', text: 'important' });
    await show(['a']);
    await press('a', 'Enter');
    await screen.findByRole('textbox', { name: 'Note on a' });
    fake.server.refusal = new ApiError(403, 'Not from here');
    await save();
    await screen.findByText(/kept in this browser/);
    expect(area().value).toBe('important');
    expect(new NoteDrafts().read('/logs', 'a')?.text).toBe('important');
  });

  it('stays in the editor when the server refuses', async () => {
    await show(['a']);
    await write('important');
    fake.server.refusal = new ApiError(403, 'Not from here');
    await save();
    expect((await screen.findByText(/kept in this browser/)).getAttribute('role')).toBe('alert');
    expect(area().value).toBe('important');
  });

  it('that somebody else changed too is put together by hand', async () => {
    await show(['a'], { said: [saidOf('a', { note: 'first\nlast' })] });
    await write('first\nmine\nlast');
    fake.server.conflict = 'first\ntheirs\nlast';
    await save();
    expect((await screen.findByText(/changed the same lines/)).getAttribute('role')).toBe('alert');
    expect(area().value).toBe('first\ntheirs\nlast\n\nfirst\nmine\nlast');
    await fireEvent.input(area(), { target: { value: 'first\nboth\nlast' } });
    await save();
    await waitFor(() =>
      expect(lastEdit()).toMatchObject({ text: 'first\nboth\nlast', base: 'first\ntheirs\nlast' }),
    );
  });
});

describe('deleting', () => {
  it('says first what will move and what will stay', async () => {
    await show(['a', 'b']);
    await press('a', 'Delete');
    const dialog = await screen.findByRole('dialog', { name: 'Delete a?' });
    await waitFor(() => expect(dialog.textContent).toContain('2 files, 1.5 kB'));
    expect(dialog.textContent).toContain('1 other file');
    expect(fake.server.deletions).toEqual([{ runs: ['a'], is_dry: true }]);
    await fireEvent.click(within(dialog).getByRole('button', { name: 'Move to trash' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(fake.server.deletions.at(-1)).toEqual({ runs: ['a'] });
    expect(fake.reloads).toBe(1);
    expect(fake.announced).toEqual(['Moved a to the trash']);
  });

  it('is offered with the reason where it is not allowed', async () => {
    await show(['a'], {
      prepare: (page) => (page.server.state = { ...page.server.state, is_delete_allowed: false }),
    });
    await fireEvent.contextMenu(rowOf('a'), { clientX: 5, clientY: 5 });
    const item = await screen.findByRole('menuitem', { name: /^Delete/ });
    expect(item.getAttribute('aria-disabled')).toBe('true');
    expect(item.textContent).toContain('start with --allow-delete');
    await fireEvent.click(item);
    await press('a', 'Delete');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(fake.server.deletions).toEqual([]);
  });

  it('shows in place what the server says against it', async () => {
    await show(['a']);
    fake.server.refusal = new ApiError(403, 'Start with --allow-delete');
    await press('a', 'Delete');
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Start with --allow-delete'));
    expect(screen.queryByRole('button', { name: 'Move to trash' })).toBeNull();
  });

  it('is taken back from the trash', async () => {
    await show(['a'], {
      prepare: (page) => {
        const trash = [{ id: 't1', run: 'gone', deleted_s: 1, size_bytes: 10, file_count: 1 }];
        page.server.state = { ...page.server.state, trash };
      },
    });
    await chooseInTable('Trash (1)…');
    await fireEvent.click(await screen.findByRole('button', { name: 'Restore gone' }));
    await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('The trash is empty'));
    await waitFor(() => expect(fake.announced).toEqual(['Restored gone']));
  });
});

describe('where nothing can be saved', () => {
  const prepare = (page: FakePage): void => {
    const problems = ['/logs is read-only. Start with --workspace DIR'];
    page.server.state = { ...page.server.state, is_writable: false, problems };
  };

  it('keys say why nothing happens', async () => {
    await show(['a'], { prepare });
    for (const key of ['F2', 'l', 'c', 'f', 'e']) await press('a', key);
    expect(new Set(fake.announced)).toEqual(new Set(['/logs is read-only. Start with --workspace DIR']));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(fake.server.edits).toEqual([]);
  });

  it('the details say why, and can still be read', async () => {
    await show(['a'], { prepare, said: [saidOf('a', { note: 'old words' })] });
    await press('a', 'n');
    const dialog = await screen.findByRole('dialog', { name: 'a' });
    expect(dialog.textContent).toContain('read-only');
    expect(dialog.textContent).toContain('old words');
    expect(within(dialog).queryByRole('button', { name: 'Edit note' })).toBeNull();
    expect(within(dialog).getByRole('button', { name: 'Rename' }).hasAttribute('disabled')).toBe(true);
  });
});

describe('the palette', () => {
  it('edits the run of the row that had the focus', async () => {
    await show(['a', 'b']);
    expect(findCommands(fake.commands.all, 'rename')).toEqual([]);
    rowOf('b').focus();
    const command = findCommands(fake.commands.all, 'rename').find(({ id }) => id === 'run.rename');
    expect(command?.title).toBe('Rename b');
    command?.run();
    await waitFor(() => expect(screen.getByRole('textbox', { name: /^New name of b/ })).toBeTruthy());
  });
});

describe('a filter by values', () => {
  it('shows where a mistake is', async () => {
    await show(['a'], {
      prepare: (page) => {
        page.view.runFilterKind = 'expression';
        page.view.runFilter = 'lr < and x';
      },
    });
    await waitFor(() => expect(document.querySelector('mark')?.textContent).toBe('and'));
  });
});
