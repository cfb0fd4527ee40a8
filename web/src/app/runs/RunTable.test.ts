// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { removeTooltips } from '../../widgets/tooltip';
import { FakePage, makeRun, NOW_S, tableOf } from '../fake-page.svelte';
import PageHarness from '../PageHarness.svelte';
import RunTable from './RunTable.svelte';

let fake: FakePage;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_S * 1000, toFake: ['Date'] });
});

afterEach(async () => {
  cleanup();
  await removeTooltips();
  fake.runs.destroy();
  vi.useRealTimers();
});

async function show(page: FakePage, isPhone = false): Promise<void> {
  fake = page;
  render(PageHarness, { page: page.page, component: RunTable, given: { isPhone } });
  await tick();
}

function showNames(...names: string[]): Promise<void> {
  return show(new FakePage(names.map((name, id) => makeRun(id, name))));
}

function bodyRows(): HTMLElement[] {
  const rows = screen.getAllByRole('row').filter((row) => row.getAttribute('aria-rowindex') !== '1');
  return rows.sort(
    (a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')),
  );
}

function rowOf(name: string): HTMLElement {
  const row = bodyRows().find((candidate) => nameIn(candidate) === name);
  if (row === undefined) throw new Error(`No row ${name} among ${shownNames().join(', ')}`);
  return row;
}

function nameIn(row: HTMLElement): string {
  return row.querySelector('.name')?.textContent ?? '';
}

function shownNames(): string[] {
  return bodyRows().map(nameIn);
}

function selectedNames(): string[] {
  return fake.runs.all
    .filter(({ id }) => fake.runs.isSelected(id))
    .map((run) => run.name)
    .sort();
}

async function press(element: Element, key: string, more: KeyboardEventInit = {}): Promise<void> {
  await fireEvent.keyDown(element, { key, ...more });
  await tick();
}

function focused(): HTMLElement {
  return document.activeElement as HTMLElement;
}

function allCheckbox(): HTMLInputElement {
  return screen.getByRole('checkbox', { name: /^Select all/ });
}

describe('the keyboard in the run table', () => {
  beforeEach(async () => {
    await showNames('a', 'b', 'c');
    bodyRows()[0]?.focus();
  });

  it('has one stop for Tab among the rows', () => {
    expect(bodyRows().map((row) => row.tabIndex)).toEqual([0, -1, -1]);
  });

  it('moves with arrows, Home and End, and stops at both ends', async () => {
    await press(focused(), 'ArrowDown');
    expect(nameIn(focused())).toBe('b');
    await press(focused(), 'End');
    expect(nameIn(focused())).toBe('c');
    await press(focused(), 'ArrowDown');
    expect(nameIn(focused())).toBe('c');
    await press(focused(), 'Home');
    expect(nameIn(focused())).toBe('a');
    expect(bodyRows().map((row) => row.tabIndex)).toEqual([0, -1, -1]);
  });

  it('switches a run with Space', async () => {
    await press(focused(), ' ');
    expect(selectedNames()).toEqual(['b', 'c']);
    expect(focused().getAttribute('aria-selected')).toBe('false');
    await press(focused(), ' ');
    expect(selectedNames()).toEqual(['a', 'b', 'c']);
  });

  it('extends the last switch over the rows that Shift and arrows pass', async () => {
    await press(focused(), ' ');
    await press(focused(), 'ArrowDown', { shiftKey: true });
    await press(focused(), 'ArrowDown', { shiftKey: true });
    expect(selectedNames()).toEqual([]);
  });

  it('shows only this run with O', async () => {
    await press(focused(), 'o');
    expect(selectedNames()).toEqual(['a']);
  });

  it('opens the details with Enter, and closes them with Esc', async () => {
    await press(focused(), 'Enter');
    expect((await screen.findByRole('dialog')).textContent).toContain('1,000');
    await press(screen.getByRole('dialog'), 'Escape');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('checkboxes', () => {
  it('of the header are on, mixed and off', async () => {
    await showNames('a', 'b');
    expect(allCheckbox().checked).toBe(true);
    await fireEvent.click(screen.getByRole('checkbox', { name: 'Show a' }));
    expect(allCheckbox().indeterminate).toBe(true);
    await fireEvent.click(allCheckbox());
    expect(selectedNames()).toEqual(['a', 'b']);
    await fireEvent.click(allCheckbox());
    expect(selectedNames()).toEqual([]);
    expect(allCheckbox().checked).toBe(false);
    expect(allCheckbox().indeterminate).toBe(false);
  });

  it('show only this run after a double-click', async () => {
    await showNames('a', 'b', 'c');
    await fireEvent.dblClick(screen.getByRole('checkbox', { name: 'Show b' }));
    expect(selectedNames()).toEqual(['b']);
  });

  it('switch a whole range with Shift', async () => {
    await showNames('a', 'b', 'c', 'd');
    await fireEvent.click(screen.getByRole('checkbox', { name: 'Show a' }));
    await fireEvent.click(screen.getByRole('checkbox', { name: 'Show c' }), { shiftKey: true });
    expect(selectedNames()).toEqual(['d']);
  });

  it('have an only button beside them while the pointer is there', async () => {
    await showNames('a', 'b');
    await fireEvent.pointerEnter(rowOf('b'));
    await fireEvent.click(screen.getByRole('button', { name: 'Only b' }));
    expect(selectedNames()).toEqual(['b']);
  });
});

describe('the menu', () => {
  async function choose(name: string | RegExp): Promise<void> {
    await fireEvent.click(screen.getByRole('button', { name: 'Select runs' }));
    await tick();
    await fireEvent.click(await screen.findByRole('menuitem', { name }));
    await tick();
  }

  it('selects none, inverts and selects all', async () => {
    await showNames('a', 'b');
    await choose('Select none');
    expect(selectedNames()).toEqual([]);
    await fireEvent.click(screen.getByRole('checkbox', { name: 'Show a' }));
    await choose('Invert selection');
    expect(selectedNames()).toEqual(['b']);
    await choose(/^Select all/);
    expect(selectedNames()).toEqual(['a', 'b']);
  });

  it('asks how many of the latest runs to select', async () => {
    await showNames('a', 'b', 'c');
    await choose('Select latest…');
    const number = await screen.findByRole('spinbutton');
    await fireEvent.input(number, { target: { value: '2' } });
    await fireEvent.submit(screen.getByRole('dialog').querySelector('form') as HTMLFormElement);
    expect(selectedNames()).toEqual(['b', 'c']);
    expect(fake.announced).toEqual(['The latest 2 runs are selected']);
  });
});

describe('sorting', () => {
  const header = (name: string) => screen.getByRole('columnheader', { name: new RegExp(name) });
  const sortBy = (name: string) => fireEvent.click(within(header(name)).getByRole('button'));

  it('by name is natural and turns round', async () => {
    await showNames('run10', 'run2', 'run1');
    expect(shownNames()).toEqual(['run1', 'run2', 'run10']);
    expect(header('Run').getAttribute('aria-sort')).toBe('ascending');
    await sortBy('Run');
    expect(shownNames()).toEqual(['run10', 'run2', 'run1']);
    expect(header('Run').getAttribute('aria-sort')).toBe('descending');
  });

  it('by a number begins with the greatest, with missing ones last', async () => {
    await show(
      new FakePage([
        makeRun(0, 'a', { lastStep: 5 }),
        makeRun(1, 'b', { lastStep: null }),
        makeRun(2, 'c', { lastStep: 50 }),
      ]),
    );
    await sortBy('Step');
    expect(shownNames()).toEqual(['c', 'a', 'b']);
    await sortBy('Step');
    expect(shownNames()).toEqual(['a', 'c', 'b']);
  });

  it('by a metric uses its last value', async () => {
    const page = new FakePage([makeRun(0, 'a'), makeRun(1, 'b')], ['loss']);
    page.lastValues = new Map([
      [
        'loss',
        new Map([
          [0, 0.5],
          [1, 0.75],
        ]),
      ],
    ]);
    page.view.table = { ...page.view.table, columns: ['metric:loss'] };
    await show(page);
    await sortBy('loss');
    expect(shownNames()).toEqual(['b', 'a']);
    expect(rowOf('b').textContent).toContain('0.75');
  });

  it('moves between headings with arrows, and makes a column wider with Shift', async () => {
    await showNames('a');
    within(header('Run')).getByRole('button').focus();
    await press(focused(), 'ArrowRight');
    expect(focused().textContent).toContain('Status');
    await press(focused(), 'ArrowRight', { shiftKey: true });
    expect(fake.view.table.widths['status']).toBe(112);
  });
});

describe('the tree', () => {
  beforeEach(async () => {
    fake = new FakePage(['exp/1', 'exp/2', 'other'].map((name, id) => makeRun(id, name)));
    fake.view.table = { ...fake.view.table, isTree: true };
    await show(fake);
  });

  it('has levels and says what is open', () => {
    expect(screen.getByRole('treegrid')).toBeTruthy();
    expect(bodyRows().map((row) => row.getAttribute('aria-level'))).toEqual(['1', '2', '2', '1']);
    expect(rowOf('exp').getAttribute('aria-expanded')).toBe('true');
  });

  it('switches all runs of a directory, and shows when only some are on', async () => {
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Show all in exp' });
    await fireEvent.click(box);
    expect(selectedNames()).toEqual(['other']);
    await fireEvent.click(screen.getByRole('checkbox', { name: 'Show exp/1' }));
    expect(box.indeterminate).toBe(true);
  });

  it('closes and opens with the left and right arrows', async () => {
    rowOf('1').focus();
    await press(focused(), 'ArrowLeft');
    expect(nameIn(focused())).toBe('exp');
    await press(focused(), 'ArrowLeft');
    expect(shownNames()).toEqual(['exp', 'other']);
    expect(focused().getAttribute('aria-expanded')).toBe('false');
    await press(focused(), 'ArrowRight');
    expect(shownNames()).toEqual(['exp', '1', '2', 'other']);
  });
});

describe('the filter', () => {
  const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^Filter runs/ });

  it('says in place what is wrong with an expression, and keeps the rows', async () => {
    await showNames('a', 'b');
    await fireEvent.input(field(), { target: { value: '(' } });
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Not a regular expression'));
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(shownNames()).toEqual(['a', 'b']);
  });

  it('offers to clear itself when nothing matches', async () => {
    await showNames('a', 'b');
    await fireEvent.input(field(), { target: { value: 'zebra' } });
    await tick();
    expect(screen.getByText(/No run matches/).textContent).toContain('zebra');
    await fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }));
    expect(shownNames()).toEqual(['a', 'b']);
  });

  it('limits select all to what matches', async () => {
    await showNames('seed1', 'seed2', 'other');
    fake.runs.selectNone();
    await fireEvent.input(field(), { target: { value: 'seed' } });
    await tick();
    await fireEvent.click(allCheckbox());
    expect(selectedNames()).toEqual(['seed1', 'seed2']);
    expect(screen.getByText(/2 of 2 selected, 3 in all/)).toBeTruthy();
  });

  it('is text or a regular expression, by a switch', async () => {
    await showNames('a.b', 'axb');
    await fireEvent.click(screen.getByRole('button', { name: 'Regular expression' }));
    expect(fake.view.runFilterKind).toBe('text');
    await fireEvent.input(field(), { target: { value: 'a.b' } });
    await tick();
    expect(shownNames()).toEqual(['a.b']);
  });
});

