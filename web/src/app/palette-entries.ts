// What the command palette offers: commands, runs and tags, found by a few letters of their names. Plain data, so that
// ranking can be tested without a page.
import type { Command } from '../state/commands.svelte';
import { fuzzyRanked, fuzzyScore } from '../state/fuzzy';

export interface PaletteEntry {
  readonly id: string;
  readonly kind: 'command' | 'run' | 'tag';
  readonly title: string;
  /** What choosing it does, or the group of a command. */
  readonly note: string;
  readonly keys?: string;
  run(): void;
}

export interface PaletteSources {
  /** Available ones that fit, best first. */
  commands(query: string): readonly Command[];
  readonly runs: readonly { readonly id: number; readonly name: string }[];
  readonly tags: readonly { readonly tag: string }[];
  showOnly(id: number): void;
  openTag(tag: string): void;
}

/** Rows of each kind; nobody scrolls further, they type another letter. */
const MOST_PER_KIND = 12;

interface Ranked {
  readonly entry: PaletteEntry;
  readonly score: number;
}

function best<T>(
  items: readonly T[],
  words: string,
  entryOf: (item: T) => PaletteEntry,
  nameOf: (item: T) => string,
): Ranked[] {
  return fuzzyRanked(words, items, nameOf)
    .slice(0, MOST_PER_KIND)
    .map(({ item, score }) => ({ entry: entryOf(item), score }));
}

function commandEntry({ id, title, group, keys, run }: Command): PaletteEntry {
  const first = keys?.[0];
  return {
    id: `command:${id}`,
    kind: 'command',
    title,
    note: group,
    ...(first === undefined ? {} : { keys: first }),
    run,
  };
}

/** All commands for no words; else what fits best of everything, best first. */
export function paletteEntries(query: string, sources: PaletteSources): PaletteEntry[] {
  const words = query.trim();
  const commands = sources.commands(words);
  if (words === '') return commands.map(commandEntry);
  const ranked: Ranked[] = [
    ...commands
      .slice(0, MOST_PER_KIND)
      // One that fits by the name of its group comes behind all that fit by their own.
      .map((command) => ({
        entry: commandEntry(command),
        score: fuzzyScore(words, command.title) ?? -Infinity,
      })),
    ...best(
      sources.tags,
      words,
      ({ tag }) => ({
        id: `tag:${tag}`,
        kind: 'tag',
        title: tag,
        note: 'Open the chart',
        run: () => sources.openTag(tag),
      }),
      ({ tag }) => tag,
    ),
    ...best(
      sources.runs,
      words,
      ({ id, name }) => ({
        id: `run:${id}`,
        kind: 'run',
        title: name,
        note: 'Show only this run',
        run: () => sources.showOnly(id),
      }),
      ({ name }) => name,
    ),
  ];
  ranked.sort((a, b) => b.score - a.score);
  return ranked.map(({ entry }) => entry);
}
