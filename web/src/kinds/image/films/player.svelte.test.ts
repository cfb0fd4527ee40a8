// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../base/manual-clock';
import type { PictureItem } from '../picture-item';
import type { Film, Order } from './film';
import { MOST_FILMS } from './film-words';
import type { Loaded } from './load-film';
import { FilmPlayer } from './player.svelte';
import { Timeline } from './timeline';

/** A film that is where it was sent at once, unless a test holds it up. */
class FakeFilm implements Film {
  readonly widthPx = 4;
  readonly heightPx = 3;
  readonly element = document.createElement('canvas');
  isReady = true;
  isClosed = false;
  problem = '';
  shownFrame = -1;
  order: Order = { timeS: -1, rate: 0 };
  onchange: () => void = () => {};

  constructor(readonly timeline: Timeline) {}

  follow(order: Order): void {
    this.order = order;
    if (this.isReady) this.shownFrame = this.timeline.frameAt(order.timeS);
  }

  close(): void {
    this.isClosed = true;
  }
}

const item = (step: number, run = 0): PictureItem => ({ run, tag: 'film', index: step, step, sample: 0 });

/** One film per step: `lengths[step]` seconds at ten frames a second. */
async function playerOf(lengths: readonly number[], items: readonly PictureItem[]) {
  const frames = new ManualClock();
  const made: FakeFilm[] = [];
  const player = new FilmPlayer(({ step }): Promise<Loaded> => {
    const lengthS = lengths[step];
    if (lengthS === undefined) {
      return Promise.resolve({ film: null, problem: { message: 'Broken', detail: '', isTemporary: false } });
    }
    const film = new FakeFilm(Timeline.even(Math.round(lengthS * 10), lengthS));
    made.push(film);
    return Promise.resolve({ film, format: 'GIF', sizeBytes: 1, areFramesKnown: true, note: '' });
  }, frames);
  player.show(items, 0);
  await settle();
  frames.runFrame();
  return { player, frames, made };
}

async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve();
}

/** The manual clock's frames are 16 ms apart. */
function run(frames: ManualClock, seconds: number): void {
  for (let i = 0; i < Math.round(seconds / 0.016); i++) frames.runFrame();
}

