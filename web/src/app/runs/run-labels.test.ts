import { describe, expect, it } from 'vitest';
import { labelCounts, offeredLabels } from './run-labels';

const LABELS = new Map([
  ['a', ['paper', 'x']],
  ['b', ['paper']],
  ['c', ['other']],
]);

describe('labels of several runs', () => {
  it('are counted, the common ones first', () => {
    expect([...labelCounts(['a', 'b'], LABELS)]).toEqual([
      ['paper', 2],
      ['x', 1],
    ]);
    expect([...labelCounts(['unknown'], LABELS)]).toEqual([]);
  });

  it('are offered unless all have them, narrowed by what is typed', () => {
    const counts = labelCounts(['a', 'b'], LABELS);
    const all = ['backpaper', 'other', 'paper', 'x'];
    expect(offeredLabels(all, counts, 2, '')).toEqual(['backpaper', 'other', 'x']);
    expect(offeredLabels(all, new Map(), 2, ' PAP')).toEqual(['paper', 'backpaper']);
    expect(offeredLabels(all, counts, 2, 'nothing')).toEqual([]);
  });
});
