// @vitest-environment happy-dom
import { flushSync, mount, unmount } from 'svelte';
import { expect, it, vi } from 'vitest';
import { CommandRegistry } from '../../state/commands.svelte';
import { defaultView } from '../../state/settings/view';
import { liveView } from '../../state/live-view.svelte';
import { setPage, type Page } from '../../state/page.svelte';
import { boardOf } from './audio-board.svelte';
import Comparison from './Comparison.svelte';

const RUNS = [
  { id: 0, name: 'first' },
  { id: 1, name: 'second' },
];

/** Two runs with a sound each, until the server is gone. */
function makePage(): { page: Page; restart: () => void } {
  let isGone = false;
  const series = RUNS.map(({ id }) => ({
    ...{ query: 0, run: id, step: [5], wall_s: [0], samples: 1, superseded_count: 0 },
  }));
  const page = {
    ...{ commands: new CommandRegistry(), dataListeners: new Set() },
    view: liveView({
      ...defaultView(),
      kindWords: { 'sound.a': 'first;speech;;5', 'sound.b': 'second;speech;;5' },
    }),
    client: {
      post: () =>
        isGone ? new Promise(() => {}) : Promise.resolve({ json: () => Promise.resolve({ series }) }),
      get: () => Promise.reject(new Error('Silence')),
    },
    runs: {
      ...{ serverId: 's', isLoaded: true, visibleIds: [0, 1], shown: RUNS },
      byId: new Map(RUNS.map((run) => [run.id, run])),
      idOf: (name: string) => RUNS.find((run) => run.name === name)?.id,
      shortName: (id: number) => RUNS[id]!.name,
      color: () => 'red',
    },
    tags: { find: () => ({ hasRun: () => true }) },
  } as unknown as Page;
  const restart = (): void => {
    isGone = true;
    for (const hear of page.dataListeners) hear(null);
    flushSync();
  };
  return { page, restart };
}

it('hides the two of a blind test also while nothing is known of them, and can still reveal them', async () => {
  const { page, restart } = makePage();
  const component = mount(
    (anchor: unknown, props: object) => {
      setPage(page);
      return Comparison(anchor as never, props as never);
    },
    { target: document.body },
  );
  const board = boardOf(page);
  const names = (): string[] =>
    [...document.querySelectorAll('[role=group][aria-label^=Side]')].map((side) =>
      side.textContent.replace(/\s+/g, ' ').trim(),
    );
  const button = (text: string) =>
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === text);
  await vi.waitFor(() => expect(board.a).not.toBeNull());
  flushSync();
  expect(names()[0]).toContain('first');
  button('Blind')!.click();
  flushSync();
  expect(names()).toEqual(['A hidden', 'B hidden']);
  restart();
  expect(board.a).toBeNull();
  expect(names()).toEqual(['A hidden', 'B hidden']);
  button('Reveal')!.click();
  flushSync();
  expect(names().join()).toMatch(/first|second/);
  await unmount(component);
});
