// The page's one listener for shortcuts; what they mean is in state/command-keys.ts. Dialogs have keys of their own, above which
// only a few commands hold.
import { commandFor } from '../state/command-keys';
import type { Command } from '../state/commands.svelte';
import { isDialogOpen, WaitingKeys } from './waiting-keys';

/** Where Enter leads from a filter: to the first thing that it found. */
const FOUND_BY: Readonly<Record<string, string>> = {
  'run-filter': '[role="row"][aria-rowindex="2"]',
  'tag-filter': '[data-chart-host]',
};

function focusFound(event: KeyboardEvent): void {
  const found = event.target instanceof HTMLInputElement ? FOUND_BY[event.target.id] : undefined;
  if (found !== undefined && !event.isComposing) document.querySelector<HTMLElement>(found)?.focus();
}

function isEverywhere(command: Command): boolean {
  return command.isEverywhere === true;
}

/** Listens until the returned function is called. */
export function listenForKeys(commands: () => readonly Command[]): () => void {
  const waiting = new WaitingKeys(commands);
  /** Before the dialog, which lets no key out. */
  const pressEverywhere = (event: KeyboardEvent): void => {
    const command = isDialogOpen() ? commandFor(event, commands().filter(isEverywhere)) : null;
    if (command === null) return;
    event.preventDefault();
    event.stopPropagation();
    command.run();
  };
  const press = (event: KeyboardEvent): void => {
    if (isDialogOpen()) return;
    if (event.key === 'Enter') focusFound(event);
    const command = commandFor(event, commands());
    if (command === null) {
      waiting.keep(event);
      return;
    }
    event.preventDefault();
    command.run();
  };
  window.addEventListener('keydown', pressEverywhere, true);
  window.addEventListener('keydown', press);
  waiting.takeEarly();
  return () => {
    window.removeEventListener('keydown', pressEverywhere, true);
    window.removeEventListener('keydown', press);
    waiting.clear();
  };
}
