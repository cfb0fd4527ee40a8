// How histograms are shown. Each setting is a word of the view, which links and saved views carry.
import {
  choiceSetting,
  flagSetting,
  lookedAt,
  numberIn,
  optionalSetting,
  resetSettings,
  type WithKindWords,
} from '../../state/settings/setting';

/** ridge: one behind the other. overlay: over each other. heat: a map over the steps. runs: all runs at one step. */
export const MODES = { ridge: 'Offset', overlay: 'Overlay', heat: 'Heat map', runs: 'Runs' } as const;
export type Mode = keyof typeof MODES;
export const MODE = choiceSetting<Mode>('histograms.mode', 'ridge', ['ridge', 'overlay', 'heat', 'runs']);

export const VALUE_AXES = { linear: 'Linear', symlog: 'Symlog' } as const;
export type AxisKind = keyof typeof VALUE_AXES;
export const VALUE_AXIS = choiceSetting<AxisKind>('histograms.axis', 'linear', ['linear', 'symlog']);

export const COUNT_SCALES = { linear: 'Linear', log: 'Log' } as const;
export type CountScale = keyof typeof COUNT_SCALES;
export const COUNT_SCALE = choiceSetting<CountScale>('histograms.counts', 'linear', ['linear', 'log']);

/** cards: large, by tag. overview: all of them, small. */
export const LAYOUT = choiceSetting<'cards' | 'overview'>('histograms.layout', 'cards', ['cards', 'overview']);

export const ORDERS = {
  name: 'Name',
  change: 'What changed most',
  narrow: 'Smallest spread first',
  wide: 'Largest spread first',
  zeros: 'Most zeros first',
} as const;
export type Order = keyof typeof ORDERS;
export const ORDER = choiceSetting<Order>('histograms.order', 'name', Object.keys(ORDERS) as Order[]);

/** The maps of the overview whose tags have one prefix show the same stretch of values. */
export const HAS_SAME_AXIS = flagSetting('histograms.same', false);

/** What the overview compares the bar's step with; null: the first one. */
export const SINCE = lookedAt(
  optionalSetting('histograms.since', (text) => numberIn(text, -(2 ** 53), 2 ** 53, true)),
);

export function resetHistogramSettings(view: WithKindWords): void {
  resetSettings(view, [MODE, VALUE_AXIS, COUNT_SCALE, LAYOUT, ORDER, HAS_SAME_AXIS, SINCE]);
}
