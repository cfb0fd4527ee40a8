import { describe, expect, test } from 'vitest';
import { paletteEntries, type PaletteSources } from './palette-entries';

const done: string[] = [];

function sources(changes: Partial<PaletteSources> = {}): PaletteSources {
  return {
    commands: () => [],
    runs: [],
    tags: [],
    showOnly: (id) => done.push(`only ${id}`),
    openTag: (tag) => done.push(`open ${tag}`),
    ...changes,
  };
}

const THEME = { id: 'theme', title: 'Light or dark theme', keys: ['t'], group: 'General', run: () => {} };

describe('the palette', () => {
  test('offers every command before anything is typed, and no runs', () => {
    const entries = paletteEntries('', sources({ commands: () => [THEME], runs: [{ id: 1, name: 'a' }] }));
    expect(entries.map(({ title, keys }) => [title, keys])).toEqual([['Light or dark theme', 't']]);
  });

  test('finds tags and runs by letters that stand apart', () => {
    const entries = paletteEntries(
      'trlo',
      sources({
        tags: [{ tag: 'val/accuracy' }, { tag: 'train/loss' }],
        runs: [
          { id: 7, name: 'transformer-long' },
          { id: 8, name: 'cnn' },
        ],
      }),
    );
    expect(entries.map(({ kind, title }) => `${kind} ${title}`)).toEqual([
      'tag train/loss',
      'run transformer-long',
    ]);
    entries.forEach((entry) => entry.run());
    expect(done).toEqual(['open train/loss', 'only 7']);
  });

  test('puts a tag that fits well before a command that hardly fits', () => {
    const close = { ...THEME, id: 'close', title: 'Close all groups' };
    const entries = paletteEntries(
      'loss',
      sources({ commands: () => [close], tags: [{ tag: 'train/loss' }] }),
    );
    expect(entries.map(({ title }) => title)).toEqual(['train/loss', 'Close all groups']);
  });

  test('puts the name that is just the query before longer ones', () => {
    const entries = paletteEntries('loss', sources({ tags: [{ tag: 'loss/total' }, { tag: 'loss' }] }));
    expect(entries.map(({ title }) => title)).toEqual(['loss', 'loss/total']);
  });

  test('shows a dozen of ten thousand runs', () => {
    const runs = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `sweep/run-${id}` }));
    const entries = paletteEntries('run-99', sources({ runs }));
    expect(entries).toHaveLength(12);
    expect(entries[0]?.title).toBe('sweep/run-99');
  });
});
