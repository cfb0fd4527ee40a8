import { expect, test } from 'vitest';
import { inOrderOfKinds } from './tag-order';

const tags = (...names: string[]) => names.map((tag) => ({ tag }));
const ordered = (...kinds: { tag: string }[][]): string[] => inOrderOfKinds(kinds).map(({ tag }) => tag);

test('in a group, kinds come one after the other', () => {
  const tables = tags('eval/rows', 'run 10/a', 'run 2/z');
  const pages = tags('eval/a line', 'eval/b', 'run 2/a');
  expect(ordered(tables, [], pages)).toEqual([
    ...['eval/rows', 'eval/a line', 'eval/b'],
    ...['run 2/z', 'run 2/a', 'run 10/a'],
  ]);
});

test('one kind stays as it is', () => {
  const alone = tags('b', 'a');
  expect(inOrderOfKinds([[], alone])).toBe(alone);
  expect(inOrderOfKinds([[], []])).toEqual([]);
});
