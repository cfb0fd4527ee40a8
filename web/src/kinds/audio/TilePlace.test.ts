// @vitest-environment happy-dom
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { CommandRegistry } from '../../state/commands.svelte';
import { defaultView } from '../../state/settings/view';
import { liveView } from '../../state/live-view.svelte';
import type { TagSeries } from '../../state/feeds/tag-series.svelte';
import { setPage, type Page } from '../../state/page.svelte';
import type { Presence } from '../../widgets/near-viewport';
import TilePlace from './TilePlace.svelte';

vi.mock('./output', () => ({ theOutput: () => ({ context: { resume: () => Promise.resolve() } }) }));

const SERIES = {
  ...{ run: 0, kind: 'audio', tag: 'speech', samples: 1, supersededCount: 0 },
  ...{ steps: Float64Array.of(5), wallS: Float64Array.of(0) },
} as unknown as TagSeries;

let end = async (): Promise<void> => undefined;
afterEach(() => end());

/**
 * A place whose nearness the test tells. Without an answer its sound never comes, so that what is played is on its way for
 * good.
 */
function showPlace(answer: object | null = null): (presence: Presence) => void {
  let tell: (presence: Presence) => void = () => undefined;
  const near = {
    watch: (_element: Element, onPresence: typeof tell) => {
      tell = onPresence;
      return () => undefined;
    },
  };
  const page = {
    ...{ commands: new CommandRegistry(), dataListeners: new Set(), view: liveView(defaultView()) },
    client: {
      get: () =>
        answer === null
          ? new Promise(() => undefined)
          : Promise.resolve(new Response(JSON.stringify(answer))),
      url: (path: string) => path,
    },
    runs: {
      serverId: 's',
      shortName: () => 'run',
      displayName: () => 'run',
      color: () => 'red',
      byId: new Map(),
    },
  } as unknown as Page;
  const props = { series: SERIES, sample: 0, samples: 1, near, onsamples: () => undefined };
  const component = mount(
    (anchor: unknown, given: object) => {
      setPage(page);
      return TilePlace(anchor as never, given as never);
    },
    { target: document.body, props },
  );
  end = () => unmount(component);
  flushSync();
  return (presence) => {
    tell(presence);
    flushSync();
  };
}

const tile = (): Element | null => document.querySelector('[data-sound]');
const press = (name: RegExp): void => {
  [...document.querySelectorAll('button')]
    .find((one) => name.test(one.getAttribute('aria-label') ?? ''))!
    .click();
  flushSync();
};

test('a sound that plays goes on far from the viewport, and its tile goes when it ends', () => {
  const tell = showPlace();
  tell('near');
  press(/^Play/);
  tell('parked');
  tell('far');
  expect(tile()).not.toBeNull();
  press(/^Pause/);
  expect(tile()).toBeNull();
});

test('a silent one goes at once', () => {
  const tell = showPlace();
  tell('near');
  expect(tile()).not.toBeNull();
  tell('far');
  expect(tile()).toBeNull();
});

test('a long sound has the player of the browser, and stays while that plays', async () => {
  const tell = showPlace({
    ...{ mime_type: 'audio/wav', label: '', samples: 1, size_bytes: 1e8, is_decoded: true, rate_hz: 8000 },
    ...{ channels: 1, bits: 16, duration_s: 700, rms: 0.1, least: [-1], greatest: [1], note: '' },
  });
  tell('near');
  await vi.waitFor(() => expect(document.querySelector('audio')).not.toBeNull());
  const audio = document.querySelector('audio')!;
  expect(audio.getAttribute('src')).toContain('audio/sound');
  audio.dispatchEvent(new Event('play'));
  flushSync();
  tell('far');
  expect(tile()).not.toBeNull();
  audio.dispatchEvent(new Event('pause'));
  flushSync();
  expect(tile()).toBeNull();
});
