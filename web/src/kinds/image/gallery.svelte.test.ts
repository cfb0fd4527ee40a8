// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultView } from '../../state/settings/view';
import { liveView } from '../../state/live-view.svelte';
import { seriesFeedOf, type TagSeries } from '../../state/feeds/tag-series.svelte';
import type { Page } from '../../state/page.svelte';
import type { Tag } from '../../state/types';
import type { PictureFacts } from '../../wire/client';
import { countTiles } from '../../board/tiles/tiling';
import { askForStep } from '../../board/steps/asked-step';
import { mediaAnswer } from '../../state/test-media';
import { Gallery } from './gallery.svelte';

const steps: Record<number, number[]> = { 1: [0, 100, 200], 2: [0, 150, 150, 300] };

function fakePage(): Page {
  const entry = (run: number) => ({
    ...{ query: 0, run, step: steps[run]!, samples: 2, superseded_count: 0 },
    wall: steps[run]!.map(() => 0),
  });
  return {
    view: liveView(defaultView()),
    runs: { visibleIds: [1, 2], serverId: 'a' },
    dataListeners: new Set(),
    client: {
      post: () => Promise.resolve(mediaAnswer([entry(1), entry(2)])),
    },
  } as unknown as Page;
}

describe('a gallery', () => {
  let page: Page;
  let gallery: Gallery;
  let end: () => void;
  const place = (run: number, sample = 0) => ({ run, tag: 'a', sample });
  const seriesOf = (run: number): TagSeries => seriesFeedOf(page).series('image', 'a', run)!;
  const stepAt = (run: number) => gallery.itemAt(place(run))?.step;

  beforeEach(async () => {
    page = fakePage();
    gallery = new Gallery(page);
    end = $effect.root(() => gallery.follow());
    seriesFeedOf(page).want({ kind: 'image', tag: 'a', runs: [1, 2] });
    await expect.poll(() => seriesFeedOf(page).series('image', 'a', 2)).toBeTruthy();
  });
  afterEach(() => end());

  it('has a tile for each sample of each run', () => {
    expect(gallery.tilesOf('a', [2, 1, 9]).map(({ series, place }) => [series.run, place.sample])).toEqual([
      [2, 0],
      [2, 1],
      [1, 0],
      [1, 1],
    ]);
  });

  it('counts the tiles of a tag as far as it matters, one for each run that has not answered', () => {
    const tag = (name: string, runs: readonly number[]) =>
      ({ tag: name, kind: 'image', hasRun: (run: number) => runs.includes(run) }) as unknown as Tag;
    const count = (one: Tag, most: number) =>
      countTiles(page, one, most, (series) => gallery.samplesOf(series));
    expect(count(tag('a', [1, 2]), 9)).toBe(4);
    expect(count(tag('a', [1, 2]), 3)).toBe(3);
    expect(count(tag('a', [2, 7]), 9)).toBe(2);
    expect(count(tag('b', [1, 2]), 9)).toBe(2);
    expect(count(tag('c', []), 9)).toBe(0);
  });

  it('shows the last value, or the last one before the step of the bar', () => {
    expect([stepAt(1), stepAt(2)]).toEqual([200, 300]);
    askForStep(page.view, 120);
    expect([stepAt(1), stepAt(2)]).toEqual([100, 0]);
  });

  it('lets one tile have a step of its own until the bar moves', () => {
    askForStep(page.view, 200);
    flushSync();
    gallery.setIndex(place(1), seriesOf(1), 0);
    expect([stepAt(1), stepAt(2)]).toEqual([0, 150]);
    expect(gallery.hasOwnStep(place(1))).toBe(true);
    expect(gallery.hasOwnStep(place(1, 1))).toBe(false);
    askForStep(page.view, 100);
    flushSync();
    expect(stepAt(1)).toBe(100);
  });

  it('tells values of one step apart', () => {
    gallery.setIndex(place(2), seriesOf(2), 1);
    expect(gallery.itemAt(place(2))).toMatchObject({ index: 1, step: 150 });
    gallery.setIndex(place(2), seriesOf(2), 2);
    expect(gallery.itemAt(place(2))).toMatchObject({ index: 2, step: 150 });
  });

  it('follows the end of a series from its last value, and stays at a chosen one', () => {
    const grown = { ...seriesOf(1), steps: Float64Array.of(0, 100, 200, 300) };
    askForStep(page.view, 0);
    flushSync();
    gallery.setIndex(place(1), seriesOf(1), 2);
    expect(gallery.indexAt(place(1), grown)).toBe(3);
    gallery.setIndex(place(1), seriesOf(1), 1);
    expect(gallery.indexAt(place(1), grown)).toBe(1);
  });

  it('forgets a tile’s own step when all are asked for a step, be it the one that was asked for already', () => {
    askForStep(page.view, 200);
    flushSync();
    gallery.setIndex(place(1), seriesOf(1), 1);
    expect(stepAt(1)).toBe(100);
    askForStep(page.view, 200);
    flushSync();
    expect(stepAt(1)).toBe(200);
  });

  it('has more tiles when a step turns out to have more samples', () => {
    const item = gallery.itemAt(place(1))!;
    gallery.learn(item, { samples: 5, frames: 1, mime_type: 'image/png' } as PictureFacts);
    expect(gallery.tilesOf('a', [1])).toHaveLength(5);
    expect(gallery.tilesOf('a', [2])).toHaveLength(2);
    gallery.learn(item, { samples: 1e9, frames: 1, mime_type: 'image/png' } as PictureFacts);
    expect(gallery.tilesOf('a', [1]).length).toBeLessThan(10_000);
  });

  it('does not learn again from a picture of before what it has forgotten', () => {
    const item = gallery.itemAt(place(1))!;
    const stop = $effect.root(() => {
      $effect(() => gallery.learn(item, { samples: 5, frames: 8, mime_type: 'image/gif' } as PictureFacts));
    });
    flushSync();
    expect([gallery.samplesOf(seriesOf(1)), gallery.areFilms([item])]).toEqual([5, true]);
    const series = seriesOf(1);
    for (const hear of page.dataListeners) hear(null);
    flushSync();
    expect([gallery.samplesOf(series), gallery.areFilms([item])]).toEqual([2, false]);
    stop();
  });

  it('knows which pictures are films once it has seen them', () => {
    const items = [gallery.itemAt(place(1))!, gallery.itemAt(place(2))!];
    const film = { samples: 1, frames: 8, mime_type: 'image/gif' } as PictureFacts;
    gallery.learn(items[0]!, film);
    expect(gallery.areFilms(items)).toBe(false);
    gallery.learn(items[1]!, film);
    expect(gallery.areFilms(items)).toBe(true);
    expect(gallery.areFilms([])).toBe(false);
  });

  it('gives the selected pictures of visible runs, as they are shown', () => {
    gallery.selection.set(place(2), true);
    gallery.selection.set(place(1), true);
    gallery.selection.set(place(7), true);
    askForStep(page.view, 100);
    expect(gallery.chosen.map(({ run, step }) => [run, step])).toEqual([
      [2, 0],
      [1, 100],
    ]);
  });

  it('forgets everything when numbers of runs mean other runs', () => {
    gallery.selection.set(place(1), true);
    gallery.setIndex(place(1), seriesOf(1), 0);
    for (const hear of page.dataListeners) hear(null);
    flushSync();
    expect(gallery.selection.size).toBe(0);
    expect(gallery.hasOwnStep(place(1))).toBe(false);
  });
});
