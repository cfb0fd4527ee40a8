import { expect, test } from 'vitest';
import type { PictureItem } from '../picture-item';
import { alignPanes } from './align-panes';
import { FilmPane } from './player.svelte';

/** Notes what is done to it. */
class FakePlayer {
  panes: readonly FilmPane[] = [];
  readonly done: string[] = [];
  #nextId = 0;

  add(item: PictureItem): FilmPane {
    const pane = new FilmPane(this.#nextId++, item);
    this.panes = [...this.panes, pane];
    this.done.push(`add ${item.run}@${item.step}`);
    return pane;
  }

  remove(pane: FilmPane): void {
    this.panes = this.panes.filter((one) => one !== pane);
    this.done.push(`remove ${pane.item.run}@${pane.item.step}`);
  }

  change(pane: FilmPane, item: PictureItem): void {
    this.done.push(`change ${pane.item.run}@${pane.item.step} to ${item.run}@${item.step}`);
    pane.item = item;
  }

  arrange(panes: readonly FilmPane[]): void {
    this.panes = panes;
  }
}

const item = (run: number, step: number): PictureItem => ({ run, tag: 'film', index: 0, step, sample: 0 });

function shown(...items: PictureItem[]) {
  const player = new FakePlayer();
  const panes = alignPanes(player, [], items, 0);
  player.done.length = 0;
  return { player, panes };
}

test('what is still shown stays, what is not goes, and what is new comes', () => {
  const { player, panes } = shown(item(0, 1), item(1, 1), item(2, 1));
  const next = alignPanes(player, panes, [item(1, 1), item(2, 1), item(3, 1)], 0);
  expect(player.done).toEqual(['remove 0@1', 'add 3@1']);
  expect(next.slice(0, 2)).toEqual(panes.slice(1));
  expect(player.panes).toEqual(next);
});

test('another step takes the place of the film that was there', () => {
  const { player, panes } = shown(item(0, 1), item(0, 2));
  expect(alignPanes(player, panes, [item(0, 1), item(0, 3)], 0)).toEqual(panes);
  expect(player.done).toEqual(['change 0@2 to 0@3']);
});

test('while nothing is known what is there stays; then the same number is another run', () => {
  const { player, panes } = shown(item(0, 1), item(1, 1));
  const waiting = alignPanes(player, panes, [undefined, undefined], 1);
  expect([waiting, player.done]).toEqual([panes, []]);
  // The first run has the number of the second one now, and a film at the same step; it is its own place that it keeps.
  const there = alignPanes(player, waiting, [item(1, 1), undefined], 1);
  expect([there, player.done]).toEqual([panes, ['change 0@1 to 1@1']]);
  expect(alignPanes(player, there, [item(1, 1), item(0, 1)], 1)).toEqual(panes);
  expect(player.done.slice(1)).toEqual(['change 1@1 to 0@1']);
});

test('each film is loaded anew once in a generation, and one that is missing goes', () => {
  const { player, panes } = shown(item(0, 1), item(1, 1));
  alignPanes(player, panes, [item(0, 1), null], 1);
  expect(player.done).toEqual(['remove 1@1', 'change 0@1 to 0@1']);
  alignPanes(player, [panes[0]!, null], [item(0, 1), null], 1);
  expect(player.done).toHaveLength(2);
});
