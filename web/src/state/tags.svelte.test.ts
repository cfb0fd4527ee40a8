// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultView } from './settings/view';
import { liveView, type LiveView } from './live-view.svelte';
import { NameFilter } from './name-filter';
import { TagStore } from './tags.svelte';
import { tagTable } from './testing.fixture';

let view: LiveView;
let tags: TagStore;

beforeEach(() => {
  view = liveView(defaultView());
  tags = new TagStore(view, (onResult) => new NameFilter(onResult, () => null));
});

afterEach(() => {
  tags.destroy();
});

const names = (list: readonly { readonly tag: string }[]): string[] => list.map(({ tag }) => tag);

describe('TagStore', () => {
  test('knows the runs of a tag from ranges', () => {
    tags.apply(tagTable({ loss: [0, 4, 7, 7, 9, 12] }));
    const tag = tags.find('scalar', 'loss')!;
    const has = Array.from({ length: 14 }, (_, id) => id).filter((id) => tag.hasRun(id));
    expect(has).toEqual([0, 1, 2, 3, 4, 7, 9, 10, 11, 12]);
    expect(tag.runCount).toBe(10);
    tags.apply(tagTable({ loss: [] }));
    expect(tags.find('scalar', 'loss')!.hasRun(0)).toBe(false);
  });

  test('filters by a regular expression, in any case', () => {
    tags.apply(tagTable({ 'Loss/train': [0, 0], 'acc/train': [0, 0] }));
    view.tagFilter = '^loss';
    flushSync();
    expect(names(tags.shown('scalar'))).toEqual(['Loss/train']);
    expect(names(tags.ofKind('scalar'))).toEqual(['Loss/train', 'acc/train']);
    view.tagFilter = '[';
    flushSync();
    expect(tags.filterError).toContain('Not a regular expression');
    expect(names(tags.shown('scalar'))).toEqual(['Loss/train']);
  });

  test('filters by the name that is shown, and by the one that was logged', () => {
    tags.apply(tagTable({ 'notes/text_summary': [0, 0], 'other/text_summary': [0, 0] }, 'server-1', 'text'));
    for (const filter of ['^notes$', '^notes/text_summary$']) {
      view.tagFilter = filter;
      flushSync();
      expect(names(tags.shown('text'))).toEqual(['notes/text_summary']);
    }
  });

  test('shows nothing of a link’s expression until it has been tried', () => {
    tags.destroy();
    view.tagFilter = '^loss';
    let answer: ConstructorParameters<typeof NameFilter>[0] = () => {};
    tags = new TagStore(view, (onResult) => {
      answer = onResult;
      return new NameFilter(
        () => {},
        () => null,
      );
    });
    tags.apply(tagTable({ loss: [0, 0], acc: [0, 0] }));
    answer({ error: null, isPending: true });
    expect(tags.shown('scalar')).toEqual([]);
    expect(tags.isFiltering).toBe(true);
    answer({ matches: new Set(['loss']), error: null });
    expect(names(tags.shown('scalar'))).toEqual(['loss']);
    expect(tags.isFiltering).toBe(false);
  });

  test('keeps kinds apart', () => {
    tags.apply(tagTable({ x: [0, 0] }, 'server-1', 'image'));
    flushSync();
    expect(tags.shown('scalar')).toEqual([]);
    expect(names(tags.shown('image'))).toEqual(['x']);
  });

  test('a tag that did not change stays the same object', () => {
    tags.apply(tagTable({ a: [0, 1], b: [0, 0] }));
    const [a, b] = tags.all;
    tags.apply(tagTable({ a: [0, 1], b: [0, 1] }));
    expect(tags.all[0]).toBe(a);
    expect(tags.all[1]).not.toBe(b);
    const { all } = tags;
    tags.apply(tagTable({ a: [0, 1], b: [0, 1] }));
    expect(tags.all).toBe(all);
  });
});
