// What a board gets beside its first cards, which do not wait for it: what arranges them, and the commands about all cards alike.
import type { Board } from '../board.svelte';
import { Arranger } from './arranger.svelte';
import { cardCommands, type CardWords } from './card-commands';

/** For effects. */
export function arrange(board: Board, words: CardWords): () => void {
  const arranger = new Arranger(board);
  board.arranger = arranger;
  const end = board.page.commands.register(...cardCommands(board, words));
  return () => {
    board.arranger = null;
    arranger.destroy();
    end();
  };
}
