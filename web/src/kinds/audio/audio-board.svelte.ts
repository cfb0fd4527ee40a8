// What the sounds of a page share: which two are compared, and which tile the keyboard means. The two are words of the view, so
// that a link brings them.
import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { seriesFeedOf, type SeriesFeed } from '../../state/feeds/tag-series.svelte';
import { onePerPage } from '../../state/one-per-page.svelte';
import type { Page } from '../../state/page.svelte';
import { setSetting } from '../../state/settings/setting';
import { slotOf, slotValue, type SlotValue } from '../../board/tiles/slot-value';
import { readSlots, type Slot } from '../../board/tiles/slots';
import { audioCommands } from './audio-commands';
import { SOUND_A, SOUND_B } from './audio-settings';
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
  /** Made before anything is derived from it: Svelte does not follow what a derived has made itself. */
  readonly #media: SeriesFeed;
  #users = 0;
  #endCommands: () => void = () => undefined;
  readonly #texts = $derived.by(() => {
    const { kindWords } = this.#page.view;
    return { a: kindWords[SOUND_A.word] ?? '', b: kindWords[SOUND_B.word] ?? '' };
  });
  readonly #a = $derived.by(() => this.#valueIn(this.#texts.a));
  readonly #b = $derived.by(() => this.#valueIn(this.#texts.b));
  /** Tags that have cards among charts now: how many, as a pinned one is there twice. */
  readonly #cards = new SvelteMap<string, number>();
  #lastDock: string | null = null;
  /**
   * Among charts: the tag whose card has the comparison. It stays where it is for as long as one of the two is there, so that what
   * plays goes on. Otherwise it is the card of A, of B, or any.
   */
  readonly dock = $derived.by((): string | null => {
    const cards = [...this.#cards.keys()];
    const tags = [this.#a, this.#b].flatMap((side) => side?.slot.tag ?? []);
    const there = tags.filter((tag) => cards.includes(tag));
    const kept = there.find((tag) => tag === this.#lastDock);
    this.#lastDock = tags.length === 0 ? null : (kept ?? there[0] ?? cards[0] ?? null);
    return this.#lastDock;
  });
  /** Of the comparison, while there is one, be it of one sound. */
  comparison = $state.raw<Transport | null>(null);
  /** The tile that has the focus or had it last. */
  focused = $state.raw<FocusedSound | null>(null);

  constructor(page: Page) {
    this.#page = page;
    this.#media = seriesFeedOf(page);
  }

  /** What is compared as A and B, as far as it is known; null: nothing yet. */
  get sides(): readonly [SlotValue | null, SlotValue | null] {
    return [this.#a, this.#b];
  }

  get a(): SoundItem | null {
    return this.sides[0]?.item ?? null;
  }

  get b(): SoundItem | null {
    return this.sides[1]?.item ?? null;
  }

  /** Something was put on a side. */
  get isComparing(): boolean {
    return this.#a !== null || this.#b !== null;
  }

  /** Both are there, and one can be heard after the other. */
  get isPair(): boolean {
    return this.a !== null && this.b !== null;
  }

  /** A card among charts, until the returned function is called. For effects. */
  addCard(tag: string): () => void {
    const change = (by: number): void =>
      untrack(() => {
        const count = (this.#cards.get(tag) ?? 0) + by;
        if (count > 0) this.#cards.set(tag, count);
        else this.#cards.delete(tag);
      });
    change(1);
    return () => change(-1);
  }

  /** Commands are there for as long as somebody uses them; for effects. */
  useCommands(): () => void {
    this.#users += 1;
    if (this.#users === 1) {
      const endings = audioCommands(this).map((command) => this.#page.commands.register(command));
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
    const before = this.sideOf(item);
    if (before !== null) this.#set(before, null);
    if (before !== side) this.#set(side, slotOf(this.#page, item));
  }

  /** Another run, step or sample on this side. */
  change(side: Side, part: Partial<Slot>): void {
    const slot = this.sides[side === 'a' ? 0 : 1]?.slot;
    if (slot !== undefined) this.#set(side, { ...slot, ...part });
  }

  clear(): void {
    this.#set('a', null);
    this.#set('b', null);
  }

  #set(side: Side, slot: Slot | null): void {
    const setting = side === 'a' ? SOUND_A : SOUND_B;
    setSetting(this.#page.view, setting, slot === null ? setting.usual : [slot]);
  }

  #valueIn(text: string): SlotValue | null {
    const [slot] = readSlots(text, 1);
    return slot === undefined ? null : slotValue(this.#page, this.#media, 'audio', slot);
  }
}

export const boardOf = onePerPage((page) => new AudioBoard(page));
