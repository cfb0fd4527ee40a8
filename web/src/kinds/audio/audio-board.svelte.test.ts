// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { expect, test, vi } from 'vitest';
import { CommandRegistry } from '../../state/commands.svelte';
import { defaultView } from '../../state/settings/view';
import { liveView } from '../../state/live-view.svelte';
import { seriesFeedOf } from '../../state/feeds/tag-series.svelte';
import type { Page } from '../../state/page.svelte';
import { mediaAnswer } from '../../state/test-media';
import { boardOf } from './audio-board.svelte';

const STEPS = [1, 2, 3];

/** One run, “a”, with sounds at three steps, which the page knows once they were wanted. */
async function makeBoard(kindWords: Record<string, string> = {}) {
  const commands = new CommandRegistry();
  const series = [{ ...{ query: 0, run: 0, step: STEPS, wall: [0, 0, 0], samples: 1 }, superseded_count: 0 }];
  const page = {
    ...{ commands, dataListeners: new Set(), view: liveView({ ...defaultView(), kindWords }) },
    client: { post: () => Promise.resolve(mediaAnswer(series)) },
    runs: {
      ...{ serverId: 's', isLoaded: true, byId: new Map([[0, { name: 'a' }]]) },
      idOf: (name: string) => (name === 'a' ? 0 : undefined),
    },
  } as unknown as Page;
  const board = boardOf(page);
  seriesFeedOf(page).want({ kind: 'audio', tag: 'speech', runs: [0] });
  await vi.waitFor(() => expect(seriesFeedOf(page).series('audio', 'speech', 0)).toBeDefined());
  flushSync();
  return { board, page, commands };
}

const item = (step: number) => ({ run: 0, tag: 'speech', index: STEPS.indexOf(step), step, sample: 0 });

test('a sound is on one side only, and put there again it is taken off', async () => {
  const { board } = await makeBoard();
  board.put('a', item(1));
  board.put('b', item(2));
  expect([board.sideOf(item(1)), board.sideOf(item(2)), board.sideOf(item(3))]).toEqual(['a', 'b', null]);
  board.put('b', item(1));
  expect([board.a, board.b]).toEqual([null, item(1)]);
  board.put('b', item(1));
  expect(board.b).toBeNull();
});

test('the two are in the link, and come back by it', async () => {
  const { board, page } = await makeBoard();
  board.put('a', item(1));
  board.put('b', item(3));
  const { kindWords } = page.view;
  expect(kindWords).toEqual({ 'sound.a': 'a;speech;;1', 'sound.b': 'a;speech;;3' });
  const { board: other } = await makeBoard(kindWords);
  expect([other.a, other.b]).toEqual([item(1), item(3)]);
  other.change('b', { step: 2 });
  expect(other.b).toEqual(item(2));
  other.clear();
  expect([other.isComparing, other.a, other.b]).toEqual([false, null, null]);
});

test('a run that is gone is a side without a sound', async () => {
  const { board } = await makeBoard({ 'sound.a': 'gone;speech;;1' });
  expect([board.isComparing, board.a, board.sides[0]?.run]).toEqual([true, null, undefined]);
});

test('commands stay for as long as one of several cards is there', async () => {
  const { board, commands } = await makeBoard();
  const endFirst = board.useCommands();
  const endSecond = board.useCommands();
  endFirst();
  expect(commands.get('audio.play')).toBeDefined();
  endSecond();
  expect(commands.all).toEqual([]);
});

test('a page has one board', async () => {
  const { board, page } = await makeBoard();
  expect(boardOf(page)).toBe(board);
});

test('among charts the comparison is in the card of A', async () => {
  const { board } = await makeBoard({ 'sound.a': 'a;speech;;1', 'sound.b': 'a;song;;1' });
  expect(board.dock).toBeNull();
  for (const tag of ['noise', 'song', 'speech']) board.addCard(tag);
  expect(board.dock).toBe('speech');
  board.clear();
  expect(board.dock).toBeNull();
});

test('the comparison of a link is in some card, also while those of its sounds are not shown', async () => {
  const { board } = await makeBoard({ 'sound.a': 'a;speech;;1', 'sound.b': 'a;song;;1' });
  board.addCard('noise');
  expect(board.dock).toBe('noise');
  const goes = board.addCard('speech');
  expect(board.dock).toBe('speech');
  board.addCard('song');
  expect(board.dock).toBe('speech');
  goes();
  expect(board.dock).toBe('song');
});
