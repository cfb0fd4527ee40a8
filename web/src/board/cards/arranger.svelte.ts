// What people do to arrange cards: sections, the order in them, pins, widths. Menus, keys and dragging all end here, and
// here it becomes a change of the view. Loaded after the first charts. See section-edits.ts for the edits themselves.
import { tick } from 'svelte';
import { formatInteger } from '../../base/format';
import type { Page } from '../../state/page.svelte';
import type { CardId, Section } from '../../state/types';
import type { MenuItem } from '../../widgets/menu-item';
import { dragHandle, setDropFinder, watchDrags, type Dragged, type Drop, type Point } from './card-drag';
import type { Board } from '../board.svelte';
import { focusSlot, slotOf } from './card-focus';
import {
  arrange,
  arrangementOf,
  movedBy,
  placed,
  sectionOf,
  stepped,
  takenOut,
  withName,
  withoutSection,
  withSection,
  withSectionAgain,
  type Container,
} from './section-edits';
import { cardOf, setCard } from './card-state';

export type ArrangeQuestion =
  | { readonly kind: 'new-section'; readonly card: CardId | null }
  | { readonly kind: 'rename-section'; readonly index: number }
  | { readonly kind: 'choose-section'; readonly card: CardId };

const SPANS: readonly (readonly [1 | 2 | 3, string])[] = [
  [1, 'One column'],
  [2, 'Two columns'],
  [3, 'Three columns'],
];

export class Arranger {
  readonly #board: Board;
  readonly #endings: (() => void)[];
  /** Attached to the heads of cards. */
  readonly dragHandle = dragHandle;
  question = $state.raw<ArrangeQuestion | null>(null);
  dragged = $state.raw<Dragged | null>(null);

  constructor(board: Board) {
    this.#board = board;
    this.#endings = [
      setDropFinder('between', (dragged, over, point) => this.#dropAt(dragged, over, point)),
      watchDrags((dragged) => (this.dragged = dragged)),
    ];
  }

  destroy(): void {
    for (const end of this.#endings) end();
  }

  get #view(): Page['view'] {
    return this.#board.page.view;
  }

  get sections(): readonly Section[] {
    return this.#view.sections;
  }

