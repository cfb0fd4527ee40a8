// What the keyboard and the command palette can do here. Commands about one card act on the card that has the focus, or
// else on the one that had it last or is under the pointer; they are not available when there is none. The keys of a
// focused chart are the chart engine's; they are listed here for the help sheet, which knows the registry only.
import type { Command } from '../../state/commands.svelte';
import type { ViewState } from '../../state/types';
import type { CardHandle, FigureWish } from '../../kinds/scalar/scalars-context.svelte';
import { cycleXAxis } from '../../board/cards/view-changes';

const CARD = 'Charts';

/** See chart/keys.ts. */
const CHART_KEYS: readonly (readonly [title: string, ...keys: string[]])[] = [
  ['From point to point', '←', '→'],
  ['Ten points at once', 'Shift+←', 'Shift+→'],
  ['To the line above or below', '↑', '↓'],
  ['To the edges of the view', 'Home', 'End'],
  ['Zoom in or out', '+', '-'],
  ['Move the selected step', '[', ']'],
  ['Move the end of the selected range', '{', '}'],
  ['Choose the point, or open its note', 'Enter'],
];

export interface CommandTargets {
  readonly view: ViewState;
  currentCard(): CardHandle | null;
  /** Focuses the next (1) or previous (−1) card. */
  moveFocus(by: 1 | -1): void;
  hasCards(): boolean;
  focusSmoothing(): void;
  openDownloads(): void;
  openFigure(what: FigureWish): void;
  toggleSettings(): void;
  setAllGroupsOpen(isOpen: boolean): void;
  newSection(): void;
  /** Whether the current card stands in an order that people made. */
  canMoveCard(): boolean;
  /** Earlier (−1) or later (1). */
  moveCard(by: 1 | -1): void;
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
  /** What only lines can do. */
  const onChart = (...parts: Parameters<typeof onCard>): Command => ({
    ...onCard(...parts),
    isAvailable: () => (targets.currentCard()?.reader ?? null) !== null,
  });
  const always = (id: string, title: string, keys: readonly string[], run: () => void): Command => ({
    id: `scalars.${id}`,
    title,
    keys,
    group: CARD,
    isAvailable: () => targets.hasCards(),
    run,
  });
  /** About what a card in full screen hides. */
  const onPage = (...parts: Parameters<typeof always>): Command => ({
    ...always(...parts),
    isAvailable: () => targets.hasCards() && view.fullScreenCard === null,
  });

  return [
    onPage('next-card', 'Next chart', ['j'], () => targets.moveFocus(1)),
    onPage('previous-card', 'Previous chart', ['k'], () => targets.moveFocus(-1)),
    onCard('full-screen', 'Full screen', ['f'], (card) => card.toggleFullScreen()),
    onCard('pin', 'Pin or unpin the chart', ['p'], (card) => card.togglePin()),
    onChart('y-scale', 'Linear, log or symlog y axis', ['l'], (card) => card.cycleYScale()),
    onCard('next-point', 'Next point or step', ['.'], (card) => card.moveCursor(1)),
    onCard('previous-point', 'Previous point or step', [','], (card) => card.moveCursor(-1)),
    onChart('copy-values', 'Copy the values at the cursor', ['c'], (card) => card.copyValues()),
    {
      ...onCard('table', 'Table beside the chart in full screen', ['v'], (card) => card.toggleTable?.()),
      isAvailable: () => targets.currentCard()?.toggleTable !== undefined,
    },
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
    always('x-axis', 'Another x axis: step, relative, wall or active time, metric', ['x'], () =>
      cycleXAxis(view),
    ),
    onPage('smoothing', 'Change the smoothing', ['s'], () => targets.focusSmoothing()),
    always('outliers', 'Ignore outliers on or off', [], () => (view.ignoreOutliers = !view.ignoreOutliers)),
    onPage('download', 'Download data…', [], () => targets.openDownloads()),
    onChart('figure', 'Save the chart as a figure…', ['i'], ({ id }) => targets.openFigure({ card: id })),
    onPage('figures', 'Charts as figures…', [], () => targets.openFigure('all')),
    onPage('value-table', 'Table of values…', [], () => targets.openFigure('table')),
    onPage('settings', 'Chart settings', [], () => targets.toggleSettings()),
    onPage('open-groups', 'Open all groups', [], () => targets.setAllGroupsOpen(true)),
    onPage('close-groups', 'Close all groups', [], () => targets.setAllGroupsOpen(false)),
    onPage('new-section', 'New section…', [], () => targets.newSection()),
    {
      ...onPage('move-earlier', 'Move the chart earlier', ['Alt+Up'], () => targets.moveCard(-1)),
      isAvailable: () => view.fullScreenCard === null && targets.canMoveCard(),
    },
    {
      ...onPage('move-later', 'Move the chart later', ['Alt+Down'], () => targets.moveCard(1)),
      isAvailable: () => view.fullScreenCard === null && targets.canMoveCard(),
    },
    ...CHART_KEYS.map(([title, ...keys]): Command => ({
      id: `scalars.chart.${keys[0]}`,
      title,
      keys,
      group: 'Focused chart',
      isAvailable: () => false,
      run: () => {},
    })),
  ];
}
