// @vitest-environment happy-dom
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setPage, type Page } from '../../../state/page.svelte';
import FilmTile from './FilmTile.svelte';
import { filmBytes } from './test-films';

const ITEM = { run: 0, tag: 'film', index: 0, step: 5, sample: 0 };
const FACTS = {
  ...{ mime_type: 'video/mp4', width: 4, height: 2, bits: 8, channels: 3, size_bytes: 9, samples: 1 },
  ...{ frames: 2, duration_s: 1, is_original: false, is_grey: false },
};

let see: (isInSight: boolean) => void;
let tile: HTMLElement;
let page: object;
let asked: string[];
/** Comes instead of the film itself. */
let instead: Promise<Response> | null;
let end: () => Promise<void>;

/** A tile of a film whose poster cannot be made. */
beforeEach(() => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(onSeen: (entries: { isIntersecting: boolean }[]) => void) {
        see = (isIntersecting) => {
          onSeen([{ isIntersecting }]);
          flushSync();
        };
      }
      observe(): void {}
      disconnect(): void {}
    },
  );
  asked = [];
  instead = null;
  const get = (path: string): Promise<Response> => {
    asked.push(path.slice(0, path.indexOf('?')));
    if (instead !== null) return instead;
    return Promise.resolve(new Response(filmBytes('mpeg4') as Uint8Array<ArrayBuffer>));
  };
  page = {
    client: { get, url: (path: string) => path },
    dataListeners: new Set(),
    view: { kindWords: { films: '0' } },
  };
  tile = document.createElement('div');
  document.body.append(tile);
  show();
});

function show(): void {
  const component = mount(
    (anchor: unknown, props: object) => {
      setPage(page as unknown as Page);
      return FilmTile(anchor as never, props as never);
    },
    {
      target: tile,
      props: { item: ITEM, facts: FACTS, widthPx: 100, hasPoster: false },
    },
  );
  flushSync();
  end = async () => {
    await unmount(component);
    tile.remove();
  };
}

afterEach(() => end());

it('asks for nothing before it is in sight, and lets go of everything after it', async () => {
  expect(asked).toEqual([]);
  expect(tile.textContent).toContain('0:01.00');
  see(true);
  // Its first frame has to come from the film itself.
  await vi.waitFor(() => expect(tile.querySelector('video')).not.toBeNull());
  expect(asked).toEqual(['images/original']);
  see(false);
  expect(tile.querySelector('video')).toBeNull();
});

it('plays while it is pointed at or focused, whichever ends last', async () => {
  see(true);
  await vi.waitFor(() => expect(tile.querySelector('video')).not.toBeNull());
  const isPlaying = () => {
    flushSync();
    return tile.querySelector('.badge') === null;
  };
  expect(isPlaying()).toBe(false);
  tile.dispatchEvent(new FocusEvent('focusin'));
  expect(isPlaying()).toBe(true);
  tile.dispatchEvent(new PointerEvent('pointerenter', { pointerType: 'mouse' }));
  tile.dispatchEvent(new PointerEvent('pointerleave'));
  expect(isPlaying()).toBe(true);
  tile.dispatchEvent(new FocusEvent('focusout'));
  expect(isPlaying()).toBe(false);
});

it('plays on a tile that had the focus before there was a film', async () => {
  await end();
  tile.tabIndex = 0;
  document.body.append(tile);
  tile.focus();
  show();
  see(true);
  await vi.waitFor(() => expect(tile.querySelector('video')).not.toBeNull());
  expect(tile.querySelector('.badge')).toBeNull();
});

it('says in our words why a film does not play', async () => {
  see(true);
  await vi.waitFor(() => expect(tile.querySelector('video')).not.toBeNull());
  tile.querySelector('video')!.dispatchEvent(new Event('error'));
  await vi.waitFor(() =>
    expect(tile.textContent).toContain('This browser cannot play the film, or the file is damaged.'),
  );
  expect(tile.querySelector('a')?.getAttribute('href')).toContain('download=true');
});

it('says that it waits, why there is nothing, and tries again', async () => {
  let answer: (broken: Response) => void = () => undefined;
  instead = new Promise((resolve) => (answer = resolve));
  see(true);
  await vi.waitFor(() => expect(tile.querySelector('[aria-busy="true"] [data-loading]')).not.toBeNull());
  answer(new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError()) })));
  await vi.waitFor(() => expect(tile.textContent).toContain('The answer of the server broke off'));
  expect(tile.querySelector('[data-loading]')).toBeNull();
  instead = null;
  tile.querySelector('button')!.click();
  await vi.waitFor(() => expect(tile.querySelector('video')).not.toBeNull());
  expect(tile.textContent).not.toContain('The answer of the server broke off');
});
