// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { RegexRunner } from '../../../state/regex-runner';
import { fromPython, TagExpressions } from './tag-expressions.svelte';

const TAGS = ['Loss', 'loss', 'loss/a', 'train/loss'];

/** Without a worker: the answers come at once. */
async function matched(expression: string, tags: readonly string[] = TAGS) {
  const expressions = new TagExpressions(new RegexRunner(() => null));
  expressions.ask([expression], tags);
  await new Promise((resolve) => setTimeout(resolve));
  return expressions.get(expression);
}

test('match from the beginning of the tag on, and tell capital letters', async () => {
  expect((await matched('loss'))?.tags).toEqual(['loss', 'loss/a']);
  expect((await matched('.*loss$'))?.tags).toEqual(['loss', 'train/loss']);
  expect((await matched('a|loss'))?.tags).toEqual(['loss', 'loss/a']);
});

test('are those of Python', async () => {
  expect((await matched('(?i)LOSS'))?.tags).toEqual(['Loss', 'loss', 'loss/a']);
  expect((await matched('(?P<what>loss)/'))?.tags).toEqual(['loss/a']);
  expect((await matched('\\Aloss\\Z'))?.tags).toEqual(['loss']);
  expect(fromPython('\\\\Z').source).toBe('^(?:\\\\Z)');
});

test('one that is none has a reason', async () => {
  const { tags, error } = (await matched('loss('))!;
  expect(tags).toEqual([]);
  expect(error).toMatch(/^Not a regular expression/);
});

test('blanks that Python would skip are not taken for text', async () => {
  for (const expression of ['(?x)loss', '(?ix) loss # a comment']) {
    expect(await matched(expression)).toEqual({
      tags: [],
      error: 'Not supported on this page: the flag x of Python',
    });
  }
});

test('are asked again when there are other tags, and not otherwise', async () => {
  const asked: string[] = [];
  const runner = {
    matching: (source: string, names: readonly string[]) => {
      asked.push(`${source} ${names.length}`);
      return Promise.resolve(new Set(names));
    },
    destroy: () => undefined,
  };
  const expressions = new TagExpressions(runner);
  expressions.ask(['a'], TAGS);
  expressions.ask(['a', 'b'], TAGS);
  expressions.ask(['a'], [...TAGS, 'more']);
  await Promise.resolve();
  expect(asked).toEqual(['^(?:a) 4', '^(?:b) 4', '^(?:a) 5']);
});
