// @vitest-environment happy-dom
import { lineOfTag } from '../../../board/cards/card-spec';
import { expect, test, vi } from 'vitest';
import { emptyChart, MOST_CHARTS } from '../../../board/cards/own-charts';
import { fakePage } from '../fake-page.svelte';
import { addCharts } from './add-charts';
import type { LaidOutGroup } from './layout-charts';

const spec = (title: string, ...tags: string[]) => ({
  ...{ id: title, title, description: '', kind: 'scalar', tag: null, baseline: null, x: null },
  lines: tags.map(lineOfTag),
});
const group = (title: string, ...specs: ReturnType<typeof spec>[]): LaidOutGroup => ({
  ...{ name: title, title, isOpenByDefault: true, specs },
});

function make() {
  const parts = fakePage([], []);
  const announce = vi.spyOn(parts.page, 'announce');
  return { ...parts, said: () => announce.mock.lastCall!, undo: () => announce.mock.lastCall![1]!.run() };
}

test('charts become charts of one’s own, categories sections; undoing takes back only those', () => {
  const { page, view, said, undo } = make();
  view.sections = [{ name: 'Losses', cards: ['a'] }];
  view.charts = [{ ...emptyChart('mine'), lines: [lineOfTag('a')] }];
  addCharts(page, [group('Losses', spec('x', 'a', 'b'), spec('nothing')), group('Empty')]);
  expect(view.charts.map(({ title, lines }) => [title, lines.length])).toEqual([
    ['', 1],
    ['x', 2],
  ]);
  expect(view.sections.map(({ name }) => name)).toEqual(['Losses', 'Losses 2']);
  expect(said()[0]).toBe('Added 1 chart in sections; 1 chart without a tag of this log left out');
  view.sections = [{ name: 'since', cards: [] }, ...view.sections];
  undo();
  expect(view.charts.map(({ id }) => id)).toEqual(['mine']);
  expect(view.sections.map(({ name }) => name)).toEqual(['since', 'Losses']);
});

test('more than a view can hold, or nothing at all, changes nothing', () => {
  const { page, view, said } = make();
  const many = Array.from({ length: MOST_CHARTS + 1 }, (_, i) => spec(`x${i}`, 'a'));
  expect(addCharts(page, [group('many', ...many)])).toBe(false);
  expect(said()[0]).toContain('300 charts');
  expect(addCharts(page, [group('empty', spec('nothing'))])).toBe(false);
  expect([view.charts, view.sections]).toEqual([[], []]);
});
