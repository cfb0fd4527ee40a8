// What the keyboard and the command palette can do here. Commands about one card act on the card that has the focus, or
// else on the one under the pointer; they are not available when there is neither.
import type { Command } from '../../state/commands.svelte';
import type { ViewState } from '../../state/types';
import type { CardHandle } from './scalars-context.svelte';
import { cycleXAxis } from './view-changes';

const CARD = 'Charts';

export interface CommandTargets {
  readonly view: ViewState;
  currentCard(): CardHandle | null;
  /** Focuses the next (1) or previous (−1) card. */
  moveFocus(by: 1 | -1): void;
  hasCards(): boolean;
  focusSmoothing(): void;
  openDownloads(): void;
  toggleSettings(): void;
  setAllGroupsOpen(isOpen: boolean): void;
}

export function scalarCommands(targets: CommandTargets): Command[] {
  const { view } = targets;
  const onCard = (
    id: string,
    title: string,
    keys: readonly string[],
    act: (card: CardHandle) => void,
  ): Command => ({
    id: `scalars.${id}`,
    title,
    keys,
    group: CARD,
    isAvailable: () => targets.currentCard() !== null,
    run: () => {
      const card = targets.currentCard();
      if (card !== null) act(card);
    },
  });
  const always = (id: string, title: string, keys: readonly string[], run: () => void): Command => ({
    id: `scalars.${id}`,
    title,
    keys,
    group: CARD,
    isAvailable: () => targets.hasCards(),
    run,
  });

  return [
    always('next-card', 'Next chart', ['j'], () => targets.moveFocus(1)),
    always('previous-card', 'Previous chart', ['k'], () => targets.moveFocus(-1)),
    onCard('full-screen', 'Full screen', ['f'], (card) => card.toggleFullScreen()),
    onCard('pin', 'Pin or unpin the chart', ['p'], (card) => card.togglePin()),
    onCard('y-scale', 'Linear, log or symlog y axis', ['l'], (card) => card.cycleYScale()),
    onCard('next-point', 'Next point', ['.'], (card) => card.moveCursor(1)),
    onCard('previous-point', 'Previous point', [','], (card) => card.moveCursor(-1)),
    onCard('copy-values', 'Copy the values at the cursor', ['c'], (card) => card.copyValues()),
    {
      id: 'scalars.reset-zoom',
      title: 'Reset zoom',
      keys: ['0', 'Esc'],
      group: CARD,
      isAvailable: () => view.xRange !== null || (targets.currentCard()?.isZoomed ?? false),
      run: () => {
        const card = targets.currentCard();
        if (card === null) view.xRange = null;
        else card.reset();
      },
    },
    always('x-axis', 'Step, relative or wall time axis', ['x'], () => cycleXAxis(view)),
    always('smoothing', 'Change the smoothing', ['s'], () => targets.focusSmoothing()),
    always('outliers', 'Ignore outliers on or off', [], () => (view.ignoreOutliers = !view.ignoreOutliers)),
    always('download', 'Download data…', [], () => targets.openDownloads()),
    always('settings', 'Chart settings', [], () => targets.toggleSettings()),
    always('open-groups', 'Open all groups', [], () => targets.setAllGroupsOpen(true)),
    always('close-groups', 'Close all groups', [], () => targets.setAllGroupsOpen(false)),
  ];
}
