// The menu of what can be put beside the films: the same tag in other runs, other samples, another step of a film.
import type { TagSeries } from '../../../state/feeds/tag-series.svelte';
import type { Page } from '../../../state/page.svelte';
import type { MenuItem } from '../../../widgets/menu-item';
import { addressIn } from '../../../board/tiles/addresses';
import type { PictureItem } from '../picture-item';
import { visibleRuns } from '../../../board/tiles/run-order';
import { indexAtStep } from '../../../board/steps/steps';
import { MOST_FILMS } from './film-words';
import type { FilmPane, FilmPlayer } from './player.svelte';

/** A menu of more runs than this is no help. */
const MOST_RUNS = 40;

export interface CompareActions {
  readonly add: (item: PictureItem) => void;
  readonly remove: (pane: FilmPane) => void;
}

export function compareItems(
  page: Page,
  player: FilmPlayer,
  seriesOf: (pane: Pick<FilmPane, 'item'>) => TagSeries | null,
  { add, remove }: CompareActions,
): MenuItem[] {
  const { active, panes } = player;
  if (active === undefined) return [];
  const isFull = panes.length >= MOST_FILMS;
  const { item } = active;
  const shown = (run: number, sample: number): FilmPane | undefined =>
    panes.find((pane) => pane.item.tag === item.tag && pane.item.run === run && pane.item.sample === sample);

  const toggle = (label: string, other: PictureItem | null, pane: FilmPane | undefined): MenuItem => ({
    label,
    isChecked: pane !== undefined,
    isDisabled: pane === undefined ? isFull || other === null : panes.length === 1,
    run: () => {
      if (pane !== undefined) remove(pane);
      else if (other !== null) add(other);
    },
  });
  /** At the step of the active film, or the last one before it. */
  const itemOf = (run: number, sample: number): PictureItem | null => {
    const series = seriesOf({ item: { ...item, run } });
    const index = series === null ? -1 : indexAtStep(series.steps, item.step);
    return series === null || index < 0 ? null : { ...addressIn(series, index), sample };
  };

  const tag = page.tags.find('image', item.tag);
  const runs = visibleRuns(page)
    .filter((run) => tag?.hasRun(run) ?? false)
    .slice(0, MOST_RUNS);
  const items: MenuItem[] = [{ kind: 'heading', label: 'Runs' }];
  for (const run of runs) {
    items.push(toggle(page.runs.shortName(run), itemOf(run, item.sample), shown(run, item.sample)));
  }
  const series = seriesOf(active);
  const samples = Math.min(series?.samples ?? 1, MOST_FILMS);
  if (samples > 1) {
    items.push({ kind: 'heading', label: 'Samples' });
    for (let sample = 0; sample < samples; sample++) {
      items.push(toggle(`Sample ${sample + 1}`, itemOf(item.run, sample), shown(item.run, sample)));
    }
  }
  if (series !== null && series.steps.length > 1) {
    const index = indexAtStep(series.steps, item.step);
    const other = index > 0 ? index - 1 : 1;
    items.push(
      { kind: 'heading', label: 'Steps' },
      {
        label: 'The same film at another step',
        isDisabled: isFull,
        run: () => add({ ...addressIn(series, other), sample: item.sample }),
      },
    );
  }
  return items;
}
