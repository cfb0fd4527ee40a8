import { lineOfTag } from '../../../board/cards/card-spec';
import { describe, expect, test } from 'vitest';
import { defaultView } from '../../../state/settings/view';
import type { ChartSpec } from '../../../state/types';
import { specOfChart } from '../card-spec';
import { linesOf } from './value-questions';

const ids = new Map([
  ['exp/base', 4],
  ['exp/a', 7],
]);
const runs = { idOf: (name: string) => ids.get(name), shortName: (id: number) => (id === 4 ? 'base' : 'a') };

function chart(tag: string, change: Partial<ChartSpec> = {}) {
  return specOfChart({ id: tag, title: '', lines: [lineOfTag(tag)], baseline: null, x: null, ...change });
}

describe('a column', () => {
  test('is asked for over the page’s x axis, where a selected stretch is one of it', () => {
    const selected = { from: 1e6, to: 2e6 };
    const view = { ...defaultView(), xAxis: 'metric' as const, xTag: 'tokens', selected };
    const [line] = linesOf([chart('loss')], view, runs);
    expect(line!.ask([1, 2])).toEqual({
      tag: 'loss',
      x: 'metric',
      x_tag: 'tokens',
      x_range: [1e6, 2e6],
      at: 1e6,
      runs: [1, 2],
    });
  });

  test('of a metric axis that is not chosen yet is over steps, as the charts are', () => {
    const [line] = linesOf([chart('loss')], { ...defaultView(), xAxis: 'metric' }, runs);
    expect(line!.ask([1])).toMatchObject({ x: 'step', x_range: null, at: null });
  });

  test('is compared with what its chart is compared with, and says so', () => {
    const view = { ...defaultView(), baseline: { run: 'exp/base', mode: 'ratio' as const } };
    const own = { run: 'exp/a', mode: 'difference' as const };
    const lines = linesOf([chart('loss'), chart('other', { baseline: own })], view, runs);
    expect(lines.map(({ title }) => title)).toEqual(['loss (× base)', 'other (Δ vs a)']);
    expect(lines.map(({ ask }) => ask([]).baseline)).toEqual([
      { run: 4, mode: 'ratio' },
      { run: 7, mode: 'difference' },
    ]);
  });

  test('is not compared with a run that is not there', () => {
    const view = { ...defaultView(), baseline: { run: 'gone', mode: 'ratio' as const } };
    const [line] = linesOf([chart('loss')], view, runs);
    expect(line!.title).toBe('loss');
    expect(line!.ask([])).not.toHaveProperty('baseline');
  });

  test('is there once, however many charts show it', () => {
    expect(linesOf([chart('loss'), chart('loss', { id: 'again' })], defaultView(), runs)).toHaveLength(1);
  });
});
