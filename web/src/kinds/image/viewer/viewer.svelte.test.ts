// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { defaultView } from '../../../state/settings/view';
import { liveView } from '../../../state/live-view.svelte';
import type { Page } from '../../../state/page.svelte';
import { setSetting } from '../../../state/settings/setting';
import { CHANNEL } from '../picture-settings';
import { mediaAnswer } from '../../../state/test-media';
import type { PixelSource } from './pixel-service';
import { ViewerState } from './viewer.svelte';
import { DIFFERENCE_FACTOR, MODE, OPEN, VIEWPORT } from './viewer-words';

const FACTS = {
  ...{ mime_type: 'image/png', width: 4, height: 2, bits: 8, channels: 3, size_bytes: 9, samples: 5 },
  ...{ frames: 1, duration_s: 0, is_original: true, is_grey: false },
};
const SHAPE = { width: 4, height: 2, channels: 3, hasAlpha: false, white: 255, isExact: true };
const RUNS = ['a', 'b'];

function fakePage(): Page {
  const series = RUNS.map((_, run) => ({
    ...{ query: 0, run, step: [0, 10], wall: [0, 0], samples: 2, superseded_count: 0 },
  }));
  const headers = { 'sightline-facts': JSON.stringify(FACTS) };
  return {
    view: liveView(defaultView()),
    runs: {
      ...{
        visibleIds: [0, 1],
        shown: [],
        serverId: 's',
        byId: new Map(RUNS.map((name, id) => [id, { name }])),
      },
      isLoaded: true,
      idOf: (name: string) => (RUNS.includes(name) ? RUNS.indexOf(name) : undefined),
    },
    tags: { find: () => ({ hasRun: () => true }) },
    dataListeners: new Set(),
    client: {
      post: () => Promise.resolve(mediaAnswer(series)),
      get: () => Promise.resolve(new Response('bytes', { headers })),
    },
  } as unknown as Page;
}

/** Bitmaps of differences, in the order in which they were made: whether each is closed. */
let areClosed: boolean[];
/** Of which differences were asked for. */
let channels: string[];
const pixels = {
  ask: ({ type, look }: { type: string; look?: { channel: string } }) => {
    if (type === 'decode') return Promise.resolve(SHAPE);
    if (type === 'render') return Promise.resolve({ bitmap: { close: () => {} }, range: null });
    channels.push(look!.channel);
    const at = areClosed.push(false) - 1;
    return Promise.resolve({ bitmap: { close: () => (areClosed[at] = true) } });
  },
} as unknown as PixelSource;

let page: Page;
let viewer: ViewerState;
let end: () => void;

beforeEach(async () => {
  areClosed = [];
  channels = [];
  page = fakePage();
  setSetting(page.view, OPEN, [
    { run: 'a', tag: 't', sample: 0, step: 10 },
    { run: 'b', tag: 't', sample: 1, step: null },
  ]);
  end = $effect.root(() => {
    viewer = new ViewerState(page, pixels);
  });
  await vi.waitUntil(() => viewer.pictures.length === 2 && viewer.pictures.every(({ drawn }) => drawn), {
    timeout: 5000,
  });
});
afterEach(() => end());

test('a picture that says of more samples than the ends of its series counts', () => {
  expect(viewer.samplesOf(0, 't')).toBe(5);
  expect(viewer.places('t')).toHaveLength(10);
  expect(viewer.samplesOf(0, 'other')).toBe(1);
});

test('pictures of different runs go through their steps together', () => {
  expect([...viewer.steps]).toEqual([0, 10]);
  viewer.moveStep(1);
  expect(viewer.stepIndex).toBe(1);
  viewer.moveStep(-1);
  expect([viewer.stepIndex, viewer.shown.map(({ item }) => item?.step)]).toEqual([0, [0, 0]]);
  viewer.moveStep(-1);
  expect(viewer.stepIndex).toBe(0);
});

