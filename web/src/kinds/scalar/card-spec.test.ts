import { expect, test } from 'vitest';
import type { ChartSpec } from '../../state/types';
import { chartCardId, lineOfTag } from '../../board/cards/card-spec';
import { cardSpecOf, specOfTag, tagsOf } from './card-spec';
import { fakePage, fakeTag } from './fake-page.svelte';

const chart: ChartSpec = {
  id: 'x1',
  title: '',
  lines: [lineOfTag('a'), { ...lineOfTag(''), formula: 'a - b', label: 'gap' }],
  baseline: null,
  x: null,
};

test('a tag has a card of itself, always the same one', () => {
  const tag = fakeTag('loss', [0], 'What is lost');
  const { page } = fakePage([tag], []);
  expect(cardSpecOf(page, 'loss')).toMatchObject({ id: 'loss', title: 'loss', description: 'What is lost' });
  expect(cardSpecOf(page, 'loss')).toBe(specOfTag(tag));
  expect(cardSpecOf(page, 'gone')).toBeNull();
});

test('a chart that was made by hand is named by its lines until it has a title', () => {
  const { page, view } = fakePage([], []);
  view.charts = [chart];
  expect(cardSpecOf(page, chartCardId('x1'))).toMatchObject({ title: 'a, gap', tag: null, parts: ['a'] });
  view.charts = [{ ...chart, title: 'Both' }];
  expect(cardSpecOf(page, chartCardId('x1'))?.title).toBe('Both');
});

test('a tag that is called like a chart is still a tag', () => {
  const { page } = fakePage([fakeTag('chart:x1', [0])], []);
  expect(cardSpecOf(page, 'chart:x1')).toMatchObject({ tag: { tag: 'chart:x1' } });
});

test('tags of formulas are no lines by themselves', () => {
  expect(tagsOf(chart)).toEqual(['a']);
});
