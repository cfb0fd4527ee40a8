// What keys do on the rows of the run table, and what it says beside a resting pointer. See RunTable.svelte.
import type { Page } from '../../state/page.svelte';
import { describeDamage } from '../../state/run-facts';
import { columnOf } from './columns';
import type { RunTableModel } from './run-table-model.svelte';
import type { TableRow } from './run-tree';

const MOST_HINT_CHARS = 120;

export interface Table {
  readonly page: Page;
  readonly model: RunTableModel;
  readonly pageRows: () => number;
  readonly focusRow: (index: number) => void;
  /** Details of a run; directories and groups open and close. */
  readonly open: (row: TableRow) => void;
  /** Whether the key edits the run. */
  readonly edit: (key: string, row: TableRow) => boolean;
}

function move({ model, focusRow }: Table, event: KeyboardEvent, to: number): void {
  const index = Math.max(0, Math.min(to, model.rows.length - 1));
  const now = model.rows[model.activeIndex];
  if (event.shiftKey && now !== undefined) {
    model.check(model.activeIndex, model.isOn(now), false);
    model.check(index, model.isOn(now), true);
  }
  focusRow(index);
}

/** A key on one of the rows. */
export function press(event: KeyboardEvent, table: Table): void {
  const { page, model } = table;
  const target = event.target as HTMLElement;
  if (target.getAttribute('role') !== 'row') return;
  const index = model.activeIndex;
  const row = model.rows[index];
  if (row === undefined) return;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== 'a') return;
    page.runs.selectAll();
  } else if (event.altKey) return;
  else if (event.key === 'ArrowDown') move(table, event, index + 1);
  else if (event.key === 'ArrowUp') move(table, event, index - 1);
  else if (event.key === 'PageDown') move(table, event, index + table.pageRows());
  else if (event.key === 'PageUp') move(table, event, index - table.pageRows());
  else if (event.key === 'Home') move(table, event, 0);
  else if (event.key === 'End') move(table, event, model.rows.length - 1);
  else if (event.key === ' ') model.check(index, !model.isOn(row), event.shiftKey);
  else if (event.key === 'Enter') table.open(row);
  else if (event.key === 'o' || event.key === 'O') model.only(row);
  else if (event.key === 'ArrowRight' && model.isTree) openBranch(table, row, index);
  else if (event.key === 'ArrowLeft' && model.isTree) closeBranch(table, row, index);
  else if (!table.edit(event.key, row)) return;
  event.preventDefault();
  event.stopPropagation();
}

function openBranch({ model, focusRow }: Table, row: TableRow, index: number): void {
  if (row.kind === 'run') return;
  if (row.isCollapsed) model.toggleBranch(row);
  else focusRow(index + 1);
}

function closeBranch({ model, focusRow }: Table, row: TableRow, index: number): void {
  if (row.kind !== 'run' && !row.isCollapsed) model.toggleBranch(row);
  else if (model.parentOf(index) >= 0) focusRow(model.parentOf(index));
}

/** What is shown beside the pointer when it rests on a part of a row. */
export function hintOf(element: HTMLElement, { page, model }: Table): string {
  const index = Number(element.closest('[role=row]')?.getAttribute('aria-rowindex')) - 2;
  const row = model.rows[index];
  const about = element.dataset['hint'] ?? '';
  if (row === undefined) return '';
  if (about === 'name') {
    const name = nameHint(element, page, row);
    return row.kind === 'run' ? lines(name, labelsHint(page, row.run.id)) : name;
  }
  const run = row.kind === 'run' ? page.runs.byId.get(row.run.id) : undefined;
  if (run === undefined) return '';
  if (about === 'note' && element.getAttribute('role') !== 'gridcell') {
    return lines(firstLine(page.runs.noteOf(run.id)), labelsHint(page, run.id));
  }
  if (about === 'details') return 'Details (Enter)';
  if (about === 'damage' && element.getAttribute('role') !== 'gridcell') {
    return `Damaged: ${describeDamage(run.damageCount)} could not be read. The details say which`;
  }
  return columnOf(about)?.hintOf?.(run, model.context) ?? '';
}

function nameHint(element: HTMLElement, page: Page, row: TableRow): string {
  const fullName = row.kind === 'run' ? row.run.name : row.kind === 'folder' ? row.path : row.label;
  const shown = row.kind === 'run' ? page.runs.displayName(row.run.id) : fullName;
  const head = element.firstElementChild;
  const isCut = head !== null && head.scrollWidth > head.clientWidth;
  if (shown !== fullName) return isCut ? `${shown}\n${fullName}` : fullName;
  return isCut || element.textContent !== fullName ? fullName : '';
}

function labelsHint(page: Page, id: number): string {
  const labels = page.runs.labelsOf(id);
  return labels.length === 0 ? '' : `Labels: ${labels.join(', ')}`;
}

/** Without the signs that make it a heading, a quotation or an entry of a list. */
function firstLine(note: string): string {
  const line = note
    .trimStart()
    .split('\n', 1)[0]!
    .replace(/^[#>*+-]+ +/, '')
    .trimEnd();
  return line.length > MOST_HINT_CHARS ? `${line.slice(0, MOST_HINT_CHARS)}…` : line;
}

function lines(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n');
}
