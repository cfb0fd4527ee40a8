// Everything a user can do by name: one list, from which the command palette, the keyboard and the help dialog are made,
// so that none of them can know something the others do not. Components register what they offer and take it back.
import { untrack } from 'svelte';

export interface Command {
  readonly id: string;
  readonly title: string;
  /** As shown to people, e.g. "Ctrl+K" or "?". Several: alternatives. */
  readonly keys?: readonly string[];
  readonly group: string;
  /** Where its keys hold, if they mean something else in other places; for the help sheet. */
  readonly when?: string;
  /** Its keys hold above dialogs, too, which keep all others to themselves. */
  readonly isEverywhere?: boolean;
  readonly isAvailable?: () => boolean;
  readonly run: () => void;
}

/** Whether a command's keys hold in what covers the page. */
export type Cover = (command: Command) => boolean;

export class CommandRegistry {
  #commands = $state.raw<readonly Command[]>([]);
  #covers = $state.raw<readonly Cover[]>([]);

  /** The frame's, then the others in order of registration. */
  get all(): readonly Command[] {
    return this.#commands;
  }

  /** A second command of the same id takes the place of the first. Returns the way to take them back. */
  register(...added: readonly Command[]): () => void {
    return this.#put(added, (others) => [...others, ...added]);
  }

  /**
   * Those of the frame, before all others however late their code came: where keys are shared, a dashboard's command wins.
   * Returns the way to take them back.
   */
  registerFirst(first: readonly Command[]): () => void {
    return this.#put(first, (others) => [...first, ...others]);
  }

  /** Of what covers the page, the topmost; null: nothing does. */
  get cover(): Cover | null {
    return this.#covers.at(-1) ?? null;
  }

  /** The page is covered by something with keys of its own, until the returned function is called. */
  coverWith(cover: Cover): () => void {
    const change = (covers: readonly Cover[]): void => {
      this.#covers = covers;
    };
    change([...untrack(() => this.#covers), cover]);
    return () => {
      change(untrack(() => this.#covers).filter((other) => other !== cover));
    };
  }

  get(id: string): Command | undefined {
    return this.#commands.find((command) => command.id === id);
  }

  #put(added: readonly Command[], among: (others: Command[]) => Command[]): () => void {
    // Untracked: an effect that registers a command must not run again because of it.
    const without = (isGone: (command: Command) => boolean): Command[] =>
      untrack(() => this.#commands).filter((command) => !isGone(command));
    this.#commands = among(without(({ id }) => added.some((command) => command.id === id)));
    return () => {
      this.#commands = without((command) => added.includes(command));
    };
  }
}