  /** What a card's menu offers. */
  items(id: CardId): MenuItem[] {
    const { sections } = this;
    const index = sectionOf(sections, id);
    const container = this.#containerOf(id);
    const span = cardOf(this.#view, id)?.span ?? 1;
    const items: MenuItem[] = [];
    if (!this.#board.specOf(id)?.isFixed) {
      items.push(
        { kind: 'heading', label: 'Arrange' },
        {
          label: index === -1 ? 'Add to section…' : 'Move to another section…',
          run: () => (this.question = { kind: 'choose-section', card: id }),
        },
      );
    }
    if (container !== null) {
      items.push(
        { label: 'Move earlier', hint: 'Alt+↑', run: () => this.#step(id, container, -1) },
        { label: 'Move later', hint: 'Alt+↓', run: () => this.#step(id, container, 1) },
      );
    }
    if (index !== -1) {
      items.push({
        label: `Take out of “${sections[index]!.name}”`,
        run: () => arrange(this.#view, takenOut(arrangementOf(this.#view), id, index)),
      });
    }
    if (this.#board.columns > 1) {
      items.push(
        { kind: 'heading', label: 'Width' },
        ...SPANS.map(([columns, label]) => ({
          label,
          isChecked: span === columns,
          run: () => this.setSpan(id, columns),
        })),
      );
    }
    items.push({ kind: 'separator' });
    return items;
  }

  sectionItems(index: number): MenuItem[] {
    return [
      { label: 'Rename…', run: () => (this.question = { kind: 'rename-section', index }) },
      {
        label: 'Move up',
        isDisabled: index === 0,
        run: () => (this.#view.sections = movedBy(this.sections, index, -1)),
      },
      {
        label: 'Move down',
        isDisabled: index === this.sections.length - 1,
        run: () => (this.#view.sections = movedBy(this.sections, index, 1)),
      },
      { kind: 'separator' },
      { label: 'Delete section', run: () => this.removeSection(index) },
    ];
  }

  /** What to say below a section's heading; '' for nothing. */
  hintOf({ cards }: Section, shownCount: number): string {
    if (cards.length === 0) {
      return 'Empty so far: drag cards here by their heads, or choose “Add to section…” in a card’s menu';
    }
    const hidden = cards.length - shownCount;
    if (hidden === 0) return '';
    const cardsAre = hidden === 1 ? 'card is' : 'cards are';
    return `${formatInteger(hidden)} ${cardsAre} switched off, or without data in the visible runs`;
  }

  setSpan(id: CardId, columns: 1 | 2 | 3): void {
    setCard(this.#view, id, { span: columns === 1 ? null : columns });
  }

  addSection(name: string, card: CardId | null): void {
    this.#view.sections = withSection(this.sections, name, card === null ? [] : [card]);
    const index = this.sections.length - 1;
    if (card !== null) this.#board.page.announce(`Moved to “${this.sections[index]!.name}”`);
    void tick().then(() =>
      document.querySelector(`[data-container="${index}"]`)?.scrollIntoView({ block: 'nearest' }),
    );
  }

  renameSection(index: number, name: string): void {
    this.#view.sections = withName(this.sections, index, name);
  }

  removeSection(index: number): void {
    const section = this.sections[index];
    if (section === undefined) return;
    this.#view.sections = withoutSection(this.sections, index);
    this.#board.page.announce(`Deleted the section “${section.name}”; its cards are where they were before`, {
      label: 'Undo',
      run: () => (this.#view.sections = withSectionAgain(this.sections, index, section)),
    });
  }

  addToSection(id: CardId, index: number): void {
    arrange(this.#view, placed(arrangementOf(this.#view), id, index));
    const name = this.sections[index]?.name;
    if (name !== undefined) this.#board.page.announce(`Moved to “${name}”`);
  }

  /** Whether the card that pointer or focus are on can be moved by keys. */
  get canStep(): boolean {
    const { id, container } = this.#recent();
    return id !== null && container !== null;
  }

  step(by: 1 | -1): void {
    const { id, container } = this.#recent();
    if (id !== null && container !== null) this.#step(id, container, by);
  }

  #step(id: CardId, from: Container, by: 1 | -1): void {
    const after = stepped(arrangementOf(this.#view), id, from, by, (card) => this.#board.isShown(card));
    arrange(this.#view, after);
    const to = from === 'pins' || from === 'charts' ? from : sectionOf(after.sections, id);
    // The browser takes the focus away from what is moved.
    void tick().then(() => focusSlot(slotOf(id, `[data-container="${to}"]`)));
  }

  #recent(): { id: CardId | null; container: Container | null } {
    const slot = this.#board.recentSlot();
    const id = slot?.getAttribute('data-card') ?? null;
    return { id, container: id === null ? null : this.#containerOf(id) };
  }

  /** A pinned card is there twice: the one that pointer or focus are on counts. */
  #containerOf(id: CardId): Container | null {
    const slot = this.#board.recentSlot();
    const name = slot?.getAttribute('data-card') === id ? containerNameOf(slot) : null;
    const container = name === null ? null : containerFrom(name);
    if (container !== null) return container;
    const index = sectionOf(this.sections, id);
    if (index !== -1) return index;
    return name === null && this.#view.pins.includes(id) ? 'pins' : null;
  }

  #nameOf(container: Container): string {
    if (container === 'pins') return 'Pinned';
    return container === 'charts' ? 'My charts' : (this.sections[container]?.name ?? '');
  }

  #dropAt({ id, slot }: Dragged, over: Element, point: Point): Drop | null {
    const place = over.closest<HTMLElement>('[data-container]');
    const name = place?.dataset['container'];
    if (!place || name === undefined) return null;
    const from = containerFrom(containerNameOf(slot) ?? '');
    if (name === 'new') {
      return {
        words: 'Make a new section',
        mark: place.getBoundingClientRect(),
        drop: () => (this.question = { kind: 'new-section', card: id }),
      };
    }
    if (name === 'auto') {
      if (from === null || from === 'charts') return null;
      return {
        words: from === 'pins' ? 'Unpin' : `Take out of “${this.#nameOf(from)}”`,
        mark: null,
        drop: () => arrange(this.#view, takenOut(arrangementOf(this.#view), id, from)),
      };
    }
    const to = containerFrom(name);
    if (to === null || (to === 'charts' && this.#board.specOf(id)?.tag !== null)) return null;
    const { before, mark } = insertionAt(place, point);
    const words = from === to ? 'Move here' : to === 'pins' ? 'Pin here' : `Move to “${this.#nameOf(to)}”`;
    return {
      words,
      mark,
      drop: () => arrange(this.#view, placed(arrangementOf(this.#view), id, to, before)),
    };
  }
}

function containerNameOf(slot: Element | null): string | null {
  return slot?.closest('[data-container]')?.getAttribute('data-container') ?? null;
}

function containerFrom(name: string): Container | null {
  if (name === 'pins' || name === 'charts') return name;
  return /^\d+$/.test(name) ? Number(name) : null;
}

/** Before which card a drop would go, in reading order; null: at the end. */
function insertionAt(place: HTMLElement, { x, y }: Point): { before: CardId | null; mark: Drop['mark'] } {
  const slots = [...place.querySelectorAll<HTMLElement>('[data-card]')];
  const line = (box: DOMRect, isLeft: boolean): Drop['mark'] => ({
    left: isLeft ? box.left - 8 : box.right + 4,
    top: box.top,
    width: 4,
    height: box.height,
  });
  for (const slot of slots) {
    const box = slot.getBoundingClientRect();
    if (y > box.bottom || (y >= box.top && x > box.left + box.width / 2)) continue;
    return { before: slot.dataset['card']!, mark: line(box, true) };
  }
  const last = slots.at(-1);
  const box = last?.getBoundingClientRect();
  return { before: null, mark: box === undefined ? place.getBoundingClientRect() : line(box, false) };
}
