// Which command a press of keys means. What a key does comes from the command registry and nowhere else, so that the palette and the
// help sheet can show the truth; the page's listener and the full-screen chart's both ask here.
//
// Keys are never stolen: plain ones do nothing while somebody types or chooses in a menu. Where several available commands
// share a key, the one registered last wins, because it belongs to what was opened last. That is how Esc steps back one
// thing at a time.
import type { Command } from './commands.svelte';

interface KeyPress {
  /** As KeyboardEvent.key gives it; letters in lower case. */
  readonly key: string;
  /** Ctrl, or Cmd on Apple's keyboards. */
  readonly hasMod: boolean;
  readonly hasAlt: boolean;
  readonly hasShift: boolean;
}

/** How people write them → KeyboardEvent.key. */
const NAMED_KEYS: Readonly<Record<string, string>> = {
  Esc: 'Escape',
  Space: ' ',
  Left: 'ArrowLeft',
  Right: 'ArrowRight',
  Up: 'ArrowUp',
  Down: 'ArrowDown',
};

/** Holding these down moves on and on; holding any other key is an accident. */
const REPEATING_KEYS: ReadonlySet<string> = new Set([
  'j',
  'k',
  '.',
  ',',
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
]);

const NOT_TEXT: ReadonlySet<string> = new Set([
  'button',
  'checkbox',
  'color',
  'file',
  'image',
  'radio',
  'range',
  'reset',
  'submit',
]);

/** Where letters have a meaning of their own. */
const TAKES_LETTERS =
  'select, textarea, [contenteditable]:not([contenteditable="false"]), [role="menu"], [role="listbox"]';

export function parseKeys(text: string): KeyPress {
  const parts = text.split('+');
  // "+" itself is a key too: "Ctrl++" ends with two empty parts.
  const last = text.endsWith('+') ? '+' : parts[parts.length - 1]!;
  const modifiers = new Set(text.endsWith('+') ? parts.slice(0, -2) : parts.slice(0, -1));
  return {
    key: NAMED_KEYS[last] ?? (last.length === 1 ? last.toLowerCase() : last),
    hasMod: modifiers.has('Ctrl'),
    hasAlt: modifiers.has('Alt'),
    hasShift: modifiers.has('Shift'),
  };
}

/** Shift is part of how a "?" is typed, so it counts for letters and named keys only. */
function isShiftPartOf(key: string): boolean {
  return key.length === 1 && key.toLowerCase() === key.toUpperCase();
}

/** AltGr reports itself as Ctrl and Alt together on some systems; what it typed is all that counts. */
function isAltGrOnly(event: KeyboardEvent): boolean {
  return event.ctrlKey && event.altKey && event.getModifierState('AltGraph');
}

export function matchesKeys(text: string, event: KeyboardEvent): boolean {
  const wanted = parseKeys(text);
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key !== wanted.key) return false;
  const isAltGr = isAltGrOnly(event);
  if (((event.ctrlKey || event.metaKey) && !isAltGr) !== wanted.hasMod) return false;
  if ((event.altKey && !isAltGr) !== wanted.hasAlt) return false;
  return isShiftPartOf(key) || event.shiftKey === wanted.hasShift;
}

export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target instanceof HTMLInputElement) return !NOT_TEXT.has(target.type);
  return target.closest(TAKES_LETTERS) !== null;
}

/** The command that this press means here, or null. */
export function commandFor(event: KeyboardEvent, commands: readonly Command[]): Command | null {
  if (event.defaultPrevented || event.isComposing) return null;
  const isPlain = !(event.ctrlKey || event.metaKey) || isAltGrOnly(event);
  if (isPlain && takesText(event.target)) return null;
  if (event.repeat && !REPEATING_KEYS.has(event.key)) return null;
  for (let i = commands.length - 1; i >= 0; i--) {
    const command = commands[i]!;
    const hasKey = command.keys?.some((keys) => matchesKeys(keys, event)) ?? false;
    if (hasKey && (command.isAvailable?.() ?? true)) return command;
  }
  return null;
}
