// What the menus of the run table offer: of a row, and of the whole table. Plain lists, so that they can be tested without
// opening anything.
import { formatInteger } from '../../base/format';
import type { MenuItem } from '../../widgets/menu-item';
import { copy } from '../copy';
import { DELETE_HINT, type RunManager } from './run-manager.svelte';
import type { RunTableModel } from './run-table-model.svelte';
import type { TableRow } from './run-tree';

const SEPARATOR: MenuItem = { kind: 'separator' };

export interface RowDoings {
  readonly index: number;
  openDetails(): void;
  openNote(): void;
}

export function rowItems(
  manager: RunManager,
  model: RunTableModel,
  row: TableRow,
  doings: RowDoings,
): MenuItem[] {
  const { page } = manager;
  const isOn = model.isOn(row);
  const name = row.kind === 'run' ? row.run.name : row.kind === 'folder' ? row.path : row.label;
  const what = { run: 'run', folder: 'directory', group: 'group' }[row.kind];
  const items: MenuItem[] = [
    { label: `Only this ${what}`, icon: 'only', hint: 'O', run: () => model.only(row) },
    {
      label: isOn ? 'Do not show' : 'Show',
      icon: isOn ? 'eye-off' : 'eye',
      hint: 'Space',
      run: () => model.check(doings.index, !isOn, false),
    },
    { label: 'Copy name', icon: 'copy', run: () => void copy(page, name, name) },
    SEPARATOR,
  ];
  if (row.kind !== 'run') {
    const runs = namesOf(manager, row.runIds);
    if (row.kind === 'group' && row.groupKey !== null) {
      const key = row.groupKey;
      items.push({
        label: 'Colour of the group…',
        icon: 'theme',
        hint: 'C',
        run: () => manager.askForGroupColor(key, row.label),
      });
    }
    return [...items, ...bulkItems(manager, runs)];
  }
  const runs = [row.run.name];
  const isFavourite = manager.isFavourite(name);
  const isArchived = manager.isArchived(name);
  const isBaseline = page.view.baseline?.run === name;
  return [
    ...items,
    { label: 'Rename…', icon: 'edit', hint: 'F2', run: () => manager.askForName(name) },
    { label: 'Labels…', icon: 'label', hint: 'L', run: () => manager.askForLabels(runs) },
    { label: 'Note…', icon: 'list', hint: 'N', run: () => doings.openNote() },
    { label: 'Colour…', icon: 'theme', hint: 'C', run: () => manager.askForColor(runs) },
    {
      label: isFavourite ? 'Remove from favourites' : 'Add to favourites',
      icon: 'star',
      hint: 'F',
      run: () => manager.setFavourite(runs, !isFavourite),
    },
    {
      label: isArchived ? 'Take out of the archive' : 'Archive',
      icon: 'archive',
      hint: 'E',
      run: () => manager.setArchived(runs, !isArchived),
    },
    deleteItem(manager, runs, 'Del'),
    SEPARATOR,
    {
      label: isBaseline ? 'No baseline' : 'Compare others with this run',
      icon: 'chart',
      run: () => (page.view.baseline = isBaseline ? null : { run: name, mode: 'difference' }),
    },
    { label: 'Details…', icon: 'info', hint: 'Enter', run: () => doings.openDetails() },
  ];
}

/** Of many runs at once. */
function bulkItems(manager: RunManager, runs: readonly string[]): MenuItem[] {
  const isDisabled = runs.length === 0;
  const areFavourites = runs.length > 0 && runs.every((run) => manager.isFavourite(run));
  const areArchived = runs.length > 0 && runs.every((run) => manager.isArchived(run));
  return [
    { label: 'Labels…', icon: 'label', isDisabled, run: () => manager.askForLabels(runs) },
    { label: 'One colour for all…', icon: 'theme', isDisabled, run: () => manager.askForColor(runs) },
    {
      label: areFavourites ? 'Remove from favourites' : 'Add to favourites',
      icon: 'star',
      isDisabled,
      run: () => manager.setFavourite(runs, !areFavourites),
    },
    {
      label: areArchived ? 'Take out of the archive' : 'Archive',
      icon: 'archive',
      isDisabled,
      run: () => manager.setArchived(runs, !areArchived),
    },
    deleteItem(manager, runs),
  ];
}

