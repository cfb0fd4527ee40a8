// What keys and names can do in the frame; fetched beside the first view, which needs neither.
import type { Page } from '../state/page.svelte';
import { listenForKeys } from './keyboard';
import { shellCommands } from './shell-commands';
import type { Shell } from './shell.svelte';

/** Until the returned function is called. */
export function offerCommands(page: Page, shell: Shell): () => void {
  const takeBack = page.commands.registerFirst(shellCommands(page, shell));
  const stopListening = listenForKeys(() => page.commands.all);
  return () => {
    stopListening();
    takeBack();
  };
}
