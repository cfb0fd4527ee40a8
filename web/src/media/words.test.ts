// All settings of pictures, sounds, texts and tables are words of one view.
import { expect, test } from 'vitest';
import type { MediaSetting } from './media-view';

const modules = import.meta.glob<Record<string, unknown>>(
  './**/{*-settings,*-words,media-view,table-choices,tile-size,page-height}.ts',
  { eager: true },
);

const isSetting = (value: unknown): value is MediaSetting<unknown> =>
  typeof value === 'object' && value !== null && 'word' in value && 'usual' in value;

test('no two settings have the same word', () => {
  const settings = new Set(Object.values(modules).flatMap((module) => Object.values(module)));
  const words = [...settings].filter(isSetting).map(({ word }) => word);
  expect(words).toContain('film.frame');
  expect(words).toContain('tables');
  expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([]);
});