describe('many runs', { timeout: 30_000 }, () => {
  beforeEach(async () => {
    await show(new FakePage(Array.from({ length: 10_000 }, (_, id) => makeRun(id, `run${id}`))));
  });

  it('are not all in the DOM, but counted for assistive technology', () => {
    expect(bodyRows().length).toBeLessThan(100);
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('10001');
    expect(bodyRows()[0]?.getAttribute('aria-rowindex')).toBe('2');
  });

  it('can be reached at the end with one key', async () => {
    bodyRows()[0]?.focus();
    await press(focused(), 'End');
    expect(nameIn(focused())).toBe('run0');
    expect(focused().getAttribute('aria-rowindex')).toBe('10001');
    expect(bodyRows().length).toBeLessThan(100);
  });

  it('begin with the latest selected, and say so', () => {
    expect(screen.getByText(/20 of 10,000 selected/)).toBeTruthy();
    expect(screen.getByRole('note').textContent).toContain('the latest 20');
    expect(shownNames()[0]).toBe('run9999');
    expect(fake.runs.isSelected(9999)).toBe(true);
  });

  it('can be sorted by name all the same', async () => {
    await fireEvent.click(screen.getByRole('button', { name: 'Run' }));
    expect(shownNames()[0]).toBe('run0');
    expect(fake.view.table.sortBy).toBe('name');
  });

  it('say how many are selected at first, whatever the filter shows of them', async () => {
    await fireEvent.input(screen.getByRole('textbox'), { target: { value: 'run1$' } });
    await tick();
    expect(screen.getByRole('note').textContent).toContain('the latest 20');
  });
});

