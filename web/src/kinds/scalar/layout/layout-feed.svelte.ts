// The layouts of charts that programs have logged, put together by the server. One per page; asked for while somebody shows it,
// and again when a run logs another or appears.
import { Feed } from '../../../state/feeds/feed';
import { onePerPage } from '../../../state/one-per-page.svelte';
import type { Page } from '../../../state/page.svelte';
import type { DataChange } from '../../../state/types';
import type { LayoutAnswer } from '../../../wire/generated';

export const LAYOUT_KIND = 'custom_scalars';
const REFRESH_MS = 1000;

export class LayoutFeed {
  readonly #feed: Feed<'layout', LayoutAnswer>;
  /** null: not known yet. */
  answer = $state.raw<LayoutAnswer | null>(null);
  /** Why there is none, or none that is newer. */
  error = $state<string | null>(null);

  constructor(page: Page) {
    this.#feed = new Feed({
      serverId: () => page.runs.serverId,
      refreshMs: REFRESH_MS,
      ask: async (_all, signal) => {
        const answer = await page.client.get('custom_scalars/layout', signal);
        const layout = (await answer.json()) as LayoutAnswer;
        return { serverId: layout.server_id, values: new Map([['layout', layout]]) };
      },
      take: (_all, layout) => {
        this.error = null;
        // What came out the same is not drawn anew.
        if (JSON.stringify(layout) !== JSON.stringify(this.answer)) this.answer = layout ?? null;
      },
      fail: (_all, { message }) => (this.error = message),
    });
    page.dataListeners.add((change: DataChange | null) => {
      if (change === null) this.#feed.restart();
      else if (
        change.tags === null ||
        page.tags.ofKind(LAYOUT_KIND).some(({ tag }) => change.tags!.includes(tag))
      )
        this.#feed.outdate();
    });
  }

  /** Keeps it known and fresh until the returned function is called. For effects. */
  want(): () => void {
    return this.#feed.want(['layout']);
  }

  retry(): void {
    this.#feed.retry();
  }
}

export const layoutFeedOf = onePerPage((page) => new LayoutFeed(page));
