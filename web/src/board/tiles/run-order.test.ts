import { describe, expect, it } from 'vitest';
import { visibleRuns } from './run-order';

const NAMES = ['x/baseline', 'sweep/seed10', 'sweep/seed2', 'resnet'];
const shown = NAMES.map((name, id) => ({ id, name }));

describe('the runs of a gallery', () => {
  it('are the visible ones by name, as people count', () => {
    expect(visibleRuns({ runs: { visibleIds: [0, 1, 2, 3], shown } })).toEqual([3, 2, 1, 0]);
    expect(visibleRuns({ runs: { visibleIds: [0, 2], shown } })).toEqual([2, 0]);
  });

  it('are the same array for the same visible runs: what hangs on it is not made anew', () => {
    const runs = { visibleIds: [1, 2], shown };
    expect(visibleRuns({ runs })).toBe(visibleRuns({ runs }));
  });
});
