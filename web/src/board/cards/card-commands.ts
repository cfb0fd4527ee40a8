// What the keyboard and the command palette can do with cards of any kind. Commands about one card act on the card that has the
// focus, or else on the one that had it last or is under the pointer; they are not available when there is none.
import type { Command } from '../../state/commands.svelte';
import type { Board, CardHandle } from '../board.svelte';
import { moveFocus } from './card-focus';

export interface CardWords {
  /** The group of the commands in the help. */
  readonly label: string;
  readonly settingsLabel: string;
}

export function cardCommands(board: Board, { label: group, settingsLabel }: CardWords): Command[] {
  const { view } = board.page;
  const command = (
    id: string,
    title: string,
    keys: readonly string[],
    run: () => void,
    isAvailable: () => boolean,
  ): Command => ({ id: `cards.${id}`, title, keys, group, run, isAvailable });
  const onCard = (
    id: string,
    title: string,
    keys: readonly string[],
    act: (card: CardHandle) => void,
  ): Command =>
    command(
      id,
      title,
      keys,
      () => {
        const card = board.currentCard();
        if (card !== null) act(card);
      },
      () => board.currentCard() !== null,
    );
  /** About what a card in full screen hides. */
  const onPage = (id: string, title: string, keys: readonly string[], run: () => void): Command =>
    command(
      id,
      title,
      keys,
      run,
      () => view.fullScreenCard === null && board.shown.length + board.pinned.length > 0,
    );
  const move = (id: string, title: string, key: string, by: 1 | -1): Command =>
    command(
      id,
      title,
      [key],
      () => board.arranger?.step(by),
      () => view.fullScreenCard === null && (board.arranger?.canStep ?? false),
    );
  return [
    onPage('next-card', 'Next chart', ['j'], () => moveFocus(board.scroller, 1)),
    onPage('previous-card', 'Previous chart', ['k'], () => moveFocus(board.scroller, -1)),
    onCard('full-screen', 'Full screen', ['f'], (card) => card.toggleFullScreen()),
    onCard('pin', 'Pin or unpin the chart', ['p'], (card) => card.togglePin()),
    onCard('next-point', 'Next point or step', ['.'], (card) => card.moveCursor(1)),
    onCard('previous-point', 'Previous point or step', [','], (card) => card.moveCursor(-1)),
    onPage('settings', settingsLabel, [], board.settings.toggle),
    onPage('open-groups', 'Open all groups', [], () => board.setAllGroupsOpen(true)),
    onPage('close-groups', 'Close all groups', [], () => board.setAllGroupsOpen(false)),
    onPage('new-section', 'New section…', [], () => board.newSection()),
    move('move-earlier', 'Move the chart earlier', 'Alt+Up', -1),
    move('move-later', 'Move the chart later', 'Alt+Down', 1),
  ];
}