describe('live runs', () => {
  it('do not move under the pointer: new ones are announced and come when it leaves', async () => {
    await showNames('b', 'c');
    const grid = screen.getByRole('grid');
    await fireEvent.pointerEnter(grid);
    fake.runs.apply(tableOf([makeRun(2, 'a')], { isComplete: false }));
    await tick();
    expect(shownNames()).toEqual(['b', 'c']);
    expect(screen.getByRole('button', { name: '1 new run' })).toBeTruthy();
    await fireEvent.pointerLeave(grid);
    expect(shownNames()).toEqual(['a', 'b', 'c']);
    expect(screen.queryByRole('button', { name: '1 new run' })).toBeNull();
  });

  it('are highlighted together with the charts', async () => {
    await showNames('a', 'b');
    await fireEvent.pointerEnter(rowOf('b'));
    expect(fake.runs.highlighted).toBe(1);
    await fireEvent.pointerLeave(rowOf('b'));
    expect(fake.runs.highlighted).toBeNull();
    fake.runs.highlighted = 0;
    await tick();
    expect(rowOf('a').classList.contains('highlighted')).toBe(true);
  });

  it('of groups bring the group’s line to the front, and show that it is pointed at', async () => {
    await showNames('x/a', 'y/b');
    fake.view.grouping = {
      by: { kind: 'folder', depth: 1 },
      center: 'mean',
      band: 'std',
      areMembersShown: true,
    };
    await waitFor(() => expect(shownNames()).toContain('y'));
    await fireEvent.pointerEnter(rowOf('y'));
    expect([fake.runs.highlighted, fake.runs.highlightedGroup]).toEqual([null, 'y']);
    await fireEvent.pointerLeave(rowOf('y'));
    expect(fake.runs.highlightedGroup).toBeNull();
    fake.runs.highlightedGroup = 'x';
    await tick();
    expect(rowOf('x').classList.contains('highlighted')).toBe(true);
  });

  it('are said to be in no groups when these cannot be made, with the panel closed, too', async () => {
    await showNames('x/a', 'y/b');
    fake.view.grouping = {
      by: { kind: 'regex', pattern: '(' },
      center: 'mean',
      band: 'std',
      areMembersShown: true,
    };
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('Not a regular expression'));
    fake.view.grouping = null;
    await tick();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('let go of the charts when their row scrolls away under the pointer', async () => {
    await showNames('a', 'b');
    await fireEvent.pointerEnter(rowOf('b'));
    expect(fake.runs.highlighted).toBe(1);
    fake.view.runFilter = 'a';
    await tick();
    expect(shownNames()).toEqual(['a']);
    expect(fake.runs.highlighted).toBeNull();
  });

  it('show their new numbers in place', async () => {
    await showNames('a', 'b');
    const before = rowOf('a');
    fake.runs.apply(tableOf([makeRun(0, 'a', { lastStep: 77_777 })], { isComplete: false }));
    await tick();
    expect(rowOf('a')).toBe(before);
    expect(before.textContent).toContain('77,777');
  });

  it('are sorted anew by what changed', async () => {
    await showNames('a', 'b');
    fake.view.table = { ...fake.view.table, sortBy: 'last_step' };
    fake.view.table = { ...fake.view.table, isDescending: true };
    await tick();
    expect(shownNames()).toEqual(['b', 'a']);
    fake.runs.apply(tableOf([makeRun(0, 'a', { lastStep: 77_777 })], { isComplete: false }));
    await tick();
    expect(shownNames()).toEqual(['a', 'b']);
  });

  it('of a restarted server keep the row that has the focus, and the details', async () => {
    await showNames('a', 'b', 'c');
    fake.details = (id) =>
      Promise.resolve({
        id,
        name: id === 1 ? 'b' : 'c',
        directories: [`/logs/${id}`],
        files: [],
        sessions: [],
      });
    rowOf('b').focus();
    await press(focused(), 'Enter');
    await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('/logs/1'));
    fake.details = (id) =>
      Promise.resolve({ id, name: 'b', directories: [`/new/${id}`], files: [], sessions: [] });
    fake.runs.apply(tableOf([makeRun(1, 'a'), makeRun(2, 'b')], { serverId: 'other' }));
    await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('/new/2'));
    expect(rowOf('b').tabIndex).toBe(0);
    fake.runs.apply(tableOf([makeRun(1, 'a')], { serverId: 'third' }));
    await tick();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('speak of reading at its begin and end only', async () => {
    await showNames('a');
    const spoken = () => screen.getByRole('status').textContent.trim();
    const progress = { files_done: 1, files_total: 9, bytes_done: 1, bytes_total: 9, is_done: false };
    fake.progress = progress;
    await tick();
    const begin = spoken();
    fake.progress = { ...progress, files_done: 2 };
    await tick();
    expect(spoken()).toBe(begin);
    const running = screen.getByText(/Reading 2 of 9 files/);
    expect(running.closest('[aria-live=polite], [role=status]')).toBeNull();
    fake.progress = { ...progress, is_done: true };
    await tick();
    expect(spoken()).not.toBe(begin);
  });

  it('show how far they are read', async () => {
    await show(new FakePage([makeRun(0, 'a', { readFraction: 0.25 })]));
    expect(screen.getByRole('progressbar', { name: 'Reading a' }).getAttribute('aria-valuenow')).toBe('25');
  });
});

describe('columns', () => {
  it('of metrics are found by typing and added', async () => {
    await show(new FakePage([makeRun(0, 'a')], ['train/loss', 'train/accuracy', 'val/loss']));
    await fireEvent.click(screen.getByRole('button', { name: 'Columns' }));
    await fireEvent.input(await screen.findByRole('textbox', { name: /^Find a column/ }), {
      target: { value: 'val' },
    });
    await tick();
    const panel = screen.getByRole('dialog', { name: 'Columns' });
    expect(
      within(panel)
        .getAllByRole('checkbox')
        .map((box) => box.parentElement?.textContent.trim()),
    ).toEqual(['val/loss']);
    await fireEvent.click(within(panel).getByRole('checkbox'));
    expect(fake.view.table.columns).toEqual([
      'status',
      'last_step',
      'duration',
      'started',
      'metric:val/loss',
    ]);
    expect(screen.getByRole('columnheader', { name: /val\/loss/ })).toBeTruthy();
  });

  it('on a phone are name and status only', async () => {
    await show(new FakePage([makeRun(0, 'a')]), true);
    expect(screen.getAllByRole('columnheader').map((header) => header.textContent.trim())).toEqual([
      'Run',
      'Status',
    ]);
  });
});

describe('the details of a run', () => {
  it('list files, sessions and damage', async () => {
    const page = new FakePage([makeRun(0, 'a', { damageCount: 1 })]);
    page.details = () =>
      Promise.resolve({
        id: 0,
        name: 'a',
        directories: ['/logs/a'],
        files: [
          {
            name: 'events.1',
            size_bytes: 2000,
            read_bytes: 500,
            records: 7,
            writer: 'torch',
            damage_count: 1,
            error: '',
          },
        ],
        sessions: [
          {
            status: 'crashed',
            started_s: NOW_S - 100,
            last_seen_s: NOW_S,
            command: 'python train.py',
            commit: 'abc123',
            error: 'ValueError: no',
            facts: { host: 'gpu7' },
          },
        ],
      });
    page.damage = {
      damage: [
        { run: 'a', file: 'events.1', offset: 1, length: 2, text: 'events.1: 2 bytes skipped' },
        { run: 'b', file: 'events.2', offset: 1, length: 2, text: 'of another run' },
      ],
      damage_count: 2,
      warnings: [],
    };
    await show(page);
    await fireEvent.click(screen.getByRole('button', { name: 'Details of a' }));
    const dialog = await screen.findByRole('dialog');
    await waitFor(() => expect(dialog.textContent).toContain('python train.py'));
    for (const text of [
      '/logs/a',
      'events.1',
      '25 % read',
      'torch',
      'abc123',
      'ValueError: no',
      'gpu7',
      '2 bytes skipped',
    ]) {
      expect(dialog.textContent).toContain(text);
    }
    expect(dialog.textContent).not.toContain('of another run');
  });

  it('of another run, of a server that was just restarted, are not shown', async () => {
    await showNames('a');
    fake.details = (id) =>
      Promise.resolve({ id, name: 'z', directories: ['/logs/z'], files: [], sessions: [] });
    await fireEvent.click(screen.getByRole('button', { name: 'Details of a' }));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('restarted'));
    expect(screen.getByRole('dialog').textContent).not.toContain('/logs/z');
  });

  it('say in place when the server does not answer', async () => {
    await showNames('a');
    await fireEvent.click(screen.getByRole('button', { name: 'Details of a' }));
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('The server does not answer'));
  });
});
