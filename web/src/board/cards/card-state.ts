// What the view says about single cards.
import type { CardId, CardState, ViewState } from '../../state/types';

export function cardOf({ cards }: ViewState, tag: string): CardState | undefined {
  return Object.hasOwn(cards, tag) ? cards[tag] : undefined;
}

/** What one card has for itself; undefined or null: nothing. */
export function setCard(
  view: ViewState,
  tag: string,
  change: { [Key in keyof CardState]: CardState[Key] | null | undefined },
): void {
  const { yScale, yRange, span } = { ...cardOf(view, tag), ...change };
  const others = Object.entries(view.cards).filter(([other]) => other !== tag);
  if (yScale || yRange || span) {
    others.push([tag, { ...(yScale && { yScale }), ...(yRange && { yRange }), ...(span && { span }) }]);
  }
  view.cards = Object.fromEntries(others);
}

export function togglePin(view: ViewState, id: CardId): void {
  view.pins = view.pins.includes(id) ? view.pins.filter((pin) => pin !== id) : [...view.pins, id];
}
