// The door to the comparison of texts, which is fetched on first use.
import type { TagSeries } from '../../state/feeds/tag-series.svelte';
import type { Page } from '../../state/page.svelte';
import { hostFullView, openFullView, type FullView } from '../../board/full-view/full-view.svelte';
import { askedStep } from '../../board/steps/asked-step';
import { mountOf } from '../../board/full-view/mount-full-view';
import { slotOf } from '../../board/tiles/slot-value';
import { indexAtStep } from '../../board/steps/steps';
import { LEVEL, TEXT_SLOTS } from './compare-words';

export const TEXTS: FullView = {
  place: 'viewer:texts',
  slots: TEXT_SLOTS,
  words: [LEVEL.word],
  name: 'The comparison',
  load: async () => mountOf((await import('./TextCompare.svelte')).default),
};

/** For effects: the comparison is there whenever the view says so. */
export function hostTexts(page: Page): () => void {
  return hostFullView(page, TEXTS);
}

/** Begins with two of these, which have values. */
export function compareTextsOf(page: Page, series: readonly TagSeries[]): void {
  const slots = firstSides(series, askedStep(page.view)).flatMap(
    ({ run, tag, step }) => slotOf(page, { run, tag, step, sample: 0 }) ?? [],
  );
  if (slots.length === 2) openFullView(page, TEXTS, slots);
}

interface Side {
  readonly run: number;
  readonly tag: string;
  readonly step: number;
}

/** Two runs where there are two, at the step that is asked for; else the last two steps. */
export function firstSides(series: readonly TagSeries[], asked: number | null): Side[] {
  const sideAt = ({ run, tag, steps }: TagSeries, by: number): Side => {
    const index = Math.min(Math.max(0, indexAtStep(steps, asked) + by), steps.length - 1);
    return { run, tag, step: steps[index]! };
  };
  const [one, other] = series;
  if (one === undefined) return [];
  if (other !== undefined) return [sideAt(one, 0), sideAt(other, 0)];
  return indexAtStep(one.steps, asked) === 0
    ? [sideAt(one, 0), sideAt(one, 1)]
    : [sideAt(one, -1), sideAt(one, 0)];
}
