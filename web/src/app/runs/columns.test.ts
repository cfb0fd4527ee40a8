import { describe, expect, it } from 'vitest';
import {
  columnOf,
  columnsOf,
  fieldColumnId,
  fieldOfColumn,
  metricColumnId,
  tagOfColumn,
  withColumn,
} from './columns';
import { describeStatus, type RunAccess } from '../../state/run-facts';
import { makeRun, NOW_S } from '../fake-page.svelte';
import { formatBytes } from '../../base/file-size';

const context: RunAccess = {
  nowS: NOW_S,
  run: () => undefined,
  displayName: () => '',
  isArchived: () => false,
  last: (tag, id) => (tag === 'loss' && id === 1 ? 0.123456789 : undefined),
  labels: (id) => (id === 1 ? ['paper', 'best'] : []),
  note: (id) => (id === 1 ? '\n## The **best** [one](https://a.test/)\nmore' : ''),
  isFavourite: (id) => id === 1,
  field: (name, id) => (id === 1 ? { lr: 0.0003, optimizer: 'adam', is_deep: true }[name] : undefined),
};

function text(id: string, facts = {}, runId = 1): string {
  return columnOf(id)?.textOf(makeRun(runId, 'a', facts), context) ?? 'no such column';
}

describe('a column', () => {
  it.each([
    ['last_step', { lastStep: 1_234_567 }, '1,234,567'],
    ['last_step', { lastStep: null }, ''],
    ['duration', { startedS: NOW_S - 7500, lastSeenS: NOW_S }, '2 h 05 min'],
    ['duration', { startedS: null }, ''],
    ['started', { startedS: NOW_S - 200 }, '3 min ago'],
    ['points', { points: 5000 }, '5,000'],
    ['size', { sizeBytes: 1_234_567 }, '1.2 MB'],
    ['damage', { damageCount: 0 }, ''],
    ['damage', { damageCount: 1 }, '1 place'],
    ['damage', { damageCount: 12 }, '12 places'],
  ])('%s of %j shows %j', (id, facts, shown) => {
    expect(text(id, facts)).toBe(shown);
  });

  it('of a metric shows its last value, exactly on hover', () => {
    const id = metricColumnId('loss');
    expect(text(id)).toBe('0.1235');
    expect(columnOf(id)?.hintOf?.(makeRun(1, 'a'), context)).toBe('0.123456789');
    expect(text(id, {}, 2)).toBe('');
    expect(columnOf(id)?.valueOf(makeRun(2, 'b'), context)).toBeNull();
  });

  it.each([
    ['labels', 'paper, best', 'paper, best'],
    ['note', 'The best one', 'The best one'],
    ['favourite', '★', 1],
    ['field:lr', '0.0003', 0.0003],
    ['field:optimizer', 'adam', 'adam'],
    ['field:is_deep', 'true', 'true'],
  ])('%s shows what was said of the run, and is sorted by it', (id, shown, value) => {
    expect(text(id)).toBe(shown);
    expect(columnOf(id)?.valueOf(makeRun(1, 'a'), context)).toBe(value);
    expect(text(id, {}, 2)).toBe('');
    expect(columnOf(id)?.valueOf(makeRun(2, 'b'), context)).toBeNull();
  });

  it('of a hyper-parameter knows its name', () => {
    expect(fieldOfColumn(fieldColumnId('a/b'))).toBe('a/b');
    expect(fieldOfColumn('metric:a')).toBeNull();
    expect(columnsOf(['field:'])).toEqual([]);
  });

  it('that nobody knows is left out, and none comes twice', () => {
    const ids = columnsOf(['status', 'from_the_future', 'metric:a/b', 'status', 'name', 'metric:']).map(
      ({ id }) => id,
    );
    expect(ids).toEqual(['status', 'metric:a/b']);
  });

  it('of a metric knows its tag', () => {
    expect(tagOfColumn(metricColumnId('train/loss'))).toBe('train/loss');
    expect(tagOfColumn('status')).toBeNull();
  });
});

describe('showing and hiding columns', () => {
  it('puts a fixed column back to its usual place', () => {
    expect(withColumn(['status', 'started', 'metric:a'], 'duration', true)).toEqual([
      'status',
      'duration',
      'started',
      'metric:a',
    ]);
    expect(withColumn(['metric:a'], 'size', true)).toEqual(['size', 'metric:a']);
  });

  it('adds metrics at the end', () => {
    expect(withColumn(['status'], 'metric:a', true)).toEqual(['status', 'metric:a']);
  });

  it('takes away the one that is named', () => {
    expect(withColumn(['status', 'metric:a'], 'status', false)).toEqual(['metric:a']);
  });
});

describe('the status in words', () => {
  it('says when it is only concluded', () => {
    const run = makeRun(0, 'a', { status: 'stalled', isStatusKnown: false, lastSeenS: NOW_S - 600 });
    expect(describeStatus(run, NOW_S)).toMatch(/^Stalled, last written 10 min ago\nNobody recorded its end/);
  });

  it('is short when it is known', () => {
    expect(describeStatus(makeRun(0, 'a', { lastSeenS: null }), NOW_S)).toBe('Finished');
  });
});

describe('a size', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1234, '1.2 kB'],
    [99_949, '100 kB'],
    [999_600, '1.0 MB'],
    [34_000_000, '34 MB'],
    [2.5e12, '2.5 TB'],
    [5e18, '5000 PB'],
  ])('of %d bytes reads %s', (bytes, shown) => {
    expect(formatBytes(bytes)).toBe(shown);
  });
});
