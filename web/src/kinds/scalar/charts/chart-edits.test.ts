import { lineOfTag } from '../../../board/cards/card-spec';
import { describe, expect, test } from 'vitest';
import type { ChartSpec } from '../../../state/types';
import { emptyChart, MOST_LINES, newChartId } from '../../../board/cards/own-charts';
import type { Arrangement } from '../../../board/cards/section-edits';
import {
  copyTitle,
  drawableLines,
  namesOf,
  newLines,
  restored,
  withChart,
  withLines,
  withNewChart,
  withoutChart,
} from './chart-edits';

const chart = (id: string, ...tags: string[]): ChartSpec => ({
  ...emptyChart(id),
  lines: tags.map(lineOfTag),
});
const tagsIn = ({ lines }: ChartSpec) => lines.map(({ tag }) => tag);
const formula = (text: string) => ({ ...lineOfTag(''), formula: text });

const ARRANGEMENT: Arrangement = {
  sections: [
    { name: 'Losses', cards: ['train/loss', 'val/loss'] },
    { name: 'Own', cards: ['chart:b'] },
  ],
  pins: ['val/loss', 'chart:b', 'lr'],
  charts: [chart('a', 'x'), chart('b', 'y'), chart('c', 'z')],
};

test('ids are short, fit into links as they are, and are never given twice', () => {
  const charts: ChartSpec[] = [];
  for (let i = 0; i < 100; i++) charts.push(emptyChart(newChartId(charts)));
  expect(new Set(charts.map(({ id }) => id)).size).toBe(100);
  for (const { id } of charts) expect(id).toMatch(/^[a-z0-9]{6}$/);
});

describe('lines', () => {
  test('are added once, by what they show and not by how they look', () => {
    const more = [lineOfTag('a'), { ...lineOfTag('b'), color: '#ff0000' }, lineOfTag('c'), lineOfTag('c')];
    expect(tagsIn(withLines(chart('k', 'a', 'b'), more))).toEqual(['a', 'b', 'c']);
    expect(newLines([formula('a - b')], [formula(' a - b'), lineOfTag('a - b')])).toEqual([
      lineOfTag('a - b'),
    ]);
  });

  test('are no more than a file may hold', () => {
    const many = Array.from({ length: MOST_LINES + 5 }, (_, i) => lineOfTag(`t${i}`));
    expect(withLines(chart('k', 'a'), many).lines.length).toBe(MOST_LINES);
  });

  test('without a tag or a formula are not drawn', () => {
    expect(drawableLines([lineOfTag(''), lineOfTag('a'), formula('  '), formula('b')])).toEqual([
      lineOfTag('a'),
      formula('b'),
    ]);
  });
});

describe('a new chart', () => {
  const made = chart('new', 'train/loss', 'val/loss');

  test('stands behind the card it was made from, in its section', () => {
    const { sections, charts, pins } = withNewChart(ARRANGEMENT, made, { beside: 'train/loss' });
    expect(sections[0]!.cards).toEqual(['train/loss', 'chart:new', 'val/loss']);
    expect(charts.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'new']);
    expect(pins).toEqual(ARRANGEMENT.pins);
  });

  test('is pinned if that is where the other one was seen', () => {
    const { sections, pins } = withNewChart(ARRANGEMENT, made, { beside: 'val/loss', isPinned: true });
    expect(pins).toEqual(['val/loss', 'chart:new', 'chart:b', 'lr']);
    expect(sections[0]!.cards).toEqual(['train/loss', 'val/loss', 'chart:new']);
  });

  test('stands among the others when the card is in no section', () => {
    expect(withNewChart(ARRANGEMENT, made, { beside: 'lr' }).sections).toEqual(ARRANGEMENT.sections);
    const copied = withNewChart(ARRANGEMENT, made, { beside: 'chart:a' });
    expect(copied.charts.map(({ id }) => id)).toEqual(['a', 'new', 'b', 'c']);
  });
});

describe('a deleted chart', () => {
  test('is gone from sections and pins, and back in all its places', () => {
    const { arrangement, removed } = withoutChart(ARRANGEMENT, 'b')!;
    expect(arrangement.charts.map(({ id }) => id)).toEqual(['a', 'c']);
    expect(arrangement.sections[1]!.cards).toEqual([]);
    expect(arrangement.pins).toEqual(['val/loss', 'lr']);
    expect(restored(arrangement, removed)).toEqual(ARRANGEMENT);
  });

  test('comes back beside whatever was done in the meantime', () => {
    const { arrangement, removed } = withoutChart(ARRANGEMENT, 'b')!;
    const since = { ...arrangement, charts: [...arrangement.charts, chart('d', 'w')], sections: [] };
    const back = restored(since, removed);
    expect(back.charts.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(back.sections).toEqual([]);
    expect(restored(back, removed)).toBe(back);
  });

  test('that is not there is no error', () => {
    expect(withoutChart(ARRANGEMENT, 'nothing')).toBeNull();
    expect(withChart(ARRANGEMENT.charts, chart('nothing'))).toEqual(ARRANGEMENT.charts);
  });
});

test('names in sentences stay short', () => {
  expect(namesOf(['a'].map(lineOfTag))).toBe('a');
  expect(namesOf(['a', 'b'].map(lineOfTag))).toBe('a and b');
  expect(namesOf(['a', 'b', 'c'].map(lineOfTag))).toBe('a, b and c');
  expect(namesOf(['a', 'b', 'c', 'd'].map(lineOfTag))).toBe('a, b and 2 more');
});

test('copies are numbered', () => {
  const titled = (title: string) => ({ ...chart(title), title });
  expect(copyTitle('Gap', [titled('Gap')])).toBe('Gap (copy)');
  expect(copyTitle('Gap (copy)', [titled('Gap'), titled('Gap (copy)')])).toBe('Gap (copy 2)');
  expect(copyTitle('', [])).toBe('');
});
