import { expect, test } from 'vitest';
import { CommandRegistry } from '../../state/commands.svelte';
import type { Page } from '../../state/page.svelte';
import { boardOf } from './audio-board.svelte';

function makeBoard() {
  const commands = new CommandRegistry();
  const page = { commands, client: {}, dataListeners: new Set() } as unknown as Page;
  return { board: boardOf(page), page, commands };
}

const item = (step: number) => ({ run: 0, tag: 'speech', index: 0, step, sample: 0 });

test('a sound is on one side only, and put there again it is taken off', () => {
  const { board } = makeBoard();
  board.put('a', item(1));
  board.put('b', item(2));
  expect([board.sideOf(item(1)), board.sideOf(item(2)), board.sideOf(item(3))]).toEqual(['a', 'b', null]);
  board.put('b', item(1));
  expect([board.a, board.b]).toEqual([null, item(1)]);
  board.put('b', item(1));
  expect(board.b).toBeNull();
});

test('sides are swapped, and forgotten together', () => {
  const { board } = makeBoard();
  board.put('a', item(1));
  board.put('b', item(2));
  board.swap();
  expect([board.a?.step, board.b?.step]).toEqual([2, 1]);
  board.isBlind = true;
  board.clear();
  expect([board.a, board.b, board.isBlind]).toEqual([null, null, false]);
});

test('another sound in the pair ends the hiding', () => {
  const { board } = makeBoard();
  board.put('a', item(1));
  board.put('b', item(2));
  board.isBlind = true;
  board.put('b', item(3));
  expect(board.isBlind).toBe(false);
});

test('after a new start of the server the numbers of runs mean other runs', () => {
  const { board, page } = makeBoard();
  board.put('a', item(1));
  for (const hear of page.dataListeners) hear(null);
  expect(board.a).toBeNull();
  board.put('b', item(2));
  expect([board.a, board.b?.step]).toEqual([null, 2]);
});

test('commands stay for as long as one of several cards is there', () => {
  const { board, commands } = makeBoard();
  const endFirst = board.useCommands(false);
  const endSecond = board.useCommands(false);
  endFirst();
  expect(commands.get('audio.play')).toBeDefined();
  endSecond();
  expect(commands.all).toEqual([]);
});

test('a page has one board', () => {
  const { board, page } = makeBoard();
  expect(boardOf(page)).toBe(board);
});
