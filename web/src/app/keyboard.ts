// One listener for every shortcut of the page. What a key does comes from the command registry and nowhere else, so the
// palette and the help sheet can show the truth.
//
// Keys are never stolen: plain ones do nothing while somebody types, chooses in a menu or answers a dialog. Where several
// available commands share a key, the one registered last wins, because it belongs to what was opened last. That is how
// Esc steps back one thing at a time.
import type { Command } from '../state/commands.svelte';

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

/** Where Enter leads from a filter: to the first thing that it found. */
const FOUND_BY: Readonly<Record<string, string>> = {
  'run-filter': '[role="row"][aria-rowindex="2"]',
  'tag-filter': '[data-chart-host]',
};

function focusFound(event: KeyboardEvent): void {
  const found = event.target instanceof HTMLInputElement ? FOUND_BY[event.target.id] : undefined;
  if (found !== undefined && !event.isComposing) document.querySelector<HTMLElement>(found)?.focus();
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

/** Listens until the returned function is called. */
export function listenForKeys(commands: () => readonly Command[]): () => void {
  const press = (event: KeyboardEvent): void => {
    // A dialog has keys of its own (Esc, Tab, typing); the page behind it is inert.
    if (isDialogOpen()) return;
    if (event.key === 'Enter') focusFound(event);
    const command = commandFor(event, commands());
    if (command === null) return;
    event.preventDefault();
    command.run();
  };
  window.addEventListener('keydown', press);
  return () => window.removeEventListener('keydown', press);
}

export function isApplePlatform(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent);
}

const APPLE_SIGNS: Readonly<Record<string, string>> = { Ctrl: '⌘', Alt: '⌥', Shift: '⇧' };

/** "Ctrl+K" as the parts to show: ["Ctrl", "K"], or ["⌘", "K"] on Apple's keyboards. Single letters stay as they are. */
export function keyCaps(text: string, isApple = isApplePlatform()): readonly string[] {
  const parts = text.endsWith('+') ? [...text.slice(0, -1).split('+').filter(Boolean), '+'] : text.split('+');
  return parts.map((part) => (isApple ? (APPLE_SIGNS[part] ?? part) : part));
}
