import { describe, expect, test } from 'vitest';
import { heatMap, statistics } from '../test-histograms.fixture';
import { commonAxes, likenessOf } from './cell-maps';
import { changeOf, comparedOf, inOrder, measureText, type Compared } from './overview-order';

const nine = (around: number): number[] => Array.from({ length: 9 }, (_, i) => around + (i - 4) / 4);
const moved = (by: number, std = 1, zeros = 0): Compared =>
  comparedOf(statistics({ quantiles: nine(0), std }, { quantiles: nine(by), std, zeros }))!;

describe('the order of the overview', () => {
  const tags: Record<string, Compared | null> = {
    still: moved(0),
    far: moved(3, 1, 0.2),
    narrow: moved(0.1, 0.01, 0.9),
    empty: null,
  };
  const order = (by: Parameters<typeof inOrder>[1]): readonly string[] =>
    inOrder(Object.keys(tags), by, (tag) => tags[tag]!);

  test('what cannot be compared is last', () => {
    expect(order('name')).toEqual(['still', 'far', 'narrow', 'empty']);
    expect(order('narrow')).toEqual(['narrow', 'still', 'far', 'empty']);
    expect(order('wide')).toEqual(['still', 'far', 'narrow', 'empty']);
    expect(order('zeros')).toEqual(['narrow', 'far', 'still', 'empty']);
  });

  test('change is measured in widths: a narrow layer that moves little has changed more than a wide one', () => {
    expect(changeOf(moved(3))).toBeCloseTo(3, 12);
    expect(changeOf(moved(0))).toBe(0);
    expect(order('change')).toEqual(['narrow', 'far', 'still', 'empty']);
    expect(measureText('change', moved(3))).toBe('moved 3 widths');
  });

  test('a value that all have in common and that moves has changed most of all', () => {
    expect(changeOf(moved(1, 0))).toBe(Infinity);
    expect(measureText('change', moved(1, 0))).toBe('all 0 → 1');
  });

  test('a few that jump far away count, though no quantile tells of them', () => {
    const same = nine(0);
    expect(changeOf(comparedOf(statistics({ quantiles: same, std: 1 }, { quantiles: same, std: 4 }))!)).toBe(
      0.75,
    );
  });

  test('what was logged once has not changed by 0: it cannot be compared', () => {
    const once = comparedOf(statistics({ quantiles: nine(0) }))!;
    expect(measureText('change', once)).toBe('logged once');
    expect(inOrder(['once', 'still'], 'change', (tag) => (tag === 'once' ? once : moved(0)))).toEqual([
      'still',
      'once',
    ]);
    expect(inOrder(['once', 'narrow'], 'wide', (tag) => (tag === 'once' ? once : tags[tag]!))[0]).toBe(
      'once',
    );
  });

  test('a step to compare with may be the later one', () => {
    const two = statistics({ quantiles: nine(0), std: 1 }, { quantiles: nine(0), std: 5 });
    expect(comparedOf(two)!.now.std).toBe(5);
    expect(comparedOf(two, true)).toMatchObject({ before: { std: 5 }, now: { std: 1 } });
  });

  test('histograms of nothing are not compared', () => {
    expect(comparedOf(statistics({ quantiles: nine(0) }, { quantiles: nine(NaN), total: 0 }))).toBeNull();
    expect(comparedOf(null)).toBeNull();
  });
});

describe('one axis for all layers', () => {
  test('layers are alike whose names differ in numbers only', () => {
    expect(likenessOf('layer1/grad')).toBe(likenessOf('layer12/grad'));
    expect(likenessOf('layer1/grad')).not.toBe(likenessOf('layer1/weights'));
  });

  test('spans all maps of a key, once all of them are there', () => {
    const map = heatMap(2, [[1, 0]], { low: -1, high: 1, linearWidth: 0.5 });
    const wide = heatMap(2, [[1, 0]], { low: 0, high: 5, linearWidth: 2 });
    const empty = heatMap(2, [[0, 0]], { low: -99, high: 99 });
    const all = [map, wide, empty].map((one) => ({ key: 'a', map: one }));
    expect(commonAxes(all)?.get('a')).toEqual({ low: -1, high: 5, linearWidth: 0.5 });
    expect(commonAxes([...all, { key: 'b', map: undefined }])).toBeNull();
  });
});
