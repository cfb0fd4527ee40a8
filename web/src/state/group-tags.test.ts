import { describe, expect, test } from 'vitest';
import { groupTags, isGroupOpen, shownTag, titleBelowGroup, withGroupOpen } from './group-tags';

const tags = (...names: string[]) => names.map((tag) => ({ tag }));

describe('groups', () => {
  test('are made of what comes before the first slash, in order of their first tag', () => {
    const groups = groupTags(tags('loss', 'eval/acc', 'eval/loss/top', 'loss/train'));
    expect(groups.map((group) => [group.name, group.tags.map(({ tag }) => tag)])).toEqual([
      ['loss', ['loss', 'loss/train']],
      ['eval', ['eval/acc', 'eval/loss/top']],
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
  // Torch puts a word behind every tag of a text.
  expect(titleBelowGroup('note/text_summary')).toBe('note');
  expect(titleBelowGroup('eval/samples/text_summary')).toBe('samples');
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

test('a tag is shown without what torch puts behind it', () => {
  expect(['note/text_summary', 'a/b', '/text_summary'].map(shownTag)).toEqual([
    'note',
    'a/b',
    '/text_summary',
  ]);
});
