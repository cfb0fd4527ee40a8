// What can be done with the card of a tag.
import { askedStep, askForStep } from '../steps/asked-step';
import type { ShownSteps } from '../steps/shown-steps.svelte';
import { indexAtStep } from '../steps/steps';
import { requestTag } from '../tags/tag-requests.svelte';
import type { Page } from '../../state/page.svelte';
import type { CardId } from '../../state/types';
import type { MenuItem } from '../../widgets/menu-item';
import { lastItems } from './card-items';
import type { Board, CardHandle } from '../board.svelte';
import type { CardSpec } from './card-spec';
import { togglePin } from './card-state';

/** For commands. `shown` has the steps that the bar goes through. */
export function handleOf(
  page: Page,
  id: CardId,
  shown: Pick<ShownSteps, 'steps'>,
  toggleFullScreen: () => void,
): CardHandle {
  return {
    id,
    togglePin: () => togglePin(page.view, id),
    toggleFullScreen,
    moveCursor: (by) => moveStep(page, shown.steps, by),
  };
}

function moveStep(page: Page, steps: Float64Array, by: number): void {
  const to = steps[indexAtStep(steps, askedStep(page.view)) + by];
  if (to !== undefined) askForStep(page.view, to);
}

/** Read inside of a derived: it follows where the card stands. */
export function tagItems(board: Board, spec: CardSpec, card: CardHandle): MenuItem[] {
  const { page, arranger } = board;
  const { dashboard } = board.kindOf(spec);
  return [
    {
      label: `Open in ${dashboard.label}`,
      run: () => {
        requestTag(page, spec.tag!);
        page.view.fullScreenCard = null;
        page.view.dashboard = dashboard.name;
      },
    },
    { kind: 'separator' },
    ...(arranger?.items(spec.id) ?? []),
    ...lastItems(page, card),
  ];
}
