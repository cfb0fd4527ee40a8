// What the keyboard and the command palette can do with charts alone; what all cards have is board/cards/card-commands.ts. The keys
// of a focused chart are the chart engine's; they are listed here for the help sheet, which knows the registry only.
import { listedKeys, type KeyLine } from '../../board/full-view/full-view-keys';
import type { Board } from '../../board/board.svelte';
import type { Command } from '../../state/commands.svelte';
import type { CardModel } from './card-model.svelte';
import type { FigureWish } from './chart-context.svelte';
import { cycleXAxis } from './view-changes';

/** See chart/keys.ts. */
const CHART_KEYS: readonly KeyLine[] = [
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
  readonly board: Board;
  readonly currentChart: () => CardModel | null;
  readonly focusSmoothing: () => void;
  readonly openDownloads: () => void;
  readonly openFigure: (what: FigureWish) => void;
}

export function chartCommands({ board, currentChart, ...targets }: CommandTargets): Command[] {
  const { view } = board.page;
  const always = (id: string, title: string, keys: readonly string[], run: () => void): Command => ({
    id: `scalar.${id}`,
    title,
    keys,
    group: 'Charts',
    isAvailable: () => board.shown.length + board.pinned.length > 0,
    run,
  });
  /** About what a card in full screen hides. */
  const onPage = (...parts: Parameters<typeof always>): Command => {
    const command = always(...parts);
    return { ...command, isAvailable: () => view.fullScreenCard === null && command.isAvailable!() };
  };
  const onChart = (
    id: string,
    title: string,
    keys: readonly string[],
    act: (chart: CardModel) => void,
  ): Command => ({
    ...always(id, title, keys, () => {
      const chart = currentChart();
      if (chart !== null) act(chart);
    }),
    isAvailable: () => currentChart() !== null,
  });

  return [
    onChart('y-scale', 'Linear, log or symlog y axis', ['l'], (chart) => chart.ranges.cycleYScale()),
    onChart('copy-values', 'Copy the values at the cursor', ['c'], (chart) => chart.copyValues()),
    {
      ...onChart('table', 'Table beside the chart in full screen', ['v'], (chart) => chart.toggleTable?.()),
      isAvailable: () => currentChart()?.toggleTable !== undefined,
    },
    {
      ...always('reset-zoom', 'Reset zoom', ['0', 'Esc'], () => {
        const chart = currentChart();
        if (chart === null) view.xRange = null;
        else chart.ranges.reset();
      }),
      isAvailable: () => view.xRange !== null || (currentChart()?.ranges.isZoomed ?? false),
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
    ...listedKeys('scalar', 'Focused chart', CHART_KEYS),
  ];
}