function deleteItem(manager: RunManager, runs: readonly string[], key?: string): MenuItem {
  const isAllowed = manager.isDeleteAllowed;
  const hint = isAllowed ? key : DELETE_HINT;
  return {
    label: 'Delete…',
    icon: 'trash',
    ...(hint === undefined ? {} : { hint }),
    isDisabled: !isAllowed || runs.length === 0,
    run: () => manager.askToDelete(runs),
  };
}

export function tableItems(manager: RunManager, model: RunTableModel): MenuItem[] {
  const { page } = manager;
  const { runs, view } = page;
  const isFiltered = view.runFilter !== '';
  const which = isFiltered ? `all ${formatInteger(runs.shown.length)} that match` : 'all';
  const items: MenuItem[] = [
    { label: `Select ${which}`, icon: 'check', hint: 'Ctrl+A', run: () => runs.selectAll() },
    { label: isFiltered ? 'Select none that match' : 'Select none', run: () => runs.selectNone() },
    { label: 'Invert selection', icon: 'invert', run: () => runs.invert() },
    { label: 'Select latest…', icon: 'clock', run: () => (manager.dialog = { kind: 'latest' }) },
  ];
  const { activeRunId } = model;
  if (activeRunId !== null) {
    items.push({
      label: `Only ${runs.shortName(activeRunId)}`,
      icon: 'only',
      hint: 'O',
      run: () => runs.only(activeRunId),
    });
  }
  const selected = namesOf(manager, runs.visibleIds);
  const trashCount = page.workspace.state?.trash.length ?? 0;
  items.push(
    {
      kind: 'heading',
      label:
        selected.length === 1 ? 'The selected run' : `The ${formatInteger(selected.length)} selected runs`,
    },
    ...bulkItems(manager, selected),
    { kind: 'heading', label: 'Table' },
    { label: 'Clear filter', icon: 'close', isDisabled: !isFiltered, run: () => (view.runFilter = '') },
    {
      label: 'Show archived runs',
      isChecked: view.showArchived,
      icon: 'archive',
      run: () => (view.showArchived = !view.showArchived),
    },
    {
      label: trashCount === 0 ? 'Trash…' : `Trash (${formatInteger(trashCount)})…`,
      icon: 'trash',
      run: () => (manager.dialog = { kind: 'trash' }),
    },
    { label: 'Spread colours over shown runs', icon: 'theme', run: () => runs.spreadColors() },
  );
  if (model.isTree) {
    const branches = model.isGrouped ? 'groups' : 'directories';
    items.push(
      { label: `Open all ${branches}`, icon: 'folder', run: () => model.expandAll() },
      { label: `Close all ${branches}`, run: () => model.collapseAll() },
    );
  }
  return items;
}

function namesOf(manager: RunManager, ids: readonly number[]): string[] {
  const { byId } = manager.page.runs;
  return ids.flatMap((id) => byId.get(id)?.name ?? []);
}

/** What a key does to the run of a row; false: nothing. */
export function pressOnRow(manager: RunManager, key: string, row: TableRow, openNote: () => void): boolean {
  if (row.kind !== 'run') {
    if (key.toLowerCase() !== 'c' || row.kind !== 'group' || row.groupKey === null) return false;
    manager.askForGroupColor(row.groupKey, row.label);
    return true;
  }
  const { name } = row.run;
  if (key === 'F2') manager.askForName(name);
  else if (key === 'Delete') manager.askToDelete([name]);
  else if (key.toLowerCase() === 'l') manager.askForLabels([name]);
  else if (key.toLowerCase() === 'n') openNote();
  else if (key.toLowerCase() === 'c') manager.askForColor([name]);
  else if (key.toLowerCase() === 'f') manager.setFavourite([name], !manager.isFavourite(name));
  else if (key.toLowerCase() === 'e') manager.setArchived([name], !manager.isArchived(name));
  else return false;
  return true;
}
