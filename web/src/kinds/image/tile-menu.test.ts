// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { defaultView } from '../../state/settings/view';
import { liveView } from '../../state/live-view.svelte';
import { seriesFeedOf } from '../../state/feeds/tag-series.svelte';
import type { Page } from '../../state/page.svelte';
import { mediaAnswer } from '../../state/test-media';
import { Gallery } from './gallery.svelte';
import { openPictures } from './open-pictures';
import { tileItems } from './tile-menu';

vi.mock('./open-pictures');

const STEPS: Readonly<Record<number, number[]>> = { 1: [0, 100, 200], 2: [0, 150, 300] };

async function makeGallery(): Promise<Gallery> {
  const series = Object.entries(STEPS).map(([run, step]) => ({
    ...{ query: 0, run: Number(run), step, wall: step, samples: 1, superseded_count: 0 },
  }));
  const page = {
    view: liveView(defaultView()),
    runs: { visibleIds: [1, 2], shown: [], serverId: 'a', shortName: (run: number) => `run ${run}` },
    dataListeners: new Set(),
    client: { post: () => Promise.resolve(mediaAnswer(series)) },
  } as unknown as Page;
  seriesFeedOf(page).want({ kind: 'image', tag: 'a', runs: [1, 2] });
  await expect.poll(() => seriesFeedOf(page).series('image', 'a', 2)).toBeTruthy();
  return new Gallery(page);
}

test('other runs are compared at the step of the tile, whatever their own tiles show', async () => {
  const gallery = await makeGallery();
  const [tile, other] = [1, 2].map((run) => gallery.tilesOf('a', [run])[0]!);
  gallery.setIndex({ run: 2, tag: 'a', sample: 0 }, other!.series, 0);
  const item = tileItems(gallery, tile!).find((one) => 'label' in one && one.label === 'run 2');
  (item as { run: () => void }).run();
  const [, items] = vi.mocked(openPictures).mock.lastCall!;
  expect(items).toEqual([
    { run: 1, tag: 'a', index: 2, step: 200, sample: 0 },
    { run: 2, tag: 'a', index: 1, step: 150, sample: 0 },
  ]);
});
