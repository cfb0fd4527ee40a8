// Everything a user can do by name: one list, from which the command palette, the keyboard and the help dialog are made,
// so that none of them can know something the others do not. Components register what they offer and take it back.
import { untrack } from 'svelte';
import { fuzzyScore } from './fuzzy';

export interface Command {
  readonly id: string;
  readonly title: string;
  /** As shown to people, e.g. "Ctrl+K" or "?". Several: alternatives. */
  readonly keys?: readonly string[];
  readonly group: string;
  readonly isAvailable?: () => boolean;
  readonly run: () => void;
}

export class CommandRegistry {
  #commands = $state.raw<readonly Command[]>([]);

  /** In order of registration. */
  get all(): readonly Command[] {
    return this.#commands;
  }

  /** A second command of the same id takes the place of the first. Returns the way to take it back. */
  register(command: Command): () => void {
    this.#change((commands) => [...commands.filter(({ id }) => id !== command.id), command]);
    return () => {
      this.#change((commands) => commands.filter((other) => other !== command));
    };
  }

  get(id: string): Command | undefined {
    return this.#commands.find((command) => command.id === id);
  }

  /** Available commands that fit, best first; all available ones in their order for an empty query. */
  find(query: string): readonly Command[] {
    const available = this.#commands.filter((command) => command.isAvailable?.() ?? true);
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

  #change(change: (commands: readonly Command[]) => readonly Command[]): void {
    // Untracked: an effect that registers a command must not run again because of it.
    this.#commands = change(untrack(() => this.#commands));
  }
}
