// How curves are shown. Each setting is a word of the view, which links and saved views carry.
import {
  choiceSetting,
  flagSetting,
  lookedAt,
  numberIn,
  optionalSetting,
  resetSettings,
  settingOf,
  type WithKindWords,
} from '../../state/settings/setting';

export const SHAPES = { pr: 'Precision-recall', roc: 'ROC' } as const;
export type Shape = keyof typeof SHAPES;
export const SHAPE = choiceSetting<Shape>('pr_curves.shape', 'pr', ['pr', 'roc']);

/** Older steps stand behind the one that is shown. */
export const IS_FAN = flagSetting('pr_curves.fan', false);

/** At which all plots show what was counted; null: where the pointer is. */
export const PINNED = lookedAt(
  optionalSetting(
    'pr_curves.threshold',
    (text) => numberIn(text, 0, 1),
    (threshold) => String(Number(threshold.toFixed(6))),
  ),
);

export function isPinned(view: WithKindWords, threshold: number): boolean {
  return PINNED.write(settingOf(view, PINNED)) === PINNED.write(threshold);
}

export function resetPrCurveSettings(view: WithKindWords): void {
  resetSettings(view, [SHAPE, IS_FAN, PINNED]);
}
