// A page of cards: which there are, in which order, and what they share. Made by a dashboard, which says whose kinds they are;
// CardBoard shows it, and cards find it by context.
import { createContext } from 'svelte';
import { groupTags, isGroupOpen, withGroupOpen } from '../state/group-tags';
import type { Page } from '../state/page.svelte';
import type { CardId, Tag } from '../state/types';
import { NearViewport } from '../widgets/near-viewport';
import { isPhone } from '../widgets/phone.svelte';
import type { Arranger } from './cards/arranger.svelte';
import { findSpec, kindOf, specOfTag, type CardSpec } from './cards/card-spec';
import { columnsIn } from './cards/card-size';
import type * as TagCards from './cards/tag-cards';
import type { Kind } from './kind';
import { SettingsPane } from './settings-pane.svelte';

/** What keys and menus may ask of a card that is alive, whatever it shows. Kinds know more of their own. */
export interface CardHandle {
  readonly id: CardId;
  togglePin(): void;
  toggleFullScreen(): void;
  /** To the next (1) or previous (−1) point or step. */
  moveCursor(by: number): void;
}

interface Voice {
  say(text: string): void;
}

/** Cards below one heading. */
export interface CardGroupSpec {
  /** By which it is told apart, and remembered when it is closed. */
  readonly name: string;
  /** Left out: the name. */
  readonly title?: string;
  readonly isOpenByDefault: boolean;
  readonly specs: readonly CardSpec[];
}

export interface BoardOptions {
  readonly page: Page;
  /** Whose cards may be here, in the order in which they stand below a heading. */
  readonly kinds: readonly Kind[];
  /** Those that are not switched off; left out: all. */
  readonly shownKinds?: () => readonly Kind[];
  /** Switches all kinds on. */
  readonly showAllKinds?: () => void;
  /** Groups that somebody has laid out, in place of those of all tags; null: they are not known yet. Left out: there are none. */
  readonly laidOut?: (() => readonly CardGroupSpec[] | null) | undefined;
}

export class Board {
  readonly page: Page;
  readonly kinds: readonly Kind[];
  readonly showAllKinds: () => void;
  readonly settings: SettingsPane;
  /** Who is near the viewport. */
  readonly near = new NearViewport((card) => card.closest('[data-scroller]'));
  /** Cards that are alive, by their element. */
  readonly handles = new Map<Element, CardHandle>();
  /** What arranges cards; null until it is loaded. */
  arranger = $state.raw<Arranger | null>(null);
  /** What shows cards of kinds without cards of their own; null until it is loaded. */
  tagCards = $state.raw<typeof TagCards | null>(null);
  scroller = $state.raw<HTMLElement | null>(null);
  widthPx = $state(0);
  /** The card in full screen, which commands are about while it is there. */
  fullScreenCard: CardHandle | null = null;
  readonly #voices: Voice[] = [];
  /** Where the focus was last, and where focus or pointer were last: the palette takes the focus away from its card. */
  #focusedSlot: Element | null = null;
  #recentSlot: Element | null = null;
  readonly #shownKinds: () => readonly Kind[];
  readonly #laidOut: BoardOptions['laidOut'];

  constructor({ page, kinds, shownKinds, showAllKinds, laidOut }: BoardOptions) {
    this.page = page;
    this.kinds = kinds;
    this.#shownKinds = shownKinds ?? (() => kinds);
    this.#laidOut = laidOut;
    this.showAllKinds = showAllKinds ?? (() => undefined);
    this.settings = new SettingsPane(page.settings);
  }