test('steps of one picture go by themselves: the one with the keys', () => {
  const slot = { run: 'a', tag: 't', sample: 0, step: 10 };
  setSetting(page.view, OPEN, [slot, slot]);
  flushSync();
  viewer.active = 1;
  viewer.moveStep(-1);
  expect([viewer.stepIndex, viewer.shown.map(({ item }) => item?.step)]).toEqual([0, [10, 0]]);
  viewer.showStep(1);
  expect([viewer.stepIndex, viewer.shown.map(({ item }) => item?.step)]).toEqual([1, [10, 10]]);
});

test('pixels of differences that are not shown any more are given back', async () => {
  setSetting(page.view, MODE, 'difference');
  await vi.waitUntil(() => viewer.difference !== null, { timeout: 5000 });
  // Two in one go: the first answer is too late.
  setSetting(page.view, DIFFERENCE_FACTOR, 2);
  flushSync();
  setSetting(page.view, DIFFERENCE_FACTOR, 3);
  await vi.waitUntil(() => areClosed.join() === 'true,true,false', { timeout: 5000 });
  setSetting(page.view, MODE, 'grid');
  await vi.waitUntil(() => areClosed.join() === 'true,true,true', { timeout: 5000 });
});

test('another link brings its own place, and nothing of the last one is written into it', () => {
  vi.useFakeTimers();
  const size = { width: 4, height: 2 };
  viewer.look({ scale: 2, x: 1, y: 1 }, size);
  vi.runAllTimers();
  flushSync();
  expect(page.view.kindWords[VIEWPORT.word]).toBe('2_1_1');
  // While a movement is still to be written.
  viewer.look({ scale: 4, x: 1, y: 1 }, size);
  setSetting(page.view, VIEWPORT, { scale: 8, x: 2, y: 0 });
  flushSync();
  expect(viewer.viewport).toEqual({ scale: 8, x: 2, y: 0 });
  vi.runAllTimers();
  expect(page.view.kindWords[VIEWPORT.word]).toBe('8_2_0');
  setSetting(page.view, VIEWPORT, null);
  flushSync();
  expect(viewer.viewport).toBeNull();
  vi.useRealTimers();
});

test('a link with fewer pictures leaves the keys with one of them', () => {
  viewer.active = 1;
  setSetting(page.view, OPEN, [{ run: 'a', tag: 't', sample: 0, step: 10 }]);
  flushSync();
  expect(viewer.active).toBe(0);
});

test('there is nothing when none of the pictures exists', () => {
  const slot = { run: 'a', tag: 't', sample: 0, step: 10 };
  expect(viewer.hasNothing).toBe(false);
  setSetting(page.view, OPEN, [slot, { ...slot, run: 'gone' }]);
  flushSync();
  expect(viewer.hasNothing).toBe(false);
  setSetting(page.view, OPEN, [{ ...slot, run: 'gone' }]);
  flushSync();
  expect(viewer.hasNothing).toBe(true);
});

test('the channel that is chosen is that of the difference', async () => {
  setSetting(page.view, MODE, 'difference');
  setSetting(page.view, CHANNEL, 'green');
  await vi.waitUntil(() => viewer.difference !== null, { timeout: 5000 });
  expect(new Set(channels)).toEqual(new Set(['green']));
  setSetting(page.view, CHANNEL, 'all');
  await vi.waitUntil(() => channels.at(-1) === 'all', { timeout: 5000 });
});

test('the two change places with all that is theirs, and are not decoded again', () => {
  viewer.active = 1;
  const [a, b] = viewer.pictures;
  viewer.swap();
  flushSync();
  expect(viewer.slots.map(({ run }) => run)).toEqual(['b', 'a']);
  expect([viewer.pictures[0] === b, viewer.pictures[1] === a]).toEqual([true, true]);
  expect(viewer.pictures.map(({ isLoading }) => isLoading)).toEqual([false, false]);
  expect(viewer.active).toBe(0);
});
