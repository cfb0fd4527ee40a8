// Puts the caret of a field behind text that a program has just written into it.
import { flushSync } from 'svelte';

/** At once: what is typed next must not find the caret at its old place. */
export function placeCaret(field: HTMLInputElement, at: number): void {
  // The new text has to be in the field before the caret.
  flushSync();
  field.focus();
  field.setSelectionRange(at, at);
}
