// All settings of pictures, sounds, texts and tables are words of one view.
import { expect, test } from 'vitest';
import { isLookedAt } from '../state/what-was-shown';
import { FILMS, VIEWER } from './image/open-pictures';
import type { MediaSetting } from '../board/media-view';
import { TEXTS } from './text/open-comparison';

const modules = import.meta.glob<Record<string, unknown>>(
  ['./**/{*-settings,*-words,table-choices,tile-size,page-height}.ts', '../board/media-view.ts'],
  { eager: true },
);

const isSetting = (value: unknown): value is MediaSetting<unknown> =>
  typeof value === 'object' && value !== null && 'word' in value && 'usual' in value;

const settings = new Set(Object.values(modules).flatMap((module) => Object.values(module)));
const words = [...settings].filter(isSetting).map(({ word }) => word);

test('no two settings have the same word', () => {
  expect(words).toContain('film.frame');
  expect(words).toContain('tables');
  expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([]);
});

test('what Back restores is what belongs to one look; habits stay', () => {
  const ofLooks = [VIEWER, FILMS, TEXTS].flatMap((full) => [full.slots.word, ...full.words]);
  const elsewhere = ['step', 'linked', 'text-search', 'text-search-case'];
  expect(words.filter(isLookedAt).sort()).toEqual([...ofLooks, ...elsewhere].sort());
  expect(['kinds', 'sound.a', 'sound.b'].filter((word) => !isLookedAt(word))).toEqual([]);
});
