// What the menu of a tile offers.
import { seriesFeedOf, type TagSeries } from '../../state/feeds/tag-series.svelte';
import type { MenuItem } from '../../widgets/menu-item';
import { addressIn } from '../../board/tiles/addresses';
import { askForStep } from '../../board/steps/asked-step';
import { visibleRuns } from '../../board/tiles/run-order';
import { stepText } from '../../board/steps/step-text';
import { indexAtStep } from '../../board/steps/steps';
import type { Gallery, Tile } from './gallery.svelte';
import { FILMS, openPictures, VIEWER } from './open-pictures';
import { copyPicture, copyPictureLink, downloadPicture } from './picture-actions';
import type { PictureItem } from './picture-item';

/** More would be a menu to scroll in; all of them can be selected in the grid. */
const MOST_RUNS = 6;

export function tileItems(gallery: Gallery, { series, place }: Tile): MenuItem[] {
  const { page } = gallery;
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
function compareItems(gallery: Gallery, series: TagSeries, item: PictureItem): MenuItem[] {
  const { page } = gallery;
  const compare = (others: readonly PictureItem[]): void => {
    open(gallery, [item, ...others]);
  };
  const at = (index: number): PictureItem => ({ ...addressIn(series, index), sample: item.sample });
  const last = series.steps.length - 1;
  const steps = [
    { label: 'Its first step', index: 0 },
    { label: 'Its last step', index: last },
  ].filter(({ index }) => index !== item.index);
  const items: MenuItem[] = steps.map(({ label, index }) => ({
    label,
    hint: stepText(series.steps[index]!),
    run: () => compare([at(index)]),
  }));
  const others = visibleRuns(page).flatMap((run) => {
    const other = run === series.run ? null : seriesFeedOf(page).series('image', series.tag, run);
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
