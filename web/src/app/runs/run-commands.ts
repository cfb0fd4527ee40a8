// Commands of the palette about runs: for the row that has the focus in the table, and for what people added to the log.
import type { Command } from '../../state/commands.svelte';
import type { RunManager } from './run-manager.svelte';

interface ActiveRun {
  /** By name; null: none. */
  run(): string | null;
  openNote(run: string): void;
}

export function runCommands(manager: RunManager, active: ActiveRun): Command[] {
  const { page } = manager;
  const ofRun = (id: string, title: (name: string) => string, doing: (run: string) => void): Command => ({
    id: `run.${id}`,
    group: 'Runs',
    // Read when the palette is opened: which run it is changes with the focus.
    get title() {
      const run = active.run();
      return title(run === null ? 'a run' : manager.nameOf(run));
    },
    isAvailable: () => active.run() !== null,
    run: () => {
      const run = active.run();
      if (run !== null) doing(run);
    },
  });
  return [
    ofRun(
      'rename',
      (name) => `Rename ${name}`,
      (run) => manager.askForName(run),
    ),
    ofRun(
      'labels',
      (name) => `Labels of ${name}`,
      (run) => manager.askForLabels([run]),
    ),
    ofRun(
      'note',
      (name) => `Note on ${name}`,
      (run) => active.openNote(run),
    ),
    ofRun(
      'color',
      (name) => `Colour of ${name}`,
      (run) => manager.askForColor([run]),
    ),
    ofRun(
      'favourite',
      (name) => `Favourite, on or off: ${name}`,
      (run) => manager.setFavourite([run], !manager.isFavourite(run)),
    ),
    ofRun(
      'archive',
      (name) => `Archive, in or out: ${name}`,
      (run) => manager.setArchived([run], !manager.isArchived(run)),
    ),
    ofRun(
      'delete',
      (name) => `Delete ${name}`,
      (run) => manager.askToDelete([run]),
    ),
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
