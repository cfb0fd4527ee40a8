// The help sheet's contents, from the command registry: groups in the order in which they first appeared, commands with a
// key only. A command that is registered once per card or twice for one key is listed once.
import type { Command, Cover } from '../state/commands.svelte';

export interface HelpLine {
  readonly title: string;
  readonly keys: readonly string[];
  /** Where it holds; '': nothing to say. */
  readonly when: string;
}

export interface HelpGroup {
  readonly name: string;
  /** Where all of them hold; '': nothing to say, or each says so itself. */
  readonly when: string;
  readonly lines: readonly HelpLine[];
}

export function helpGroups(commands: readonly Command[]): readonly HelpGroup[] {
  const groups = new Map<string, Map<string, HelpLine>>();
  for (const { group, title, keys, when = '' } of commands) {
    if (keys === undefined || keys.length === 0) continue;
    let lines = groups.get(group);
    if (lines === undefined) groups.set(group, (lines = new Map<string, HelpLine>()));
    if (!lines.has(title)) lines.set(title, { title, keys, when });
  }
  return [...groups].map(([name, lines]) => groupOf(name, [...lines.values()]));
}

/** What holds in whatever covers the page, and the rest, which holds on the page below it. */
export function splitByCover(commands: readonly Command[], cover: Cover | null): [Command[], Command[]] {
  const isHere = (command: Command): boolean => cover?.(command) === true || command.isEverywhere === true;
  if (cover === null) return [[], [...commands]];
  // What is of the view alone comes first; then what holds there as it does everywhere.
  const here = commands.filter(isHere);
  const own = here.filter(({ isEverywhere }) => isEverywhere !== true);
  return [
    [...own, ...here.filter((command) => !own.includes(command))],
    commands.filter((one) => !isHere(one)),
  ];
}

function groupOf(name: string, lines: readonly HelpLine[]): HelpGroup {
  const when = lines[0]?.when ?? '';
  const isCommon = lines.every((line) => line.when === when);
  return isCommon
    ? { name, when, lines: lines.map((line) => ({ ...line, when: '' })) }
    : { name, when: '', lines };
}
