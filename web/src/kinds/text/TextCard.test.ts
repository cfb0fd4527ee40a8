// @vitest-environment happy-dom
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { wantSteps } from '../../board/steps/shown-steps.svelte';
import { defaultView } from '../../state/settings/view';
import { liveView } from '../../state/live-view.svelte';
import { setPage, type Page } from '../../state/page.svelte';
import type { Tag } from '../../state/types';
import { mediaAnswer } from '../../state/test-media';
import TextCard from './TextCard.svelte';
import { textRequestsOf } from './text-requests';

const RUNS = Array.from({ length: 30 }, (_, id) => ({ id, name: `run ${id}` }));
const TAG = { tag: 'answer', kind: 'text', hasRun: () => true } as unknown as Tag;

let end = async (): Promise<void> => undefined;
afterEach(async () => {
  await end();
  vi.restoreAllMocks();
});

/** The card of thirty runs, each with two texts at step 5. Of none of them anything is known until `answer` is called. */
function showCard() {
  let answer = (): void => undefined;
  const gate = new Promise<void>((resolve) => (answer = resolve));
  const page = {
    ...{ dataListeners: new Set(), view: liveView(defaultView()), connection: 'live', announce: vi.fn() },
    client: {
      post: async (_path: string, { queries }: { queries: { runs: number[] }[] }) => {
        await gate;
        const series = queries.flatMap(({ runs }, query) =>
          runs.map((run) => ({ query, run, step: [5, 5], wall: [0, 1], samples: 1, superseded_count: 0 })),
        );
        return mediaAnswer(series);
      },
      get: () => new Promise(() => undefined),
      url: (path: string) => path,
    },
    runs: {
      ...{ serverId: 's', isLoaded: true, visibleIds: RUNS.map(({ id }) => id), shown: RUNS, visible: RUNS },
      byId: new Map(RUNS.map((run) => [run.id, run])),
      shortName: (id: number) => `run ${id}`,
      displayName: (id: number) => `run ${id}`,
      color: () => 'red',
    },
  } as unknown as Page;
  const component = mount(
    (anchor: unknown, props: object) => {
      setPage(page);
      // As what frames a card does.
      wantSteps(page, () => TAG);
      return TextCard(anchor as never, props as never);
    },
    { target: document.body, props: { tag: TAG } },
  );
  end = () => unmount(component);
  return { page, answer };
}

const panels = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-run]')];

test('a text that is asked for comes into sight, also of a run that is not shown yet and not known yet', async () => {
  const scrolled: (string | undefined)[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: HTMLElement) {
    scrolled.push(this.dataset['run']);
  });
  const { page, answer } = showCard();
  textRequestsOf(page).make({ tag: 'answer', run: 25, step: 5, index: 0 });
  flushSync();
  expect([panels().length, scrolled]).toEqual([0, []]);
  answer();
  await vi.waitFor(() => expect(scrolled).toEqual(['25']));
  const panel = panels().find(({ dataset }) => dataset['run'] === '25')!;
  // The first of the two texts of its step.
  const back = panel.querySelector<HTMLButtonElement>('button[aria-label="Previous step"]')!;
  await vi.waitFor(() => expect(back.disabled).toBe(true));
  expect(textRequestsOf(page).current).toBeNull();
});
