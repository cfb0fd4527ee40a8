// The commands of the frame: what can be done whatever dashboard is open. Dashboards register their own beside these.
import { flushSync } from 'svelte';
import { formatInteger } from '../base/format';
import { DASHBOARDS } from '../dashboards/registry';
import { takesText } from '../state/command-keys';
import type { Command } from '../state/commands.svelte';
import type { Page } from '../state/page.svelte';
import { MOST_LINK_CHARS } from '../state/settings/link';
import { copyText } from '../widgets/clipboard';
import { nextChoice } from './theme';
import type { Shell } from './shell.svelte';

const LATEST_COUNT = 10;

function focusField(id: string): void {
  const field = document.getElementById(id);
  if (!(field instanceof HTMLInputElement)) return;
  field.focus();
  field.select();
}

function hasField(id: string): boolean {
  return document.getElementById(id) !== null;
}

/** Opens the run table wherever it is. */
function filterRuns(page: Page, shell: Shell): void {
  if (shell.isPhone) shell.isRunSheetOpen = true;
  else page.settings.isSideBarOpen = true;
  // Now, not in the next frame: the letters of someone who types on would be commands until then.
  flushSync();
  focusField('run-filter');
  // A dialog that is about to close, or to open, may still keep the focus. But a key pressed meanwhile, as Esc, has the last word.
  const stop = new AbortController();
  addEventListener('keydown', () => stop.abort(), { capture: true, signal: stop.signal });
  requestAnimationFrame(() => {
    if (!stop.signal.aborted && document.activeElement?.id !== 'run-filter') focusField('run-filter');
    stop.abort();
  });
}

async function copyLink(page: Page, shell: Shell): Promise<void> {
  const link = page.link();
  if (!(await copyText(link))) {
    page.announce('This browser does not let the page copy; take the link from the address bar');
  } else if (link.length <= MOST_LINK_CHARS) {
    page.announce('Link copied');
  } else {
    const length = formatInteger(link.length);
    page.announce(
      `Link copied, but it has ${length} characters and many programs cut it. A saved view has a short one`,
      {
        label: 'Save the view',
        run: () => (shell.isSaveAsked = true),
      },
    );
  }
}

export function shellCommands(page: Page, shell: Shell): Command[] {
  const hasRuns = (): boolean => page.runs.all.length > 0;
  const general: Command[] = [
    {
      id: 'shell.palette',
      title: 'Search commands, tags and runs',
      keys: ['Ctrl+K'],
      group: 'General',
      // In the palette itself it would lead nowhere.
      isAvailable: () => !shell.isPaletteOpen,
      run: () => (shell.isPaletteOpen = true),
    },
    {
      id: 'shell.filter-tags',
      title: 'Filter by tag',
      keys: ['/', 'Ctrl+F'],
      group: 'General',
      // The second Ctrl+F is the browser's own search.
      isAvailable: () => hasField('tag-filter') && document.activeElement?.id !== 'tag-filter',
      run: () => focusField('tag-filter'),
    },
    {
      id: 'shell.filter-runs',
      title: 'Filter runs',
      keys: ['r'],
      group: 'General',
      isAvailable: hasRuns,
      run: () => filterRuns(page, shell),
    },
    {
      id: 'shell.side-bar',
      title: 'Show or hide the run table',
      keys: ['b'],
      group: 'General',
      run: () => {
        if (shell.isPhone) shell.isRunSheetOpen = !shell.isRunSheetOpen;
        else page.settings.isSideBarOpen = !page.settings.isSideBarOpen;
      },
    },
    {
      id: 'shell.theme',
      title: 'Light or dark theme',
      keys: ['t'],
      group: 'General',
      run: () => (page.settings.theme = nextChoice(page.settings.theme, shell.isSystemDark)),
    },
    {
      id: 'shell.help',
      title: 'Keyboard shortcuts',
      keys: ['?'],
      group: 'General',
      isEverywhere: true,
      // The same key closes it.
      run: () => (shell.isHelpOpen = !shell.isHelpOpen),
    },
    {
      id: 'shell.undo',
      title: 'Undo the last change of runs and notes',
      keys: ['Ctrl+Z'],
      group: 'General',
      // What is typed has an undo of its own.
      isAvailable: () => page.workspace.undoWords !== null && !takesText(document.activeElement),
      run: () => void page.workspace.undo(),
    },
    {
      id: 'shell.redo',
      title: 'Redo what was undone',
      keys: ['Ctrl+Shift+Z'],
      group: 'General',
      isAvailable: () => page.workspace.redoWords !== null && !takesText(document.activeElement),
      run: () => void page.workspace.redo(),
    },
    {
      id: 'shell.reload',
      title: 'Look for new data now',
      group: 'General',
      run: () => void page.reload(),
    },
    {
      id: 'shell.live',
      title: 'Follow new data live, on or off',
      group: 'General',
      run: () => (page.settings.isLive = !page.settings.isLive),
    },
    {
      id: 'shell.copy-link',
      title: 'Copy a link to this view',
      group: 'General',
      run: () => void copyLink(page, shell),
    },
    {
      id: 'shell.views',
      title: 'Saved views',
      group: 'General',
      run: () => (shell.areViewsOpen = true),
    },
    {
      id: 'shell.save-view',
      title: 'Save the view',
      keys: ['Ctrl+S'],
      group: 'General',
      isAvailable: hasRuns,
      run: () => (shell.isSaveAsked = true),
    },
    {
      id: 'shell.damage',
      title: 'Warnings and damaged files',
      group: 'General',
      run: () => (shell.isDamageOpen = true),
    },
  ];
  const runs: [string, string, () => void][] = [
    ['all', 'Select all runs', () => page.runs.selectAll()],
    ['none', 'Select no run', () => page.runs.selectNone()],
    ['invert', 'Invert the selection of runs', () => page.runs.invert()],
    ['latest', `Select the latest ${LATEST_COUNT} runs`, () => page.runs.selectLatest(LATEST_COUNT)],
    ['spread', 'Spread colours over the visible runs', () => page.runs.spreadColors()],
  ];
  return [
    ...general,
    ...runs.map(([id, title, run]): Command => ({
      id: `runs.${id}`,
      title,
      group: 'Runs',
      isAvailable: hasRuns,
      run,
    })),
    ...DASHBOARDS.map(({ name, label }): Command => ({
      id: `dashboard.${name}`,
      title: `Open ${label}`,
      group: 'Dashboards',
      isAvailable: () => page.view.dashboard !== name,
      run: () => (page.view.dashboard = name),
    })),
  ];
}
