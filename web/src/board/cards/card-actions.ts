// What can be done with a card that is no chart.
import { CARD_KINDS } from '../../kinds/card-kinds';
import { askedStep, askForStep } from '../steps/asked-step';
import type { ShownSteps } from '../steps/shown-steps.svelte';
import { indexAtStep } from '../steps/steps';
import { wishForTag } from '../tags/wished-tag';
import type { MediaKind } from '../../state/media.svelte';
import type { Page } from '../../state/page.svelte';
import type { CardId } from '../../state/types';
import { copyText } from '../../widgets/clipboard';
import type { MenuItem } from '../../widgets/menu-item';
import { cardLink } from './card-link';
import type { CardSpec } from '../../kinds/scalar/card-spec';
import type { CardHandle, ScalarsContext } from '../../kinds/scalar/scalars-context.svelte';
import { togglePin } from './view-changes';

/** For commands: what a chart alone can do does nothing here. `shown` has the steps that the bar goes through. */
export function handleOf(
  page: Page,
  id: CardId,
  shown: Pick<ShownSteps, 'steps'>,
  toggleFullScreen: () => void,
): CardHandle {
  const nothing = (): void => undefined;
  return {
    id,
    isZoomed: false,
    togglePin: () => togglePin(page.view, id),
    toggleFullScreen,
    moveCursor: (by) => moveStep(page, shown.steps, by),
    cycleYScale: nothing,
    reset: nothing,
    copyValues: nothing,
    reader: null,
  };
}

function moveStep(page: Page, steps: Float64Array, by: number): void {
  const to = steps[indexAtStep(steps, askedStep(page.view)) + by];
  if (to !== undefined) askForStep(page.view, to);
}

/** Read inside of a derived: it follows where the card stands. */
export function mediaItems({
  page,
  context,
  spec,
}: {
  readonly page: Page;
  readonly context: Pick<ScalarsContext, 'arranger'>;
  readonly spec: CardSpec;
}): MenuItem[] {
  const tag = spec.media!;
  const { dashboard, dashboardLabel } = CARD_KINDS[tag.kind as MediaKind];
  return [
    {
      label: `Open in ${dashboardLabel}`,
      run: () => {
        wishForTag(page, tag);
        page.view.fullScreenCard = null;
        page.view.dashboard = dashboard;
      },
    },
    { kind: 'separator' },
    ...(context.arranger?.items(spec.id) ?? []),
    {
      label: 'Copy link to this card',
      icon: 'link',
      run: () => void copyLink(page, spec.id),
    },
    { kind: 'separator' },
    {
      label: 'Full screen',
      icon: 'expand',
      hint: 'F',
      run: () => (page.view.fullScreenCard = page.view.fullScreenCard === spec.id ? null : spec.id),
    },
  ];
}

async function copyLink(page: Page, id: CardId): Promise<void> {
  const isCopied = await copyText(cardLink(page.link(), id));
  page.announce(isCopied ? 'Copied the link' : 'The browser did not let us copy');
}
