// @vitest-environment happy-dom
import { flushSync, mount, unmount } from 'svelte';
import { expect, it, vi } from 'vitest';
import { setPage, type Page } from '../../../state/page.svelte';
import type { Film } from './film';
import FilmView from './FilmView.svelte';
import { FilmPane, type FilmPlayer } from './player.svelte';
import { Timeline } from './timeline';

const PAGE = {
  client: { url: (path: string) => path },
  runs: { displayName: () => 'run', shortName: () => 'run', color: () => 'red' },
  view: { kindWords: {}, selected: null, xAxis: 'step' },
} as unknown as Page;

function makeView(player: Partial<FilmPlayer>, change: (pane: FilmPane) => void) {
  const item = { run: 0, tag: 'film', index: 0, step: 5, sample: 0 };
  const pane = new FilmPane(0);
  change(pane);
  const component = mount(
    (anchor: unknown, props: object) => {
      setPage(PAGE);
      return FilmView(anchor as never, props as never);
    },
    {
      target: document.body,
      props: {
        ...{
          player: { panes: [pane], ...player } as FilmPlayer,
          pane,
          item,
          run: 0,
          series: null,
          index: -1,
        },
        ...{ onpress: () => undefined, onindex: () => undefined },
      },
    },
  );
  flushSync();
  return { pane, end: () => unmount(component) };
}

function show(pane: FilmPane, count: number): void {
  const film = { timeline: Timeline.even(count, count), widthPx: 4, heightPx: 3 };
  const shown = { ...film, element: document.createElement('canvas') } as unknown as Film;
  pane.loaded = { film: shown, format: 'GIF', sizeBytes: 1900, areFramesKnown: true, note: '' };
  pane.shownFrame = count - 1;
}

it('shows the film itself, which frame it is, and that it is over before the others', async () => {
  const { pane, end } = makeView({ timeS: 7 }, (one) => show(one, 6));
  expect(document.querySelector('canvas')).toBe(pane.film!.element);
  const text = document.body.textContent.replace(/\s+/g, ' ');
  expect(text).toContain('frame 6 / 6');
  expect(text).toContain('holds its last frame');
  expect(text).toContain('4 × 3 · GIF · 1.9 kB');
  await end();
  expect(document.querySelector('canvas')).toBeNull();
});

it('has a sentence instead of a film, and another try where that may help', async () => {
  const reload = vi.fn();
  const { pane, end } = makeView({ timeS: 0, reload }, (one) => {
    one.problem = { message: 'The server does not answer', detail: '', isTemporary: true };
  });
  expect(document.body.textContent).toContain('The server does not answer');
  [...document.querySelectorAll('button')]
    .find(({ textContent }) => textContent.includes('Try again'))!
    .click();
  expect(reload).toHaveBeenCalledExactlyOnceWith(pane);
  await end();
});
