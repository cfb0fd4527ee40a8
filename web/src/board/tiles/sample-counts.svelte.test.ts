import { expect, test } from 'vitest';
import type { TagSeries, SeriesFeed } from '../../state/feeds/tag-series.svelte';
import { SampleCounts } from './sample-counts.svelte';

const series = (run: number, samples: number) => ({ run, tag: 'speech', samples }) as TagSeries;

test('a step with more samples counts for its series alone, and until the numbers of runs mean other runs', () => {
  const media = { generation: 0 };
  const counts = new SampleCounts(media as SeriesFeed);
  counts.learn(series(1, 2), 5);
  counts.learn(series(1, 2), 3);
  expect([counts.of(series(1, 2)), counts.of(series(2, 2))]).toEqual([5, 2]);
  media.generation += 1;
  expect(counts.of(series(1, 2))).toBe(2);
});

test('a lying file does not make a million tiles', () => {
  const counts = new SampleCounts({ generation: 0 } as SeriesFeed);
  counts.learn(series(1, 1), 1e9);
  expect(counts.of(series(1, 1))).toBeLessThan(10_000);
});
