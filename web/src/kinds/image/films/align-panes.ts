// Brings the films of the player in line with what the view says is shown.
import type { PictureItem } from '../picture-item';
import type { FilmPane, FilmPlayer } from './player.svelte';

type Panes = Pick<FilmPlayer, 'panes' | 'add' | 'arrange' | 'change' | 'remove'>;

/**
 * One pane, or none, for each item, in their order. A film that is still shown stays as it is; another step, or another run,
 * takes the place of the film that was there `before`.
 *
 * Of the items null is none at all; undefined is not known yet, and what is there stays. In another `generation` the same
 * addresses lead to other films.
 */
export function alignPanes(
  player: Panes,
  before: readonly (FilmPane | null)[],
  items: readonly (PictureItem | null | undefined)[],
  generation: number,
): (FilmPane | null)[] {
  const free = new Set(player.panes);
  const panes: (FilmPane | null)[] = items.map((item) => {
    const same = item ? [...free].find((pane) => isShownBy(pane, item)) : undefined;
    if (same !== undefined) free.delete(same);
    return same ?? null;
  });
  for (const [i, item] of items.entries()) {
    if (panes[i] !== null || item === null) continue;
    const old = before[i] ?? null;
    if (old !== null && free.delete(old)) panes[i] = old;
  }
  for (const pane of free) player.remove(pane);
  for (const [i, item] of items.entries()) {
    if (!item) continue;
    const pane = panes[i] ?? null;
    if (pane === null) panes[i] = player.add(item);
    else if (!isShownBy(pane, item)) player.change(pane, item);
    if (panes[i]) panes[i].generation = generation;
  }
  player.arrange(panes.filter((pane) => pane !== null));
  return panes;

  function isShownBy(pane: FilmPane, item: PictureItem): boolean {
    return pane.generation === generation && isSameFilm(pane.item, item);
  }
}

/** Positions move when a job is restarted, steps stay. */
function isSameFilm(a: PictureItem, b: PictureItem): boolean {
  return a.run === b.run && a.tag === b.tag && a.sample === b.sample && a.step === b.step;
}
