// The help sheet's contents, from the command registry: groups in the order in which they first appeared, commands with a
// key only. A command that is registered once per card or twice for one key is listed once.
import type { Command } from '../state/commands.svelte';

export interface HelpLine {
  readonly title: string;
  readonly keys: readonly string[];
}

export interface HelpGroup {
  readonly name: string;
  readonly lines: readonly HelpLine[];
}

export function helpGroups(commands: readonly Command[]): readonly HelpGroup[] {
  const groups = new Map<string, Map<string, HelpLine>>();
  for (const { group, title, keys } of commands) {
    if (keys === undefined || keys.length === 0) continue;
    let lines = groups.get(group);
    if (lines === undefined) groups.set(group, (lines = new Map<string, HelpLine>()));
    if (!lines.has(title)) lines.set(title, { title, keys });
  }
  return [...groups].map(([name, lines]) => ({ name, lines: [...lines.values()] }));
}
