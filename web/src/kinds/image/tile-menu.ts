// What the menu of a tile offers.
import { mediaOf, type MediaSeries } from '../../state/media.svelte';
import type { MenuItem } from '../../widgets/menu-item';
import { addressIn } from '../../board/tiles/addresses';
import { FILMS } from './films/open';
import { askForStep } from '../../board/steps/asked-step';
import { visibleRuns } from '../../board/tiles/run-order';
import { stepText } from '../../board/steps/step-text';
import { indexAtStep } from '../../board/steps/steps';
import type { Gallery, Tile } from './gallery.svelte';
import { openPictures } from './open-pictures';
import { copyPicture, copyPictureLink, downloadPicture } from './picture-actions';
import type { PictureItem } from './picture-item';
import { VIEWER } from './viewer/open';

/** More would be a menu to scroll in; all of them can be selected in the grid. */
const MOST_RUNS = 6;

export function tileItems(gallery: Gallery, { series, sample }: Tile): MenuItem[] {
  const { page } = gallery;
  const place = { run: series.run, tag: series.tag, sample };
  const item = gallery.itemAt(place);
  if (item === undefined) return [];
  const isChosen = gallery.selection.has(place);
  return [
    { label: 'Open', icon: 'expand', hint: 'Enter', run: () => open(gallery, [item]) },
    {
      label: isChosen ? 'Deselect' : 'Select',
      icon: 'check',
      hint: 'x',
      run: () => gallery.selection.toggle(place),
    },
    ...compareItems(gallery, series, item),
    { kind: 'separator' },
    {
      label: `Step ${stepText(item.step)} everywhere`,
      icon: 'columns',
      run: () => askForStep(page.view, item.step),
    },
    { kind: 'separator' },
    { label: 'Download', icon: 'download', run: () => downloadPicture(page, item) },
    { label: 'Copy picture', icon: 'copy', run: () => void copyPicture(page, item) },
    { label: 'Copy link', icon: 'link', run: () => void copyLink(gallery, item) },
  ];
}

function copyLink(gallery: Gallery, item: PictureItem): Promise<void> {
  return copyPictureLink(gallery.page, item, gallery.areFilms([item]) ? FILMS : VIEWER);
}

function open(gallery: Gallery, items: readonly PictureItem[]): void {
  openPictures(gallery.page, items, gallery.areFilms(items));
}

/** With other steps of the same picture, and with the same picture of other runs at this step. */
function compareItems(gallery: Gallery, series: MediaSeries, item: PictureItem): MenuItem[] {
  const { page } = gallery;
  const compare = (others: readonly PictureItem[]): void => {
    open(gallery, [item, ...others]);
  };
  const at = (index: number): PictureItem => ({ ...addressIn(series, index), sample: item.sample });
  const items: MenuItem[] = [];
  if (item.index > 0) {
    items.push({ label: 'Its first step', hint: stepText(series.steps[0]!), run: () => compare([at(0)]) });
  }
  if (item.index > 1) {
    const before = item.index - 1;
    const hint = stepText(series.steps[before]!);
    items.push({ label: 'The step before', hint, run: () => compare([at(before)]) });
  }
  if (item.index < series.steps.length - 1) {
    const last = series.steps.length - 1;
    items.push({
      label: 'Its last step',
      hint: stepText(series.steps[last]!),
      run: () => compare([at(last)]),
    });
  }
  const others = visibleRuns(page).flatMap((run) => {
    const other = run === series.run ? null : mediaOf(page).series('image', series.tag, run);
    if (!other || other.steps.length === 0 || gallery.samplesOf(other) <= item.sample) return [];
    return { ...addressIn(other, indexAtStep(other.steps, item.step)), sample: item.sample };
  });
  for (const other of others.slice(0, MOST_RUNS)) {
    items.push({ label: page.runs.shortName(other.run), run: () => compare([other]) });
  }
  if (others.length > 1) {
    items.push({ label: `All ${others.length + 1} runs`, run: () => compare(others) });
  }
  return items.length === 0
    ? []
    : [{ kind: 'separator' }, { kind: 'heading', label: 'Compare with' }, ...items];
}
