// Which logged HTML this browser's person has let run its scripts: by log directory and tag, the last ones that were allowed.
import type { Page } from '../../state/page.svelte';
import { BrowserStorage } from '../../state/browser-storage';

const KEY = 'page-scripts';
const MOST = 200;
const storage = new BrowserStorage();
/** State, so that all runs of a tag follow when one of them is allowed to. */
let allowed = $state.raw(stored());
// Other tabs show the same logs: what is taken back in one holds in all.
addEventListener('storage', () => (allowed = stored()));

/** null: it is not known yet which log this is, and nothing is allowed in any. */
function nameOf({ environment }: Pick<Page, 'environment'>, tag: string): string | null {
  const directories = environment?.log_directories.map(({ path }) => path) ?? [];
  return directories.length === 0 ? null : JSON.stringify([directories, tag]);
}

function stored(): string[] {
  const found = storage.read(KEY);
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
}

export function areScriptsAllowed(page: Pick<Page, 'environment'>, tag: string): boolean {
  const name = nameOf(page, tag);
  return name !== null && allowed.includes(name);
}

export function allowScripts(page: Pick<Page, 'environment'>, tag: string, areAllowed: boolean): void {
  const name = nameOf(page, tag);
  if (name === null) return;
  const others = stored().filter((one) => one !== name);
  allowed = areAllowed ? [...others, name].slice(-MOST) : others;
  storage.write(KEY, allowed);
}
