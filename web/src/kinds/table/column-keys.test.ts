import { describe, expect, test } from 'vitest';
import { keyed, labelOf } from './column-keys';

const columns = (...names: string[]) => names.map((name) => ({ name, type: 'number' as const }));
const keys = (...names: string[]) => keyed(columns(...names)).map(({ key }) => key);

describe('what tells columns apart', () => {
  test('is the name, and a number for the later ones of a name', () => {
    expect(keys('a', 'b')).toEqual(['a', 'b']);
    expect(keys('a', 'b', 'a', 'a', 'b')).toEqual(['a', 'b', 'a #2', 'a #3', 'b #2']);
    expect(keys('', '')).toEqual(['', ' #2']);
  });

  test('is never the same, whatever columns are called', () => {
    const names = ['a', 'a', 'a #2', 'a', 'a #2', 'a #2 #2', 'a #3', 'a'];
    expect(new Set(keys(...names)).size).toBe(names.length);
    expect(keys(...names).slice(0, 3)).toEqual(['a', 'a #4', 'a #2']);
  });

  test('is what people read', () => {
    expect(keyed(columns('', '', 'x', 'x')).map(labelOf)).toEqual(['(no name)', '(no name) #2', 'x', 'x #2']);
  });
});
