// Which logged HTML this browser's person has let run its scripts: by log directory and tag, the last ones that were allowed.
import type { Page } from '../../state/page.svelte';
import { BrowserStorage } from '../../state/browser-storage';

const KEY = 'page-scripts';
const MOST = 200;
const storage = new BrowserStorage();

function nameOf(page: Page, tag: string): string {
  const directories = page.environment?.log_directories.map(({ path }) => path) ?? [];
  return JSON.stringify([directories, tag]);
}

function allowed(): string[] {
  const found = storage.read(KEY);
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
}

export function areScriptsAllowed(page: Page, tag: string): boolean {
  return allowed().includes(nameOf(page, tag));
}

export function allowScripts(page: Page, tag: string, areAllowed: boolean): void {
  const name = nameOf(page, tag);
  const others = allowed().filter((one) => one !== name);
  storage.write(KEY, areAllowed ? [...others, name].slice(-MOST) : others);
}
