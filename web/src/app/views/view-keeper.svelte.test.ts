// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BrowserStorage } from '../../state/browser-storage';
import { defaultView } from '../../state/settings/view';
import { liveView } from '../../state/live-view.svelte';
import type { Page } from '../../state/page.svelte';
import { UrlSync } from '../../state/url-sync.svelte';
import type { SavedView } from '../../wire/client';
import { ViewKeeper } from './view-keeper.svelte';

/** As much of a page as views touch: the real view and address, a server that answers when it is told to. */
class FakePage {
  readonly view = liveView(defaultView());
  readonly address = new UrlSync(this.view, {
    window,
    storage: new BrowserStorage(),
    announce: () => undefined,
  });
  readonly workspace = $state({ state: null as { default_view: string | null } | null, views: [] });
  readonly announce = vi.fn();
  answer: (saved: SavedView) => void = () => undefined;
  readonly client = {
    savedView: () => new Promise<SavedView>((resolve) => (this.answer = resolve)),
  };
}

let page: FakePage;
let end: () => void;

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '#');
  page = new FakePage();
  const keeper = new ViewKeeper(page as unknown as Page);
  end = $effect.root(() => keeper.watch());
  flushSync();
});

afterEach(() => {
  end();
  page.address.destroy();
});

const paper = { name: 'paper', revision: '1', view: { words: { smoothing: '0.9' } } } as unknown as SavedView;

async function arrives(): Promise<void> {
  page.answer(paper);
  await vi.waitFor(() => expect(page.address.wanted).toBeNull());
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  flushSync();
}

test('the log’s default view is opened where nobody asked for anything', async () => {
  page.workspace.state = { default_view: 'paper' };
  flushSync();
  await arrives();
  expect(page.address.named?.name).toBe('paper');
  expect(page.view.smoothing.amount).toBe(0.9);
});

test('what somebody does before it is there is not lost to it', async () => {
  page.workspace.state = { default_view: 'paper' };
  flushSync();
  page.view.runFilter = 'base';
  flushSync();
  await arrives();
  expect(page.view.runFilter).toBe('base');
  expect(page.address.named).toBeNull();
});
