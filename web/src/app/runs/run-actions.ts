// Everything that can be done to runs, once for the menus of the table, the keys on its rows and the palette. Plain lists, so
// that they can be tested without opening anything.
import { formatInteger } from '../../base/format';
import type { Command } from '../../state/commands.svelte';
import type { IconName } from '../../widgets/icon-paths';
import type { MenuAction, MenuItem } from '../../widgets/menu-item';
import { copy } from '../copy';
import { DELETE_HINT, type RunManager } from './run-manager.svelte';
import type { RunTableModel } from './run-table-model.svelte';
import type { TableRow } from './run-tree';

const SEPARATOR: MenuItem = { kind: 'separator' };

interface RunAction extends MenuAction {
  readonly id: string;
  /** Of the command; the name of the run follows. */
  readonly title: string;
  /** On the row of the run. */
  readonly key: string;
}

type OpenNote = (run: string) => void;

/** `openNote`: of a single run, which also has a name and a note to change; null: of many at once. */
function runActions(
  manager: RunManager,
  runs: readonly string[],
  openNote: OpenNote | null,
): readonly RunAction[] {
  const run = runs[0] ?? '';
  const areFavourites = runs.length > 0 && runs.every((one) => manager.isFavourite(one));
  const areArchived = runs.length > 0 && runs.every((one) => manager.isArchived(one));
  const favourite = areFavourites ? 'Remove from favourites' : 'Add to favourites';
  const archive = areArchived ? 'Take out of the archive' : 'Archive';
  const color = openNote === null ? 'One colour for all…' : 'Colour…';
  const all: readonly [string, string, IconName, string, string, () => void][] = [
    ['rename', 'F2', 'edit', 'Rename', 'Rename…', () => manager.askForName(run)],
    ['labels', 'L', 'label', 'Labels of', 'Labels…', () => manager.askForLabels(runs)],
    ['note', 'N', 'list', 'Note on', 'Note…', () => openNote?.(run)],
    ['color', 'C', 'theme', 'Colour of', color, () => manager.askForColor(runs)],
    [
      'favourite',
      'F',
      'star',
      'Favourite, on or off:',
      favourite,
      () => manager.setFavourite(runs, !areFavourites),
    ],
    [
      'archive',
      'E',
      'archive',
      'Archive, in or out:',
      archive,
      () => manager.setArchived(runs, !areArchived),
    ],
    ['delete', 'Del', 'trash', 'Delete', 'Delete…', () => manager.askToDelete(runs)],
  ];
  return all
    .filter(([id]) => openNote !== null || (id !== 'rename' && id !== 'note'))
    .map(([id, key, icon, title, label, act]) => {
      const isRefused = id === 'delete' && !manager.isDeleteAllowed;
      const hint = isRefused ? DELETE_HINT : openNote === null ? undefined : key;
      const isDisabled = isRefused || runs.length === 0;
      return { id, key, icon, title, label, ...(hint !== undefined && { hint }), isDisabled, run: act };
    });
}

export interface RowDoings {
  readonly index: number;
  openDetails(): void;
  readonly openNote: OpenNote;
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
  if (row.kind === 'run') {
    const isBaseline = page.view.baseline?.run === name;
    return [
      ...items,
      ...runActions(manager, [name], doings.openNote),
      SEPARATOR,
      {
        label: isBaseline ? 'No baseline' : 'Compare others with this run',
        icon: 'chart',
        run: () => (page.view.baseline = isBaseline ? null : { run: name, mode: 'difference' }),
      },
      { label: 'Details…', icon: 'info', hint: 'Enter', run: () => doings.openDetails() },
    ];
  }
  if (row.kind === 'group' && row.groupKey !== null) {
    const key = row.groupKey;
    items.push({
      label: 'Colour of the group…',
      icon: 'theme',
      hint: 'C',
      run: () => manager.askForGroupColor(key, row.label),
    });
  }
  return [...items, ...runActions(manager, namesOf(manager, row.runIds), null)];
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
    ...runActions(manager, selected, null),
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
export function pressOnRow(manager: RunManager, key: string, row: TableRow, openNote: OpenNote): boolean {
  if (row.kind !== 'run') {
    if (key.toLowerCase() !== 'c' || row.kind !== 'group' || row.groupKey === null) return false;
    manager.askForGroupColor(row.groupKey, row.label);
    return true;
  }
  const actions = runActions(manager, [row.run.name], openNote);
  const short = key === 'Delete' ? 'Del' : key.toUpperCase();
  const action = actions.find((one) => one.key === short);
  action?.run();
  return action !== undefined;
}

interface ActiveRun {
  /** By name; null: none. */
  run(): string | null;
  readonly openNote: OpenNote;
}

/** Of the palette: for the row that has the focus in the table, and for what people added to the log. */
export function runCommands(manager: RunManager, active: ActiveRun): Command[] {
  const { page } = manager;
  const actionsOf = (run: string): readonly RunAction[] => runActions(manager, [run], active.openNote);
  return [
    ...actionsOf('').map(({ id, title }): Command => ({
      id: `run.${id}`,
      group: 'Runs',
      // Read when the palette is opened: which run it is changes with the focus.
      get title() {
        const run = active.run();
        return `${title} ${run === null ? 'a run' : manager.nameOf(run)}`;
      },
      isAvailable: () => active.run() !== null,
      run: () => {
        const run = active.run();
        if (run !== null)
          actionsOf(run)
            .find((action) => action.id === id)
            ?.run();
      },
    })),
    {
      id: 'runs.archived',
      title: 'Show or hide archived runs',
      group: 'Runs',
      run: () => (page.view.showArchived = !page.view.showArchived),
    },
    {
      id: 'runs.trash',
      title: 'Deleted runs (trash)',
      group: 'Runs',
      run: () => (manager.dialog = { kind: 'trash' }),
    },
    {
      id: 'runs.favourites',
      title: 'Show favourite runs only',
      group: 'Runs',
      run: () => {
        page.view.runFilterKind = 'expression';
        page.view.runFilter = 'favourite';
      },
    },
    {
      id: 'runs.ungroup',
      title: 'Ungroup runs',
      group: 'Runs',
      isAvailable: () => page.view.grouping !== null,
      run: () => (page.view.grouping = null),
    },
  ];
}
