// @vitest-environment happy-dom
import { tick } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Grouping } from '../../../state/types';
import { cardSpecOf } from '../card-spec';
import { ThemeWatch } from '../../../board/plot/chart-theme.svelte';
import { CursorBus } from '../../../board/plot/cursor-bus';
import { fakePage, fakeRun, fakeTag } from '../fake-page.svelte';
import { wireGroup, wireSeries } from '../fakes';
import { CardMemories, type ChartContext } from '../chart-context.svelte';
import { FigureSource } from './figure-source.svelte';

const GROUPING: Grouping = {
  by: { kind: 'folder', depth: 1 },
  center: 'mean',
  band: 'std',
  areMembersShown: true,
};

let fake: ReturnType<typeof fakePage>;
let source: FigureSource;
let isDone: boolean;

beforeEach(() => {
  fake = fakePage([fakeTag('loss', [0, 1])], [fakeRun(0, 'wide/a'), fakeRun(1, 'wide/b')]);
  fake.view.grouping = GROUPING;
  fake.runs.groups = [{ key: 'wide', label: 'Wide', runs: [0, 1] }];
  // Only what a card without a screen uses is there.
  const context = {
    cursor: new CursorBus(),
    theme: new ThemeWatch(),
    memories: new CardMemories(),
    isTouch: false,
    reading: null,
    speak: () => {},
  } as unknown as ChartContext;
  source = new FigureSource(fake.page, context, cardSpecOf(fake.page, 'loss')!, 800);
  isDone = false;
  void source.settled(new AbortController().signal).then(() => (isDone = true));
});
afterEach(() => source.close());

async function turns(): Promise<void> {
  for (let i = 0; i < 5; i++) await tick();
}

test('a figure waits for its groups, also when their members are there', async () => {
  await turns();
  fake.lines.answer('loss', [wireSeries([1, 2], { run: 0 }), wireSeries([3, 4], { run: 1 })]);
  await turns();
  expect(source.state).toBe('shown');
  expect(isDone).toBe(false);
  // What groups need is a chunk of its own.
  await vi.waitFor(() => expect(fake.lines.groupsAskedFor('loss')).toEqual([[[0, 1]]]));
  await turns();
  expect(isDone).toBe(false);
  fake.lines.answerGroups('loss', [wireGroup([0, 1], [2, 3])]);
  await turns();
  expect(isDone).toBe(true);
  expect(source.content!.series.map(({ label }) => label)).toEqual(['wide/a', 'wide/b', 'Wide']);
});

test('a figure whose groups are refused does not wait for ever, and says so', async () => {
  await turns();
  fake.lines.answer('loss', [wireSeries([1, 2], { run: 0 })]);
  await vi.waitFor(() => expect(fake.lines.groupsAskedFor('loss')).toEqual([[[0, 1]]]));
  fake.lines.answerGroups('loss', [], { isPartial: true, error: 'Too many groups' });
  await turns();
  expect(isDone).toBe(true);
  expect(source.error).toBe('Too many groups');
});
