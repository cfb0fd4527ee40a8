// What a setting is: the word by which links and saved views name it, its usual value, and how text becomes a value and back.
// All that carries settings follows from their declarations: links (link.ts), saved views (view-file.ts), the live view,
// what Back restores, what a browser remembers, and what the reset button takes back.
//
// Settings of the page have words of their own in a link (view.ts lists them). Those of kinds share one word, because their
// code comes late: the view keeps their texts (`kindWords`), and a text gets its meaning where it is used.
import { decodeText, encodeText, itemsOf, joinItems, type Pair } from './link-text';

/** A value under one word. */
export interface Setting<T> {
  readonly word: string;
  readonly usual: T;
  /** undefined: the text makes no sense, and the value stays as usual. */
  readonly read: (text: string) => T | undefined;
  readonly write: (value: T) => string;
  /** Says what is looked at (a step, a search, what was opened), which Back restores. Others are habits, and stay. */
  readonly isLookedAt?: boolean;
}

export function numberIn(text: string, least: number, most: number, isWhole = false): number | undefined {
  if (text.trim() === '') return undefined;
  const number = Number(text);
  if (!Number.isFinite(number) || number < least || number > most) return undefined;
  return isWhole && !Number.isInteger(number) ? undefined : number;
}

export function oneOf<T>(values: readonly T[], value: unknown): T | undefined {
  return values.find((one) => one === value);
}

export function numberSetting(word: string, usual: number, least: number, most: number): Setting<number> {
  return { word, usual, read: (text) => numberIn(text, least, most), write: String };
}

export function flagSetting(word: string, usual: boolean, [on, off] = ['1', '0']): Setting<boolean> {
  return {
    word,
    usual,
    read: (text) => (text === on ? true : text === off ? false : undefined),
    write: (value) => (value ? on : off),
  };
}

export function choiceSetting<T extends string>(word: string, usual: T, choices: readonly T[]): Setting<T> {
  return { word, usual, read: (text) => oneOf(choices, text), write: (value) => value };
}

export function textSetting(word: string): Setting<string> {
  return { word, usual: '', read: (text) => text, write: (value) => value };
}

/** null: nothing, which is usual and no text. */
export function optionalSetting<T>(
  word: string,
  read: (text: string) => T | undefined,
  write: (value: T) => string = String,
): Setting<T | null> {
  return { word, usual: null, read, write: (value) => (value === null ? '' : write(value)) };
}

export function lookedAt<T>(setting: Setting<T>): Setting<T> {
  return { ...setting, isLookedAt: true };
}

/** Those of a module's settings that say what is looked at. */
export function lookedAtIn(module: object): LookedAt[] {
  return Object.values(module as Record<string, unknown>).filter(
    (one): one is LookedAt => (one as Partial<LookedAt> | null)?.isLookedAt === true,
  );
}

type LookedAt = Pick<Setting<unknown>, 'word' | 'isLookedAt'>;

/** Texts of kinds' settings, by word. What is as usual is not in it. */
export type KindWords = Readonly<Record<string, string>>;
export interface WithKindWords {
  kindWords: KindWords;
}

export function settingOf<T>(view: WithKindWords, { word, usual, read }: Setting<T>): T {
  const text = view.kindWords[word];
  return (text === undefined ? undefined : read(text)) ?? usual;
}

export function setSetting<T>(view: WithKindWords, { word, usual, write }: Setting<T>, value: T): void {
  const { [word]: _, ...others } = view.kindWords;
  view.kindWords = value === usual ? others : { ...others, [word]: write(value) };
}

/** Back to what is usual; all others stay. */
export function resetSettings(view: WithKindWords, settings: readonly { readonly word: string }[]): void {
  const words = new Set(settings.map(({ word }) => word));
  view.kindWords = withoutWords(view.kindWords, (word) => words.has(word));
}

export function withoutWords(kindWords: KindWords, isUnwanted: (word: string) => boolean): KindWords {
  return Object.fromEntries(Object.entries(kindWords).filter(([word]) => !isUnwanted(word)));
}

/** What could be read, and how many things were left out. */
export interface Parts<T> {
  readonly parts: readonly T[];
  readonly leftOut: number;
}

/** A place of its own in the file of a saved view, where people can read it. */
export interface PlaceInFile<T> {
  readonly key: string;
  /** For messages: "the sections". */
  readonly name: string;
  read(raw: unknown): Parts<T>;
  write(part: T): unknown;
}

export interface Traits {
  /** What is looked at, which Back restores. */
  readonly isLookedAt?: boolean;
  /** Means nothing on another x axis. */
  readonly isOfAxis?: boolean;
  /** The next visit of this browser begins with it. */
  readonly isHabit?: boolean;
  /** Belongs to the settings of charts, and is as usual again after their reset. */
  readonly isOfCharts?: boolean;
  /** No part of an arrangement that is saved. */
  readonly isLeftOutOfFiles?: boolean;
}

/** A field of the view, and the words of a link that say it. `Others`: fields that are written together with it. */
export interface ViewSetting<T, Others = object> extends Traits {
  readonly words: readonly string[];
  readonly usual: T;
  readonly inFile?: PlaceInFile<unknown>;
  /** `pairs` are those with its words, one or more. undefined: they make no sense. */
  read(pairs: readonly Pair[]): T | undefined;
  /** Nothing where it is as usual, unless it is for others and every browser has its own habit. */
  write(value: T, others: Others, isForOthers: boolean): readonly Pair[];
}

/** Under a word of its own; of several texts the last that makes sense counts. */
export function ownWord<T>({ word, usual, read, write }: Setting<T>, traits: Traits = {}): ViewSetting<T> {
  return {
    ...traits,
    words: [word],
    usual,
    read: (pairs) => pairs.map(({ text }) => read(decodeText(text))).findLast((value) => value !== undefined),
    write: (value) => {
      const text = write(value);
      return text === write(usual) ? [] : [{ word, text: encodeText(text) }];
    },
  };
}

/** A list under a word of its own. */
export interface ListSetting<T> extends Traits {
  readonly word: string;
  readonly usual: T;
  readonly read: (items: readonly string[]) => T | undefined;
  readonly write: (value: T) => readonly string[];
  /** Said to others also when it is empty. */
  readonly isSaidToOthers?: boolean;
}

export function ownList<T>({ word, read, write, isSaidToOthers, ...others }: ListSetting<T>): ViewSetting<T> {
  return {
    ...others,
    words: [word],
    read: (pairs) => pairs.map(({ text }) => read(itemsOf(text))).findLast((value) => value !== undefined),
    write: (value, _, isForOthers) => sayList(word, write(value), isSaidToOthers && isForOthers),
  };
}

export function sayList(word: string, items: readonly string[], isAlways = false): Pair[] {
  return items.length > 0 || isAlways ? [{ word, text: joinItems(items) }] : [];
}
