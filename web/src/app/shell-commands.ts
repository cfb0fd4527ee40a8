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

function toggleRuns(page: Page, shell: Shell): void {
  if (shell.isPhone) shell.isRunSheetOpen = !shell.isRunSheetOpen;
  else page.settings.isSideBarOpen = !page.settings.isSideBarOpen;
}

function switchTheme({ settings }: Page, shell: Shell): void {
  settings.theme = nextChoice(settings.theme, shell.isSystemDark);
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
  const general = (id: string, title: string, run: () => void, more: Partial<Command> = {}): Command => ({
    id: `shell.${id}`,
    title,
    group: 'General',
    run,
    ...more,
  });
  const ofRuns = (id: string, title: string, run: () => void): Command => ({
    id: `runs.${id}`,
    title,
    group: 'Runs',
    isAvailable: hasRuns,
    run,
  });
  return [
    general('palette', 'Search commands, tags and runs', () => (shell.isPaletteOpen = true), {
      keys: ['Ctrl+K'],
      // In the palette itself it would lead nowhere.
      isAvailable: () => !shell.isPaletteOpen,
    }),
    general('filter-tags', 'Filter by tag', () => focusField('tag-filter'), {
      keys: ['/', 'Ctrl+F'],
      // The second Ctrl+F is the browser's own search.
      isAvailable: () => hasField('tag-filter') && document.activeElement?.id !== 'tag-filter',
    }),
    general('filter-runs', 'Filter runs', () => filterRuns(page, shell), {
      keys: ['r'],
      isAvailable: hasRuns,
    }),
    general('side-bar', 'Show or hide the run table', () => toggleRuns(page, shell), { keys: ['b'] }),
    general('theme', 'Light or dark theme', () => switchTheme(page, shell), { keys: ['t'] }),
    // The same key closes it.
    general('help', 'Keyboard shortcuts', () => (shell.isHelpOpen = !shell.isHelpOpen), {
      keys: ['?'],
      isEverywhere: true,
    }),
    general('undo', 'Undo the last change of runs and notes', () => void page.workspace.undo(), {
      keys: ['Ctrl+Z'],
      // What is typed has an undo of its own.
      isAvailable: () => page.workspace.undoWords !== null && !takesText(document.activeElement),
    }),
    general('redo', 'Redo what was undone', () => void page.workspace.redo(), {
      keys: ['Ctrl+Shift+Z'],
      isAvailable: () => page.workspace.redoWords !== null && !takesText(document.activeElement),
    }),
    general('reload', 'Look for new data now', () => void page.reload()),
    general('live', 'Follow new data live, on or off', () => (page.settings.isLive = !page.settings.isLive)),
    general('copy-link', 'Copy a link to this view', () => void copyLink(page, shell)),
    general('views', 'Saved views', () => (shell.areViewsOpen = true)),
    general('save-view', 'Save the view', () => (shell.isSaveAsked = true), {
      keys: ['Ctrl+S'],
      isAvailable: hasRuns,
    }),
    general('damage', 'Warnings and damaged files', () => (shell.isDamageOpen = true)),
    ofRuns('all', 'Select all runs', () => page.runs.selectAll()),
    ofRuns('none', 'Select no run', () => page.runs.selectNone()),
    ofRuns('invert', 'Invert the selection of runs', () => page.runs.invert()),
    ofRuns('latest', `Select the latest ${LATEST_COUNT} runs`, () => page.runs.selectLatest(LATEST_COUNT)),
    ofRuns('spread', 'Spread colours over the visible runs', () => page.runs.spreadColors()),
    ...dashboardCommands(page),
  ];
}

function dashboardCommands(page: Page): Command[] {
  return DASHBOARDS.map(({ name, label }): Command => ({
    id: `dashboard.${name}`,
    title: `Open ${label}`,
    group: 'Dashboards',
    isAvailable: () => page.view.dashboard !== name,
    run: () => (page.view.dashboard = name),
  }));
}
