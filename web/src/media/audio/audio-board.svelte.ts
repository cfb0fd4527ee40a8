// What the sounds of a page share: which two are compared, and which tile the keyboard means.
import { mediaOf } from '../../state/media.svelte';
import type { Page } from '../../state/page.svelte';
import { audioCommands } from './audio-commands';
import { isSameSound, type SoundItem } from './sound-item';
import type { Transport } from './transport.svelte';

export type Side = 'a' | 'b';

/** What keys and commands act on. */
export interface FocusedSound {
  /** What it shows now. */
  readonly item: SoundItem;
  readonly transport: Transport;
}

export class AudioBoard {
  readonly #page: Page;
  /** In which the two were chosen: after a new start of the server the numbers of runs mean other runs. */
  #generation = $state(0);
  #users = 0;
  #endCommands: () => void = () => undefined;
  #a = $state.raw<SoundItem | null>(null);
  #b = $state.raw<SoundItem | null>(null);
  /** Of the comparison, while there is one. */
  comparison = $state.raw<Transport | null>(null);
  /** Which side is which is hidden until it is revealed. */
  isBlind = $state(false);
  /** The tile that has the focus or had it last. */
  focused = $state.raw<FocusedSound | null>(null);

  constructor(page: Page) {
    this.#page = page;
  }

  get a(): SoundItem | null {
    return this.#isStale ? null : this.#a;
  }

  get b(): SoundItem | null {
    return this.#isStale ? null : this.#b;
  }

  get #isStale(): boolean {
    return mediaOf(this.#page).generation !== this.#generation;
  }

  /** Commands are there for as long as somebody uses them; for effects. */
  useCommands(isPage: boolean): () => void {
    this.#users += 1;
    if (this.#users === 1) {
      const endings = audioCommands(this, isPage).map((command) => this.#page.commands.register(command));
      this.#endCommands = () => {
        for (const end of endings) end();
      };
    }
    return () => {
      this.#users -= 1;
      if (this.#users === 0) this.#endCommands();
    };
  }

  sideOf(item: SoundItem): Side | null {
    if (isSameSound(this.a, item)) return 'a';
    return isSameSound(this.b, item) ? 'b' : null;
  }

  /** A sound is on one side only; put there again it is taken off. */
  put(side: Side, item: SoundItem): void {
    const isThere = this.sideOf(item) === side;
    if (this.#isStale) this.clear();
    // What is hidden is a pair; this makes another one, or none.
    this.isBlind = false;
    this.#generation = mediaOf(this.#page).generation;
    if (isSameSound(this.#a, item)) this.#a = null;
    if (isSameSound(this.#b, item)) this.#b = null;
    if (isThere) return;
    if (side === 'a') this.#a = item;
    else this.#b = item;
  }

  swap(): void {
    [this.#a, this.#b] = [this.#b, this.#a];
  }

  clear(): void {
    this.isBlind = false;
    this.#a = null;
    this.#b = null;
  }
}

const boards = new WeakMap<Page, AudioBoard>();

export function boardOf(page: Page): AudioBoard {
  let board = boards.get(page);
  if (board === undefined) {
    board = new AudioBoard(page);
    boards.set(page, board);
  }
  return board;
}
