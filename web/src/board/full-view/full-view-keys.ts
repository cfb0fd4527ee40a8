// The keys of what covers the page, for the help sheet, which knows the registry of commands only: the view itself listens to them.
import type { Command } from '../../state/commands.svelte';
import type { Page } from '../../state/page.svelte';

export type KeyLine = readonly [title: string, ...keys: string[]];

/** Commands that are never run: somebody else listens to their keys. */
export function listedKeys(area: string, group: string, lines: readonly KeyLine[]): Command[] {
  return lines.map(([title, ...keys]) => ({
    id: `${area}.${group}.${title}`,
    title,
    keys,
    group,
    isAvailable: () => false,
    run: () => {},
  }));
}

/** For effects. Esc is listed with them: it leads back from all of these. */
export function tellKeys(page: Page, group: string, lines: readonly KeyLine[]): () => void {
  const back: KeyLine = ['Back to where it was opened', 'Esc'];
  const commands = listedKeys('full-view', group, [...lines, back]);
  const unregister = page.commands.register(...commands);
  const uncover = page.commands.coverWith((command) => commands.includes(command));
  return () => {
    unregister();
    uncover();
  };
}
