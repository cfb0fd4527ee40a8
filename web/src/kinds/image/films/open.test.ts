import { expect, it, vi } from 'vitest';
import type { Page } from '../../../state/page.svelte';
import { openFullView } from '../../../board/full-view/full-view.svelte';
import { openFilms } from './open';

vi.mock('../../../board/full-view/full-view.svelte');
vi.mock('../../../board/tiles/slot-value', () => ({ slotOf: (_page: unknown, item: unknown) => item }));

it.each([
  [9, []],
  [1200, [['The first 9 of 1,200 films are compared']]],
])('of %i films nine are opened, and it is said which', (count, said) => {
  const page = { announce: vi.fn() };
  const items = Array.from({ length: count }, (_, run) => ({
    run,
    tag: 'film',
    index: 0,
    step: 0,
    sample: 0,
  }));
  openFilms(page as unknown as Page, items);
  expect(vi.mocked(openFullView).mock.lastCall?.[2]).toEqual(items.slice(0, 9));
  expect(page.announce.mock.calls).toEqual(said);
});
