import { expect, it } from 'vitest';
import { parseQuery } from '../../state/run-query';
import { queryExamples } from './query-examples';

it('are made of what the log has, and can be read', () => {
  const values: Record<string, number | string> = { 'batch size': 32, optimizer: 'adam' };
  const examples = queryExamples({
    fields: ['optimizer', 'batch size'],
    value: (name) => values[name],
    tags: ['train/loss', 'val/accuracy'],
    labels: ['for "the" paper'],
  });
  expect(examples).toContain('`batch size` <= 32');
  expect(examples).toContain('last(val/accuracy) > 0.5');
  expect(examples).toContain(`label = 'for "the" paper'`);
  for (const example of examples) expect(() => parseQuery(example)).not.toThrow();
});

it('leave out what there is nothing of', () => {
  expect(queryExamples({ fields: [], value: () => undefined, tags: [], labels: [] })).toEqual([
    'favourite',
    'status = running',
    'age < 7d',
  ]);
});
