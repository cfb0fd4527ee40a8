import { describe, expect, test } from 'vitest';
import { groupTags, isGroupOpen, titleBelowGroup, withGroupOpen } from './group-tags';

const tags = (...names: string[]) => names.map((tag) => ({ tag }));

describe('groups', () => {
  test('are made of what comes before the first slash, in natural order of their first tags', () => {
    const groups = groupTags(tags('loss', 'v10/x', 'eval/acc', 'v9/x', 'loss/train', 'eval/a'));
    expect(groups.map((group) => [group.name, group.tags.map(({ tag }) => tag)])).toEqual([
      // As they came: pictures stand behind scalars.
      ['eval', ['eval/acc', 'eval/a']],
      ['loss', ['loss', 'loss/train']],
      ['v9', ['v9/x']],
      ['v10', ['v10/x']],
    ]);
  });

  test('keep a tag that begins with a slash under its own name, never under an empty one', () => {
    expect(groupTags(tags('/odd'))[0]?.name).toBe('/odd');
  });

  test('are all open when there are few of them, or few cards', () => {
    const fewGroups = groupTags(tags(...Array.from({ length: 500 }, (_, i) => `g${i % 5}/${i}`)));
    expect(fewGroups.every((group) => group.isOpenByDefault)).toBe(true);
    const fewCards = groupTags(tags(...Array.from({ length: 60 }, (_, i) => `g${i}/x`)));
    expect(fewCards.every((group) => group.isOpenByDefault)).toBe(true);
  });

  test('are open for the first two when there are many of both', () => {
    const groups = groupTags(tags(...Array.from({ length: 120 }, (_, i) => `g${i % 6}/${i}`)));
    expect(groups.map((group) => group.isOpenByDefault)).toEqual([true, true, false, false, false, false]);
  });
});

test('a title leaves out the group, unless nothing would be left', () => {
  expect(titleBelowGroup('train/loss/total')).toBe('loss/total');
  expect(titleBelowGroup('loss')).toBe('loss');
  expect(titleBelowGroup('train/')).toBe('train/');
});

describe('the memory of opened and closed groups', () => {
  const open = { name: 'a', isOpenByDefault: true };

  test('only holds what differs from the default', () => {
    const closed = withGroupOpen(open, false, {});
    expect(closed).toEqual({ a: true });
    expect(isGroupOpen(open, closed)).toBe(false);
    expect(withGroupOpen(open, true, closed)).toEqual({});
  });

  test('treats names that objects inherit as names', () => {
    expect(isGroupOpen({ name: 'constructor', isOpenByDefault: true }, {})).toBe(true);
    const closed = withGroupOpen({ name: '__proto__', isOpenByDefault: true }, false, {});
    expect(isGroupOpen({ name: '__proto__', isOpenByDefault: true }, closed)).toBe(false);
  });
});
