import { expect, it, vi } from 'vitest';
import type { Page } from '../../state/page.svelte';
import { openFullView } from '../../board/full-view/full-view.svelte';
import { FILMS, openPictures, VIEWER } from './open-pictures';

vi.mock('../../board/full-view/full-view.svelte');
vi.mock('../../board/tiles/slot-value', () => ({ slotOf: (_page: unknown, item: unknown) => item }));

it.each([
  [9, true, 9, []],
  [1200, true, 9, [['The first 9 of 1,200 films are compared']]],
  [17, false, 16, [['The first 16 of 17 pictures are compared']]],
])('of %i pictures (films: %s) %i are opened, and it is said which', (count, areFilms, most, said) => {
  const page = { announce: vi.fn() };
  const items = Array.from({ length: count }, (_, run) => ({ run, tag: 't', index: 0, step: 0, sample: 0 }));
  openPictures(page as unknown as Page, items, areFilms);
  const [, full, slots] = vi.mocked(openFullView).mock.lastCall!;
  expect([full, slots]).toEqual([areFilms ? FILMS : VIEWER, items.slice(0, most)]);
  expect(page.announce.mock.calls).toEqual(said);
});
