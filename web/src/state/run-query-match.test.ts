import { describe, expect, test } from 'vitest';
import type { FieldValue } from './feeds/run-fields.svelte';
import type { RunAccess } from './run-facts';
import { parseQuery, QueryError } from './run-query';
import { bindQuery, needsFields } from './run-query-match';
import type { Run } from './types';

interface Facts {
  name: string;
  shown?: string;
  labels?: string[];
  note?: string;
  isFavourite?: boolean;
  isArchived?: boolean;
  status?: Run['status'];
  startedS?: number;
  lastSeenS?: number;
  step?: number;
  points?: number;
  fields?: Record<string, FieldValue>;
  last?: Record<string, number>;
}

const NOON_S = new Date(2026, 0, 31, 12, 0, 0).getTime() / 1000;

/** The names of those that fit, as the page would find them. */
function fitting(text: string, runs: readonly Facts[]): string[] {
  const access: RunAccess = {
    run: (id) => {
      const { name, status, startedS, lastSeenS, step, points } = runs[id]!;
      return {
        id,
        name,
        status: status ?? 'finished',
        isStatusKnown: true,
        startedS: startedS ?? null,
        lastSeenS: lastSeenS ?? null,
        lastStep: step ?? null,
        points: points ?? 0,
        sizeBytes: 0,
        readFraction: 1,
        damageCount: 0,
      };
    },
    displayName: (id) => runs[id]!.shown ?? runs[id]!.name,
    labels: (id) => runs[id]!.labels ?? [],
    note: (id) => runs[id]!.note ?? '',
    isFavourite: (id) => runs[id]!.isFavourite ?? false,
    isArchived: (id) => runs[id]!.isArchived ?? false,
    field: (name, id) => runs[id]!.fields?.[name],
    last: (tag, id) => runs[id]!.last?.[tag],
    nowS: NOON_S,
  };
  const fields = [...new Set(runs.flatMap((run) => Object.keys(run.fields ?? {})))];
  const tags = [...new Set(runs.flatMap((run) => Object.keys(run.last ?? {})))];
  const query = bindQuery(parseQuery(text), { fields, tags });
  const places = runs.map(({ name }, id) => ({ id, name }));
  const hits = (source: string): Set<string> => {
    const regex = new RegExp(source, 'i');
    const texts = query.patterns.flatMap(({ textsOf }) => places.flatMap((run) => textsOf(run, access)));
    return new Set(texts.filter((one) => regex.test(one)));
  };
  return places.filter(query.matcher(access, hits)).map(({ name }) => name);
}

