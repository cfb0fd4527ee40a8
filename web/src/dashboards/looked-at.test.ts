// All settings of pictures, sounds, texts and tables are words of one view.
import { expect, test } from 'vitest';
import { FILMS, VIEWER } from '../kinds/image/open-pictures';
import { TEXTS } from '../kinds/text/open-comparison';
import type { Setting } from '../state/settings/setting';
import { loadLookedAt } from './looked-at';

const modules = import.meta.glob<Record<string, unknown>>(
  [
    '../kinds/**/{*-settings,*-words,table-choices,tile-size,page-height}.ts',
    '../board/steps/asked-step.ts',
    '../board/shown-kinds.ts',
  ],
  { eager: true },
);

const isLookedAt = await loadLookedAt();

const isSetting = (value: unknown): value is Setting<unknown> =>
  typeof value === 'object' && value !== null && 'word' in value && 'usual' in value;

const exported = new Set(Object.values(modules).flatMap((module) => Object.values(module)));
const settings = [...exported].filter(isSetting);
const words = settings.map(({ word }) => word);

test('no two settings have the same word', () => {
  expect(words).toContain('film.frame');
  expect(words).toContain('tables');
  expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([]);
});

test('what Back restores is what belongs to one look; habits stay', () => {
  const ofLooks = [VIEWER, FILMS, TEXTS].flatMap((full) => [full.slots.word, ...full.words]);
  const elsewhere = [
    'step',
    'linked',
    'kinds',
    'text-search',
    'text-search-case',
    'sound.a',
    'sound.b',
    'histograms.since',
    'pr_curves.threshold',
  ];
  expect(words.filter(isLookedAt).sort()).toEqual([...ofLooks, ...elsewhere].sort());
});

test('the words that are known from the start are those of all settings that say so', () => {
  const declared = settings.filter((setting) => setting.isLookedAt).map(({ word }) => word);
  expect(declared.sort()).toEqual(words.filter(isLookedAt).sort());
});
