import { expect, test } from 'vitest';
import type { ChartSpec } from '../../state/types';
import {
  movedBy,
  freeName,
  placed,
  sectionOf,
  stepped,
  takenOut,
  withName,
  withoutSection,
  withSection,
  withSectionAgain,
  type Arrangement,
} from './section-edits';

const chart = (id: string): ChartSpec => ({ id, title: id, lines: [], baseline: null, x: null });
const arrangement: Arrangement = {
  sections: [
    { name: 'A', cards: ['a', 'b', 'c'] },
    { name: 'B', cards: ['d'] },
    { name: 'C', cards: [] },
  ],
  pins: ['a', 'x'],
  charts: [chart('1'), chart('2')],
};
const cards = ({ sections }: Pick<Arrangement, 'sections'>) =>
  sections.map((section) => section.cards.join(''));

test('a new section takes its cards from where they were, under a name of its own', () => {
  const sections = withSection(arrangement.sections, ' A ', ['b', 'd']);
  expect(cards({ sections })).toEqual(['ac', '', '', 'bd']);
  expect(sections[3]!.name).toBe('A 2');
  expect(freeName([], '  ')).toBe('Section');
});

test('a section can keep its name, or get a free one', () => {
  expect(withName(arrangement.sections, 0, 'A')[0]!.name).toBe('A');
  expect(withName(arrangement.sections, 0, 'B')[0]!.name).toBe('B 2');
});

test('sections move and go', () => {
  expect(cards({ sections: movedBy(arrangement.sections, 1, -1) })).toEqual(['d', 'abc', '']);
  expect(movedBy(arrangement.sections, 0, -1)).toBe(arrangement.sections);
  expect(movedBy(arrangement.sections, 2, 1)).toBe(arrangement.sections);
  expect(cards({ sections: withoutSection(arrangement.sections, 0) })).toEqual(['d', '']);
});

test('a card is put before another, or at the end, and only there', () => {
  expect(cards(placed(arrangement, 'c', 0, 'a'))).toEqual(['cab', 'd', '']);
  expect(cards(placed(arrangement, 'a', 0))).toEqual(['bca', 'd', '']);
  expect(cards(placed(arrangement, 'a', 1, 'd'))).toEqual(['bc', 'ad', '']);
  expect(cards(placed(arrangement, 'new', 2))).toEqual(['abc', 'd', 'new']);
  expect(placed(arrangement, 'a', 0, 'a')).toBe(arrangement);
  expect(placed(arrangement, 'a', 9)).toBe(arrangement);
});

test('pins have an order of their own and take nothing away', () => {
  const after = placed(arrangement, 'x', 'pins', 'a');
  expect(after.pins).toEqual(['x', 'a']);
  expect(placed(arrangement, 'd', 'pins').pins).toEqual(['a', 'x', 'd']);
  expect(cards(placed(arrangement, 'd', 'pins'))).toEqual(['abc', 'd', '']);
  expect(takenOut(arrangement, 'a', 'pins').pins).toEqual(['x']);
});

test('only hand-made charts go to the hand-made charts', () => {
  const inSection = placed(arrangement, 'chart:2', 2);
  const back = placed(inSection, 'chart:2', 'charts', 'chart:1');
  expect(back.charts.map(({ id }) => id)).toEqual(['2', '1']);
  expect(cards(back)).toEqual(['abc', 'd', '']);
  expect(placed(arrangement, 'a', 'charts')).toBe(arrangement);
});

test('out of a section, a card is in none', () => {
  expect(sectionOf(takenOut(arrangement, 'b', 0).sections, 'b')).toBe(-1);
});

test('steps go over what is not shown, and into the next section', () => {
  expect(cards(stepped(arrangement, 'a', 0, 1))).toEqual(['bac', 'd', '']);
  expect(cards(stepped(arrangement, 'c', 0, -1))).toEqual(['acb', 'd', '']);
  expect(cards(stepped(arrangement, 'a', 0, 1, (id) => id !== 'b'))).toEqual(['bca', 'd', '']);
  expect(cards(stepped(arrangement, 'c', 0, 1))).toEqual(['ab', 'cd', '']);
  expect(cards(stepped(arrangement, 'd', 1, -1))).toEqual(['abcd', '', '']);
  expect(stepped(arrangement, 'a', 0, -1)).toBe(arrangement);
  expect(stepped(arrangement, 'a', 'pins', -1)).toBe(arrangement);
  expect(stepped(arrangement, 'a', 'pins', 1).pins).toEqual(['x', 'a']);
  expect(stepped(arrangement, 'chart:1', 'charts', 1).charts.map(({ id }) => id)).toEqual(['2', '1']);
});

test('a deleted section comes back beside what was made meanwhile, without cards that went elsewhere', () => {
  const deleted = arrangement.sections[0]!;
  const left = withSection(withoutSection(arrangement.sections, 0), 'New', ['b']);
  const again = withSectionAgain(left, 0, deleted);
  expect(again.map(({ name }) => name)).toEqual(['A', 'B', 'C', 'New']);
  expect(cards({ sections: again })).toEqual(['ac', 'd', '', 'b']);
});
