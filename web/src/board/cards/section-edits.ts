// Sections that people arrange by hand, as plain data, and what can be done with them. Every edit returns new lists and
// changes nothing in place. A card has one place: put somewhere, it is gone from where it was.
import type { CardId, ChartSpec, Section, ViewState } from '../../state/types';
import { chartCardId } from './card-spec';

/** Where a card can be put: a section by its number, the pinned cards, or the hand-made charts that are in no section. */
export type Container = number | 'pins' | 'charts';

export interface Arrangement {
  readonly sections: readonly Section[];
  readonly pins: readonly CardId[];
  readonly charts: readonly ChartSpec[];
}

export function arrangementOf({ sections, pins, charts }: ViewState): Arrangement {
  return { sections, pins: [...pins], charts };
}

export function arrange(view: ViewState, { sections, pins, charts }: Arrangement): void {
  view.charts = charts;
  view.sections = sections;
  if (pins.join('\n') !== view.pins.join('\n')) view.pins = [...pins];
}

/** "Losses", "Losses 2" …: names are how people, links and files tell sections apart. */
export function freeName(sections: readonly Section[], name: string, own = -1): string {
  const wanted = name.trim().slice(0, 200) || 'Section';
  const taken = new Set(sections.filter((_, i) => i !== own).map((section) => section.name));
  let free = wanted;
  for (let i = 2; taken.has(free); i++) free = `${wanted} ${i}`;
  return free;
}

export function withSection(
  sections: readonly Section[],
  name: string,
  cards: readonly CardId[] = [],
): Section[] {
  return [...sections.map((section) => without(section, cards)), { name: freeName(sections, name), cards }];
}

export function withName(sections: readonly Section[], index: number, name: string): Section[] {
  return sections.map((section, i) =>
    i === index ? { ...section, name: freeName(sections, name, index) } : section,
  );
}

export function withoutSection(sections: readonly Section[], index: number): Section[] {
  return sections.filter((_, i) => i !== index);
}

/** A section that was deleted, where it was, with those of its cards that have found no other place since. */
export function withSectionAgain(
  sections: readonly Section[],
  index: number,
  { name, cards }: Section,
): Section[] {
  const free = cards.filter((card) => sectionOf(sections, card) === -1);
  const again = { name: freeName(sections, name), cards: free };
  return [...sections.slice(0, index), again, ...sections.slice(index)];
}

/** The section that has the card; −1: none. */
export function sectionOf(sections: readonly Section[], id: CardId): number {
  return sections.findIndex(({ cards }) => cards.includes(id));
}

/** Puts a card into a container, before another card, or at its end. */
export function placed(
  arrangement: Arrangement,
  id: CardId,
  to: Container,
  before: CardId | null = null,
): Arrangement {
  if (before === id) return arrangement;
  const { pins, charts } = arrangement;
  if (to === 'pins') return { ...arrangement, pins: inserted(pins, id, before) };
  const sections = arrangement.sections.map((section) => without(section, [id]));
  if (to !== 'charts') {
    const section = sections[to];
    if (section === undefined) return arrangement;
    sections[to] = { ...section, cards: inserted(section.cards, id, before) };
    return { ...arrangement, sections };
  }
  const moved = charts.find((chart) => chartCardId(chart.id) === id);
  if (moved === undefined) return arrangement;
  const others = charts.filter((chart) => chart !== moved);
  const at = others.findIndex((chart) => chartCardId(chart.id) === before);
  return {
    ...arrangement,
    sections,
    charts: at === -1 ? [...others, moved] : [...others.slice(0, at), moved, ...others.slice(at)],
  };
}

/** Out of its section, or unpinned: back to where it stands by itself. */
export function takenOut(arrangement: Arrangement, id: CardId, from: Container): Arrangement {
  if (from === 'pins') return { ...arrangement, pins: arrangement.pins.filter((pin) => pin !== id) };
  return { ...arrangement, sections: arrangement.sections.map((section) => without(section, [id])) };
}

/** Earlier (−1) or later (1) among the cards that are shown; over the edge of a section it goes into the next one. */
export function stepped(
  arrangement: Arrangement,
  id: CardId,
  from: Container,
  by: 1 | -1,
  isShown: (id: CardId) => boolean = () => true,
): Arrangement {
  const shown = cardsIn(arrangement, from).filter((card) => card === id || isShown(card));
  const at = shown.indexOf(id) + by;
  if (shown[at] !== undefined)
    return placed(arrangement, id, from, by === -1 ? shown[at] : (shown[at + 1] ?? null));
  if (typeof from !== 'number') return arrangement;
  const next = arrangement.sections[from + by];
  if (next === undefined) return arrangement;
  return placed(arrangement, id, from + by, by === 1 ? (next.cards[0] ?? null) : null);
}

function cardsIn({ sections, pins, charts }: Arrangement, container: Container): readonly CardId[] {
  if (container === 'pins') return pins;
  if (container === 'charts') return charts.map(({ id }) => chartCardId(id));
  return sections[container]?.cards ?? [];
}

function without(section: Section, ids: readonly CardId[]): Section {
  return section.cards.some((card) => ids.includes(card))
    ? { ...section, cards: section.cards.filter((card) => !ids.includes(card)) }
    : section;
}

function inserted(cards: readonly CardId[], id: CardId, before: CardId | null): CardId[] {
  const others = cards.filter((card) => card !== id);
  const at = before === null ? -1 : others.indexOf(before);
  return at === -1 ? [...others, id] : [...others.slice(0, at), id, ...others.slice(at)];
}

/** Up (−1) or down (1); at the end it stays. */
export function movedBy<T>(list: readonly T[], index: number, by: 1 | -1): readonly T[] {
  const other = list[index + by];
  const own = list[index];
  if (other === undefined || own === undefined) return list;
  return list.map((one, i) => (i === index ? other : i === index + by ? own : one));
}
