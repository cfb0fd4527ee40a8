// Presses that come before what they mean: the code of a dashboard is fetched when it is opened, and the code that listens
// for keys a moment after the page. They are kept for a few seconds and played as soon as there is a command for them, unless
// somebody has gone on to type, or a dialog has come.
import { commandFor, takesText } from '../state/command-keys';
import type { Command } from '../state/commands.svelte';

/** Later than this nobody expects anything of them. */
const KEPT_MS = 10_000;
/** After its start the page is at work for so long, whatever is on it already. */
const START_MS = 3000;
const MOST_PRESSES = 8;
const AGAIN_MS = 50;

interface EarlyPresses {
  readonly events: KeyboardEvent[];
  end(): void;
}

declare global {
  interface Window {
    /** Made by public/early.js. */
    earlyPresses?: EarlyPresses;
  }
}

export class WaitingKeys {
  readonly #commands: () => readonly Command[];
  #presses: KeyboardEvent[] = [];
  /** When each was made; what is played is a copy, which has a time of its own. */
  readonly #madeMs = new WeakMap<KeyboardEvent, number>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(commands: () => readonly Command[]) {
    this.#commands = commands;
  }

  /** What was pressed before this code was here. */
  takeEarly(): void {
    window.earlyPresses?.end();
    for (const event of window.earlyPresses?.events.splice(0) ?? []) this.#add(event);
    this.#play();
  }

  /** A press that means nothing now: kept if it may soon. */
  keep(event: KeyboardEvent): void {
    if (isWaitedFor() && isShortcut(event)) {
      event.preventDefault();
      this.#add(event);
      this.#timer ??= setInterval(() => this.#play(), AGAIN_MS);
    }
  }

  clear(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#presses = [];
  }

  #add(event: KeyboardEvent): void {
    // A copy, which nobody has answered.
    const press = new KeyboardEvent('keydown', event);
    this.#madeMs.set(press, event.timeStamp);
    if (this.#presses.length < MOST_PRESSES) this.#presses.push(press);
  }

  #play(): void {
    for (const press of [...this.#presses]) {
      if (isDialogOpen() || takesText(document.activeElement)) this.clear();
      if (!this.#presses.includes(press)) return;
      const isOld = performance.now() - this.#madeMs.get(press)! > KEPT_MS;
      const command = isOld ? null : commandFor(press, this.#commands());
      if (command === null && !isOld) continue;
      this.#presses = this.#presses.filter((other) => other !== press);
      command?.run();
    }
    if (this.#presses.length === 0) this.clear();
    else this.#timer ??= setInterval(() => this.#play(), AGAIN_MS);
  }
}

/** A dialog has keys of its own (Esc, Tab, typing); the page behind it is inert. */
export function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

/** The dashboard's place is empty, or has been until a moment ago. */
function isWaitedFor(): boolean {
  return performance.now() < START_MS || document.querySelector('main > *') === null;
}

/** Plain signs and Ctrl+K; public/early.js goes by the same rule. Other keys mean something to browsers. */
function isShortcut(event: KeyboardEvent): boolean {
  const { key, altKey, repeat, isComposing, defaultPrevented, target } = event;
  const hasMod = event.ctrlKey || event.metaKey;
  if (altKey || repeat || isComposing || defaultPrevented || takesText(target)) return false;
  return hasMod ? key.toLowerCase() === 'k' : key.length === 1 && key !== ' ';
}
