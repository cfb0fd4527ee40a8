// How pictures, sounds and texts are shown, as typed values over the words in view.media (which links and saved views carry).
// A word that makes no sense is the usual value; a usual value is no word.
import type { ViewState } from '../state/types';
import { asksOf } from './steps/step-asks.svelte';

type WithMedia = Pick<ViewState, 'media'>;
type WithSteps = Pick<ViewState, 'media' | 'selected' | 'xAxis'>;

/** One setting: its word, its usual value, and how text becomes a value (undefined: makes no sense). */
export interface MediaSetting<T> {
  readonly word: string;
  readonly usual: T;
  readonly read: (text: string) => T | undefined;
  readonly write: (value: T) => string;
}

export function numberSetting(
  word: string,
  usual: number,
  least: number,
  greatest: number,
): MediaSetting<number> {
  return {
    word,
    usual,
    read: (text) => {
      const value = Number(text);
      return text.trim() !== '' && value >= least && value <= greatest ? value : undefined;
    },
    write: String,
  };
}

export function flagSetting(word: string, usual: boolean): MediaSetting<boolean> {
  return {
    word,
    usual,
    read: (text) => (text === '1' ? true : text === '0' ? false : undefined),
    write: (value) => (value ? '1' : '0'),
  };
}

export function choiceSetting<T extends string>(
  word: string,
  usual: T,
  choices: readonly T[],
): MediaSetting<T> {
  return { word, usual, read: (text) => choices.find((one) => one === text), write: (value) => value };
}

export function textSetting(word: string): MediaSetting<string> {
  return { word, usual: '', read: (text) => text, write: (value) => value };
}

export function settingOf<T>(view: WithMedia, { word, usual, read }: MediaSetting<T>): T {
  const text = view.media[word];
  return (text === undefined ? undefined : read(text)) ?? usual;
}

export function setSetting<T>(view: WithMedia, { word, usual, write }: MediaSetting<T>, value: T): void {
  const { [word]: _, ...others } = view.media;
  view.media = value === usual ? others : { ...others, [word]: write(value) };
}

/** Back to what is usual; all others stay. */
export function resetSettings(view: WithMedia, settings: readonly { readonly word: string }[]): void {
  const words = new Set(settings.map(({ word }) => word));
  view.media = Object.fromEntries(Object.entries(view.media).filter(([word]) => !words.has(word)));
}

/** The step of the one bar for everything; null: the last of each series. */
export const STEP: MediaSetting<number | null> = {
  word: 'step',
  usual: null,
  read: (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined),
  write: String,
};

/** The bar follows the step selector of the charts, and moves it. */
export const IS_LINKED = flagSetting('linked', false);

/** Over times and metrics the selector has no step. */
function followsCharts(view: WithSteps): boolean {
  return settingOf(view, IS_LINKED) && view.xAxis === 'step';
}

/** The step that all are asked to show; null: the last of each. */
export function askedStep(view: WithSteps): number | null {
  if (followsCharts(view) && view.selected !== null) return view.selected.from;
  return settingOf(view, STEP);
}

/** Another text whenever all are asked for a step, be it the same one: what was chosen on one tile counts no longer. */
export function askOf(view: WithSteps): string {
  return `${asksOf(view).count} ${askedStep(view)}`;
}

/** Moves the bar, and with it the charts' selector where the two are linked. */
export function askForStep(view: WithSteps, step: number | null): void {
  asksOf(view).add();
  setSetting(view, STEP, step);
  if (followsCharts(view))
    view.selected = step === null ? null : { from: step, to: view.selected?.to ?? null };
}

/**
 * Ties the bar to the charts' selector, or lets it go. What was shown stays when they part; when they come together the selector
 * is where it is, if it is anywhere, and otherwise comes to where the bar is.
 */
export function linkSteps(view: WithSteps, isLinked: boolean): void {
  const before = askedStep(view);
  setSetting(view, IS_LINKED, isLinked);
  if (!isLinked || view.selected === null) askForStep(view, before);
}
