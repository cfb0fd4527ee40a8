// Which commands fit what was typed into the palette.
import type { Command } from './commands.svelte';
import { fuzzyScore } from './fuzzy';

/** Available commands that fit, best first; all available ones in their order for an empty query. */
export function findCommands(commands: readonly Command[], query: string): readonly Command[] {
  const available = commands.filter((command) => command.isAvailable?.() ?? true);
  const scored = available.flatMap((command) => {
    const inTitle = fuzzyScore(query, command.title);
    // "view zoom" finds "Reset zoom" of the group View, but behind everything whose title fits.
    const inBoth = fuzzyScore(query, `${command.group} ${command.title}`);
    if (inTitle !== null) return [{ command, score: inTitle, isTitle: true }];
    return inBoth === null ? [] : [{ command, score: inBoth, isTitle: false }];
  });
  scored.sort((a, b) => Number(b.isTitle) - Number(a.isTitle) || b.score - a.score);
  return scored.map(({ command }) => command);
}
