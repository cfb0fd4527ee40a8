// The small pure parts of the frame: what is said about reading, damage, tokens and keys.
import { describe, expect, test } from 'vitest';
import { byRun, troubleCount } from './damage-summary';
import { NO_FILES } from './fake-page.svelte';
import { helpGroups } from './help-groups';
import { readFraction, readingText } from './reading-progress';
import { tokenUrl } from './token-url';

describe('reading progress', () => {
  const half = { files_done: 9, files_total: 10, bytes_done: 500, bytes_total: 1000, is_done: false };

  test('goes by bytes, and by files while sizes are not known', () => {
    expect(readFraction(half)).toBe(0.5);
    expect(readFraction({ ...half, bytes_total: 0 })).toBe(0.9);
    expect(readFraction({ ...NO_FILES, is_done: false })).toBe(0);
  });

  test('never passes the end, although files grow while they are read', () => {
    expect(readFraction({ ...half, bytes_done: 1200 })).toBe(1);
  });

  test('is told in files and bytes', () => {
    expect(readingText(half)).toBe('Reading: 9 of 10 files, 500 B of 1.0 kB');
  });
});

describe('damage', () => {
  test('is counted from the newer of report and run table', () => {
    expect(troubleCount(null, 3, null)).toBe(3);
    expect(troubleCount({ damage: [], damage_count: 5, warnings: ['a'] }, 3, null)).toBe(6);
  });

  test('is listed by run', () => {
    const entry = { run: 'a', file: 'f', offset: 0, length: 1, text: 't' };
    expect(
      byRun([entry, { ...entry, run: 'b' }, entry]).map(({ run, entries }) => [run, entries.length]),
    ).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
  });
});

test('a token is handed over without losing the view', () => {
  expect(tokenUrl('http://h/p/?a=1#scalars&smoothing=0.8', ' x&y ')).toBe(
    'http://h/p/?a=1&token=x%26y#scalars&smoothing=0.8',
  );
});

test('the help sheet lists commands with keys, once, by group', () => {
  const command = (id: string, group: string, title: string, keys: string[]) => ({
    id,
    group,
    title,
    keys,
    run: () => {},
  });
  expect(
    helpGroups([
      command('1', 'General', 'Help', ['?']),
      command('2', 'Charts', 'Pin', ['p']),
      command('3', 'General', 'Copy link', []),
      command('4', 'Charts', 'Pin', ['p']),
    ]),
  ).toEqual([
    { name: 'General', when: '', lines: [{ title: 'Help', keys: ['?'], when: '' }] },
    { name: 'Charts', when: '', lines: [{ title: 'Pin', keys: ['p'], when: '' }] },
  ]);
});
