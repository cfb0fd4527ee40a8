// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import type { ValueRow } from './value-rows';
import { ValueTable } from './value-table';

const row = (more: Partial<ValueRow> = {}): ValueRow => ({
  key: '1',
  run: 1,
  label: 'baseline',
  color: 'rgb(1, 2, 3)',
  isDashed: false,
  smoothed: null,
  value: 0.1 + 0.2,
  step: 12345,
  wallS: 1000,
  relativeS: 5,
  x: 12_345,
  ...more,
});

let host: HTMLElement;
const callbacks = { onCopy: vi.fn(), onRow: vi.fn(), onSort: vi.fn() };

beforeEach(() => {
  host = document.createElement('div');
  document.body.replaceChildren(host);
});

const visibleRows = () =>
  [...host.querySelectorAll<HTMLTableRowElement>('tbody tr')].filter((tr) => !tr.hidden);
const cell = (column: string) => host.querySelector<HTMLElement>(`tbody tr td.${column}`)!;

test('shows a few digits and copies all of them', () => {
  const table = new ValueTable(host, callbacks);
  table.show({ rows: [row()], count: 1 }, 'Step 12,345');
  expect(cell('value').textContent).toBe('0.3');
  cell('value').click();
  expect(callbacks.onCopy).toHaveBeenLastCalledWith('0.30000000000000004');
  cell('step').click();
  expect(callbacks.onCopy).toHaveBeenLastCalledWith('12345');
});

test('says NaN and infinity in words', () => {
  const table = new ValueTable(host, callbacks);
  table.show({ rows: [row({ value: NaN }), row({ value: -Infinity })], count: 2 }, '');
  const texts = visibleRows().map((tr) => tr.querySelector('td.value')!.textContent);
  expect(texts).toEqual(['NaN', '-Infinity']);
});

test('uses its rows again instead of making new ones', () => {
  const table = new ValueTable(host, callbacks);
  table.show({ rows: [row(), row({ run: 2 })], count: 2 }, '');
  const [first] = visibleRows();
  table.show({ rows: [row({ label: 'other' })], count: 1 }, '');
  expect(visibleRows()).toEqual([first]);
  expect(first!.textContent).toContain('other');
});

test('says how many rows there is no room for', () => {
  const table = new ValueTable(host, callbacks);
  table.show({ rows: [row()], count: 1001 }, 'Last values');
  expect(host.querySelector('thead')!.textContent).toContain('Last values · 1,000 more');
});

test('has a smoothed column only when something is smoothed', () => {
  const table = new ValueTable(host, callbacks);
  table.show({ rows: [row()], count: 1 }, '');
  expect(table.element.classList).not.toContain('has-smoothed');
  table.show({ rows: [row({ smoothed: 1 })], count: 1 }, '');
  expect(table.element.classList).toContain('has-smoothed');
});

test('tells which run the pointer is on', () => {
  const table = new ValueTable(host, callbacks);
  table.show({ rows: [row({ run: 42 })], count: 1 }, '');
  cell('value').dispatchEvent(new Event('pointerover', { bubbles: true }));
  expect(callbacks.onRow.mock.lastCall?.[0]).toMatchObject({ run: 42 });
});

test('headings sort, and say how the rows are sorted', () => {
  const table = new ValueTable(host, callbacks);
  host.querySelector<HTMLElement>('th.value button')!.click();
  expect(callbacks.onSort).toHaveBeenLastCalledWith('value');
  table.showSort({ column: 'value', isDescending: true });
  expect(host.querySelector('th.value')!.getAttribute('aria-sort')).toBe('descending');
  table.showSort(null);
  expect(host.querySelector('th.value')!.hasAttribute('aria-sort')).toBe(false);
});

test('names and heading are cut to the column that is left beside the smoothed values', () => {
  const table = new ValueTable(host, callbacks);
  const column = host.querySelector<HTMLElement>('thead th.run')!;
  column.getBoundingClientRect = () =>
    ({ width: table.element.classList.contains('has-smoothed') ? 150 : 200 }) as DOMRect;
  table.measure();
  const label = 'group_008/run_00823';
  const name = () => visibleRows()[0]!.querySelector('th')!.textContent;
  table.show({ rows: [row({ label })], count: 996 }, 'Last values');
  expect(name()).toBe(label);
  expect(column.textContent).toBe('Last values · 995 more');
  // The rows come before anybody says that the width has changed.
  table.show({ rows: [row({ label, smoothed: 1 })], count: 996 }, 'Last values');
  expect(name()).toBe('grou…run_00823');
  expect(column.textContent).toBe('Last values +995');
  table.show({ rows: [row({ label })], count: 996 }, 'Last values');
  expect(name()).toBe(label);
});

test('the column of members is as wide as what stands in it', () => {
  const options = { hasGroups: true, centerName: 'Mean', xName: 'Step', xText: String };
  const table = new ValueTable(host, callbacks, options);
  const group = { center: 'mean', low: 0, high: 1, isExact: true } as unknown as ValueRow['group'];
  const showMembers = (members: number, runs: number): string => {
    table.show({ rows: [row({ group: { ...group!, members, runs } })], count: 1 }, '');
    return host.querySelector<HTMLElement>('th.members')!.style.width;
  };
  expect(showMembers(3, 3)).toBe('');
  expect(showMembers(3333, 10_000)).toBe('calc(15ch + var(--space-2))');
  expect(showMembers(10_000, 10_000)).toBe('');
});

test('among groups the value of a run is that of its line, shown and copied', () => {
  const options = { hasGroups: true, centerName: 'Mean', xName: 'Step', xText: String };
  const table = new ValueTable(host, callbacks, options);
  table.show({ rows: [row({ value: 3, smoothed: 2.5 })], count: 1 }, '');
  expect(cell('value').textContent).toBe('2.5');
  cell('value').click();
  expect(callbacks.onCopy).toHaveBeenLastCalledWith('2.5');
});

test('lines between two others have a column for what these are', () => {
  const options = { hasGroups: false, hasBounds: true, centerName: 'Mean', xName: 'Step', xText: String };
  const table = new ValueTable(host, callbacks, options);
  table.show({ rows: [row({ bounds: { low: 0.12345, high: 1 } }), row({})], count: 2 }, '');
  const bands = visibleRows().map((one) => one.querySelector('.band')!.textContent);
  expect(bands).toEqual(['0.123 – 1', '']);
  cell('band').click();
  expect(callbacks.onCopy).toHaveBeenLastCalledWith('0.12345 – 1');
});