describe('FilmPlayer', () => {
  it('steps from frame to frame and goes round', async () => {
    const { player, frames, made } = await playerOf([0.5], [item(0)]);
    const seen: number[] = [];
    for (let i = 0; i < 6; i++) {
      player.stepFrame(1);
      frames.runAll();
      seen.push(made[0]!.shownFrame);
    }
    expect(seen).toEqual([1, 2, 3, 4, 0, 1]);
    expect(player.frame).toBe(1);
    player.isLooping = false;
    player.toEnd(true);
    player.stepFrame(1);
    frames.runAll();
    expect(made[0]!.shownFrame).toBe(4);
    player.toEnd(false);
    player.stepFrame(-1);
    expect(player.frame).toBe(0);
  });

  it('plays, faster and slower, and asks for no frames while it stands', async () => {
    const { player, frames } = await playerOf([10], [item(0)]);
    frames.runAll();
    player.play();
    run(frames, 1);
    expect(player.timeS).toBeCloseTo(1, 1);
    player.speed = 0.1;
    run(frames, 1);
    expect(player.timeS).toBeCloseTo(1.1, 1);
    player.speed *= 100;
    expect(player.speed).toBe(4);
    player.pause();
    frames.runAll();
    expect(frames.hasFrame).toBe(false);
  });

  it('stops at its end, and begins anew from there', async () => {
    const { player, frames, made } = await playerOf([0.5], [item(0)]);
    player.isLooping = false;
    player.play();
    run(frames, 1);
    expect([player.isPlaying, made[0]!.shownFrame]).toEqual([false, 4]);
    player.play();
    run(frames, 0.16);
    expect(made[0]!.shownFrame).toBe(1);
  });

  it('keeps films of different lengths at the same time; the shorter one holds its last frame', async () => {
    const { player, frames, made } = await playerOf([1, 3], [item(0), item(1)]);
    player.play();
    run(frames, 0.5);
    expect(made[0]!.order.timeS).toBeCloseTo(made[1]!.order.timeS);
    run(frames, 1);
    expect(made[0]!.shownFrame).toBe(9);
    expect(made[0]!.order.rate).toBe(0);
    expect(made[1]!.order.rate).toBe(1);
    run(frames, 1.7);
    expect(player.timeS).toBeLessThan(1);
    expect(made[0]!.order.timeS).toBeCloseTo(made[1]!.order.timeS);
  });

  it('waits for a film that is on its way, but not for ever', async () => {
    const { player, frames, made } = await playerOf([5, 5], [item(0), item(1)]);
    player.play();
    run(frames, 0.5);
    made[1]!.isReady = false;
    const before = player.timeS;
    run(frames, 0.5);
    expect(player.timeS).toBeCloseTo(before, 1);
    made[1]!.isReady = true;
    run(frames, 0.5);
    expect(player.timeS).toBeCloseTo(before + 0.5, 1);
    made[1]!.isReady = false;
    run(frames, 3);
    expect(player.timeS).toBeGreaterThan(before + 1);
  });

  it('stays at its position when another step is chosen, and shows the old film until the new one is there', async () => {
    const { player, frames, made } = await playerOf([2, 4], [item(0)]);
    player.seekFrame(7);
    frames.runAll();
    const [pane] = player.panes;
    player.show([item(1)], 0);
    expect(pane!.film).toBe(made[0]);
    expect(pane!.isLoading).toBe(true);
    await settle();
    frames.runAll();
    expect(pane!.film).toBe(made[1]);
    expect(made[0]!.isClosed).toBe(true);
    expect(made[1]!.shownFrame).toBe(7);
    expect(player.timeline!.count).toBe(40);
  });

  it('says what is wrong with one film and plays the others', async () => {
    const { player, frames, made } = await playerOf([3], [item(0), item(9)]);
    expect(player.panes[1]!.problem?.message).toBe('Broken');
    player.play();
    run(frames, 1);
    expect(player.timeS).toBeCloseTo(1, 1);
    made[0]!.problem = 'Damaged in the middle';
    made[0]!.onchange();
    expect(player.panes[0]!.problem?.message).toBe('Damaged in the middle');
  });

  it('has a sentence for whatever goes wrong, and does not wait for ever', async () => {
    const error = new RangeError('Array buffer allocation failed');
    const player = new FilmPlayer(() => Promise.reject(error), new ManualClock());
    player.show([item(0)], 0);
    const pane = player.panes[0]!;
    expect(pane.isLoading).toBe(true);
    await settle();
    expect([pane.isLoading, pane.film, pane.problem?.message]).toEqual([
      false,
      null,
      'Array buffer allocation failed',
    ]);
  });

  it('has a bad frame as a problem for as long as it is the one that is shown', async () => {
    const { player, frames, made } = await playerOf([1], [item(0)]);
    made[0]!.problem = 'Frame 1 could not be decoded.';
    made[0]!.onchange();
    expect(player.panes[0]!.problem?.message).toBe('Frame 1 could not be decoded.');
    made[0]!.problem = '';
    player.stepFrame(1);
    frames.runFrame();
    expect(player.panes[0]!.problem).toBeNull();
  });

  it('closes a film that comes after it was given up', async () => {
    const late = new FakeFilm(Timeline.even(10, 1));
    let deliver: (loaded: Loaded) => void = () => {};
    const player = new FilmPlayer(() => new Promise((resolve) => (deliver = resolve)), new ManualClock());
    player.show([item(0)], 0);
    const [pane] = player.panes;
    player.remove(0);
    deliver({ film: late, format: 'GIF', sizeBytes: 1, areFramesKnown: true, note: '' });
    await settle();
    expect([late.isClosed, pane!.film]).toEqual([true, null]);
  });

  it('begins to play when it was told to before its film was there', async () => {
    const frames = new ManualClock();
    const film = new FakeFilm(Timeline.even(10, 1));
    const player = new FilmPlayer(
      () => Promise.resolve({ film, format: '', sizeBytes: 0, areFramesKnown: true, note: '' }),
      frames,
    );
    player.show([item(0)], 0);
    player.play();
    await settle();
    run(frames, 0.5);
    expect(player.isPlaying).toBe(true);
    expect(player.timeS).toBeGreaterThan(0.3);
  });

  it('goes where a link says: with the longest film, and unless somebody goes elsewhere', async () => {
    const { player, frames, made } = await playerOf([1, 3], []);
    player.restore(25);
    player.show([item(0)], 0);
    await settle();
    expect(player.frame).toBe(9);
    player.show([item(0), item(1)], 0);
    await settle();
    frames.runAll();
    expect(player.frame).toBe(25);
    expect(made.map(({ shownFrame }) => shownFrame)).toEqual([9, 25]);
    player.seekFrame(4);
    expect(player.isRestoring).toBe(false);
    player.show([item(1), item(1)], 0);
    await settle();
    expect(player.frame).toBe(4);
  });

  it('keeps the films that are still shown, also when one before them is taken away', async () => {
    const { player, made } = await playerOf([1, 1], [item(0), item(1)]);
    const [, second] = player.panes;
    player.remove(0);
    player.show([item(1)], 0);
    await settle();
    expect(player.panes).toEqual([second]);
    expect(made.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  it('keeps a film of which nothing is known for a while, loads it anew in another generation, and lets go of what is gone', async () => {
    const { player, made } = await playerOf([1], [item(0)]);
    const [pane] = player.panes;
    player.show([undefined], 0);
    expect(pane!.film).toBe(made[0]);
    player.show([item(0)], 1);
    await settle();
    expect([pane!.film === made[1], made[0]!.isClosed]).toEqual([true, true]);
    player.show([null], 1);
    expect([pane!.film, pane!.item, made[1]!.isClosed]).toEqual([null, null, true]);
  });

  it('tells each film at any moment how many share the memory', async () => {
    const shares: (() => number)[] = [];
    const film = (): FakeFilm => new FakeFilm(Timeline.even(10, 1));
    const player = new FilmPlayer((_, sharing) => {
      shares.push(sharing);
      return Promise.resolve({ film: film(), format: 'GIF', sizeBytes: 1, areFramesKnown: true, note: '' });
    }, new ManualClock());
    player.show(
      Array.from({ length: MOST_FILMS }, (_, run) => item(0, run)),
      0,
    );
    await settle();
    expect(shares.map((sharing) => sharing())).toEqual(shares.map(() => MOST_FILMS));
    player.remove(0);
    expect(shares[1]!()).toBe(MOST_FILMS - 1);
  });

  it('closes them all', async () => {
    const { player, frames, made } = await playerOf([1], [item(0), item(0, 1)]);
    player.close();
    expect(made.map(({ isClosed }) => isClosed)).toEqual([true, true]);
    frames.runAll();
    expect(frames.hasFrame).toBe(false);
  });
});