  readonly shownKinds = $derived.by(() => this.#shownKinds());
  /** Tags that match the filter, with or without data in the visible runs. */
  readonly matching = $derived.by(() => this.shownKinds.flatMap(({ name }) => this.page.tags.shown(name)));
  readonly shown = $derived.by(() => {
    const { visibleIds } = this.page.runs;
    return this.matching.filter((tag) => visibleIds.some((run) => tag.hasRun(run)));
  });
  readonly #shownIds = $derived.by(() => new Set(this.shown.map((tag) => this.specOfTag(tag).id)));
  readonly isFiltered = $derived.by(
    () => this.page.view.tagFilter.trim() !== '' && this.page.tags.filterError === null,
  );
  readonly #made = $derived.by(() => this.kinds.flatMap(({ own }) => own?.madeIn(this.page.view) ?? []));
  /** Cards in sections; they are nowhere else, but for pins. */
  readonly #placed = $derived.by(() => new Set(this.page.view.sections.flatMap(({ cards }) => cards)));

  readonly pinned = $derived.by(() => this.#specsOf(this.page.view.pins));
  readonly loose = $derived.by(() => this.#made.filter(({ id }) => !this.#placed.has(id)));
  readonly sections = $derived.by(() =>
    this.page.view.sections.map((section) => ({
      section,
      specs: this.#specsOf(section.cards.filter((id) => this.isShown(id))),
    })),
  );
  /** Not of tags. */
  readonly laidOut = $derived.by(() => this.#laidOut?.());
  readonly groups = $derived.by((): readonly CardGroupSpec[] => {
    if (this.isFiltered) return [];
    if (this.laidOut !== undefined) return this.laidOut ?? [];
    const loose = this.shown.filter((tag) => !this.#placed.has(this.specOfTag(tag).id));
    return groupTags(loose).map((group) => ({
      ...group,
      specs: group.tags.map((tag) => this.specOfTag(tag)),
    }));
  });
  readonly #laidOutSpecs = $derived.by(() => this.laidOut?.flatMap(({ specs }) => specs) ?? []);
  /** What the bar counts. */
  readonly counted = $derived.by((): readonly { kind: string }[] =>
    this.laidOut === undefined ? this.shown : this.#laidOutSpecs,
  );
  /** While there is a filter: what matches it, in one list. */
  readonly found = $derived.by(() => {
    if (!this.isFiltered) return [];
    const isFound = ({ parts = [] }: CardSpec): boolean => parts.some((id) => this.#shownIds.has(id));
    const ofTags = this.laidOut === undefined ? this.shown.map((tag) => this.specOfTag(tag)) : [];
    return [...[...this.#made, ...this.#laidOutSpecs].filter(isFound), ...ofTags];
  });
  readonly fullScreen = $derived.by(() => {
    const id = this.page.view.fullScreenCard;
    return id === null ? null : this.specOf(id);
  });
  /** How many cards stand beside each other. */
  readonly columns = $derived.by(() => (isPhone() ? 1 : columnsIn(this.widthPx, this.page.view.cardWidthPx)));

  kindOf(spec: CardSpec | Tag): Kind {
    return kindOf(this.kinds, spec);
  }

  specOfTag(tag: Tag): CardSpec {
    return specOfTag(this.kinds, this.page.tags, tag);
  }

  specOf(id: CardId): CardSpec | null {
    return this.#laidOutSpecs.find((spec) => spec.id === id) ?? findSpec(this.kinds, this.page, id);
  }

  #specsOf(ids: readonly CardId[]): CardSpec[] {
    return ids.flatMap((id) => this.specOf(id) ?? []);
  }

  /** Whether the card is there for all to see: it has data, or was made by hand. */
  isShown(id: CardId): boolean {
    return this.#shownIds.has(id) || this.specOf(id)?.tag === null;
  }

  /** In their order; one may be there twice. */
  cardsInSight(): CardSpec[] {
    if (this.isFiltered) return [...this.pinned, ...this.found];
    const open = this.groups.filter((group) => isGroupOpen(group, this.page.view.groups));
    return [
      ...[...this.pinned, ...this.loose, ...this.sections.flatMap(({ specs }) => specs)],
      ...open.flatMap(({ specs }) => specs),
    ];
  }

  setAllGroupsOpen(isOpen: boolean): void {
    const { view } = this.page;
    for (const group of this.groups) view.groups = withGroupOpen(group, isOpen, view.groups);
  }

  newSection(): void {
    if (this.arranger !== null) this.arranger.question = { kind: 'new-section', card: null };
  }

  /** Says something to screen readers, a moment later and only the last of several. */
  speak(text: string): void {
    this.#voices.at(-1)?.say(text);
  }

  /** For effects: the last one that came is heard, as a dialog makes inert what is behind it. */
  speakBy(voice: Voice): () => void {
    this.#voices.push(voice);
    return () => void this.#voices.splice(this.#voices.indexOf(voice), 1);
  }

  /** The slot that pointer or focus are on, or were on last. */
  recentSlot(): Element | null {
    return focusedSlot() ?? (this.#recentSlot?.isConnected ? this.#recentSlot : null);
  }

  /** What commands are about. */
  currentCard(): CardHandle | null {
    const recent = this.#recentSlot?.isConnected ? this.#recentSlot : null;
    return this.fullScreenCard ?? this.#handleIn(focusedSlot()) ?? this.#handleIn(recent);
  }

  #handleIn(slot: Element | null): CardHandle | null {
    const card = slot?.querySelector('article');
    return (card && this.handles.get(card)) ?? null;
  }

  /** Bar and settings are about the card that pointer or focus were on before. */
  #isAmongCards(target: EventTarget | null): target is Element {
    return target instanceof Element && (this.scroller?.contains(target) ?? false);
  }

  readonly notePointer = ({ target }: PointerEvent): void => {
    if (this.#isAmongCards(target)) this.#recentSlot = target.closest('[data-card]') ?? this.#focusedSlot;
  };

  readonly noteFocus = ({ target }: FocusEvent): void => {
    if (this.#isAmongCards(target)) this.#recentSlot = this.#focusedSlot = target.closest('[data-card]');
  };
}

function focusedSlot(): Element | null {
  return document.activeElement?.closest('[data-card]') ?? null;
}

export const [getBoard, setBoard] = createContext<Board>();