function failure(text: string, runs: readonly Facts[]): QueryError {
  try {
    fitting(text, runs);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error('understood');
}

const SWEEP: readonly Facts[] = [
  { name: 'a', fields: { lr: 0.001, optimizer: 'Adam', bn: true }, last: { 'val/acc': 0.95 } },
  { name: 'b', fields: { lr: 0.01, optimizer: 'sgd', bn: false }, last: { 'val/acc': Math.fround(0.9) } },
  { name: 'c', fields: { lr: 0.1 }, last: { 'val/acc': NaN } },
  { name: 'd' },
];

describe('hyper-parameters and metrics', () => {
  test.each([
    ['lr < 0.01', ['a']],
    ['lr <= 0.01', ['a', 'b']],
    ['lr = 1e-2', ['b']],
    ['lr != 0.01', ['a', 'c', 'd']],
    ['not lr < 0.01', ['b', 'c', 'd']],
    ['lr', ['a', 'b', 'c']],
    ['not lr', ['d']],
    ['LR > 0.05', ['c']],
    ['lr in (0.001, 0.1)', ['a', 'c']],
    ['lr not in (0.001, 0.1)', ['b', 'd']],
    ['optimizer = adam', ['a']],
    ['optimizer != adam', ['b', 'c', 'd']],
    ['optimizer ~ "^(adam|sgd)$"', ['a', 'b']],
    ['optimizer !~ a', ['b', 'c', 'd']],
    ['optimizer < b', ['a']],
    ['bn', ['a']],
    ['bn = false', ['b']],
    ['bn = yes', ['a']],
    ['last(val/acc) > 0.9', ['a']],
    ['last(val/acc) = 0.9', ['b']],
    ['last(val/acc) >= 90%', ['a', 'b']],
    ['last(val/acc) = nan', ['c']],
    ['lr < 0.05 and (optimizer = sgd or last(val/acc) > 0.94)', ['a', 'b']],
    ['lr = "0.1"', ['c']],
    ['lr ~ "^0\\.0"', ['a', 'b']],
  ])('%s', (text, expected) => {
    expect(fitting(text, SWEEP)).toEqual(expected);
  });

  test('a name of ours comes first, backquotes mean the hyper-parameter', () => {
    const runs = [
      { name: 'a', step: 5, fields: { step: 100 } },
      { name: 'b', step: 100, fields: { step: 5 } },
    ];
    expect(fitting('step = 5', runs)).toEqual(['a']);
    expect(fitting('`step` = 5', runs)).toEqual(['b']);
  });

  test('where runs disagree about the kind, numbers are still numbers', () => {
    const runs = [
      { name: 'a', fields: { layers: '9' } },
      { name: 'b', fields: { layers: '10' } },
      { name: 'c', fields: { layers: 'auto' } },
    ];
    expect(fitting('layers < 10', runs)).toEqual(['a']);
    expect(fitting('layers = auto', runs)).toEqual(['c']);
  });

  test('whole numbers are told apart where 32-bit floats are not', () => {
    expect(fitting('seed = 16777216', [{ name: 'a', fields: { seed: 16_777_217 } }])).toEqual([]);
  });
});

describe('what people and the log say of a run', () => {
  const runs: readonly Facts[] = [
    {
      name: 'exp/1',
      shown: 'Baseline',
      labels: ['paper', 'best'],
      note: 'kept for *figure 2*',
      isFavourite: true,
    },
    { name: 'exp/2', labels: ['draft'], isArchived: true, status: 'running', step: 12_000, points: 10 },
    { name: 'other', startedS: NOON_S, lastSeenS: NOON_S + 7200, status: 'crashed' },
    { name: 'old', startedS: NOON_S - 7 * 86_400, lastSeenS: NOON_S - 6 * 86_400 },
  ];

  test.each([
    ['name = baseline', ['exp/1']],
    ['name = exp/1', ['exp/1']],
    ['name ~ "^exp/"', ['exp/1', 'exp/2']],
    ['dir = baseline', []],
    ['dir ~ exp', ['exp/1', 'exp/2']],
    ['label = Paper', ['exp/1']],
    ['labels = best', ['exp/1']],
    ['label != paper', ['exp/2', 'other', 'old']],
    ['label in (paper, draft)', ['exp/1', 'exp/2']],
    ['label ~ "^(paper|draft)$"', ['exp/1', 'exp/2']],
    ['label', ['exp/1', 'exp/2']],
    ['not label', ['other', 'old']],
    ['note ~ figure', ['exp/1']],
    ['note', ['exp/1']],
    ['favourite', ['exp/1']],
    ['favourite = false and archived', ['exp/2']],
    ['status = running', ['exp/2']],
    ['status in (running, crashed)', ['exp/2', 'other']],
    ['step > 10k', ['exp/2']],
    ['points >= 10', ['exp/2']],
    ['duration > 1h', ['other', 'old']],
    ['duration = 2h', ['other']],
    ['age < 2d', ['other']],
    ['started = 2026-01-31', ['other']],
    ['started = 2026-01', ['other', 'old']],
    ['started < 2026-01-31', ['old']],
    ['started <= 2026-01-31', ['other', 'old']],
    ['started > 2026-01-31', []],
    ['started >= "2026-01-31 12:00"', ['other']],
    ['started > "2026-01-31 12:00"', []],
    ['started = 2026-01-31T12:00:00', ['other']],
  ])('%s', (text, expected) => {
    expect(fitting(text, runs)).toEqual(expected);
  });
});

describe('mistakes', () => {
  test('a name that nothing has is told, and where it is', () => {
    const error = failure('optimiser = adam', SWEEP);
    expect(error.message).toBe('No run has “optimiser”');
    expect([error.from, error.to]).toEqual([0, 9]);
  });

  test('a metric without last() is told apart from an unknown name', () => {
    expect(failure('val/acc > 1', SWEEP).message).toBe('“val/acc” is a metric: write last(val/acc)');
    expect(failure('last(acc) > 1', SWEEP).message).toBe('No run has a metric “acc”');
  });

  test.each([
    ['step > many', '“many” is no number'],
    ['last(val/acc) = high', '“high” is no number'],
    ['favourite = maybe', 'either true or false'],
    ['favourite > true', 'either true or false'],
    ['started > yesterday', 'is no date'],
    ['name ~ "("', 'Not a regular expression'],
    ['constructor = 1', 'No run has “constructor”'],
    ['__proto__', 'No run has “__proto__”'],
  ])('%s', (text, message) => {
    expect(failure(text, SWEEP).message).toContain(message);
  });

  test('says beforehand whether it needs hyper-parameters', () => {
    expect(needsFields(parseQuery('name ~ a and last(x) > 1'))).toBe(false);
    expect(needsFields(parseQuery('name ~ a or lr > 1'))).toBe(true);
    expect(needsFields(parseQuery('`name` = a'))).toBe(true);
  });
});

test('ten thousand runs are no more than a moment', () => {
  const runs = Array.from({ length: 10_000 }, (_, i) => ({
    name: `sweep/${i}`,
    labels: i % 3 === 0 ? ['paper'] : [],
    fields: { lr: i / 10_000, seed: i },
    last: { loss: Math.sin(i) },
  }));
  const names = fitting('lr < 0.5 and last(loss) > 0 and label = paper', runs);
  expect(names).toHaveLength(runs.filter((run, i) => i < 5000 && i % 3 === 0 && run.last.loss > 0).length);
});
