// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { expect, it } from 'vitest';
import { PointedThreshold } from './pointed-threshold.svelte';

it('is let go by the plot that has the pointer, also when that goes away', () => {
  const pointed = new PointedThreshold();
  const say: ((threshold: number | null) => void)[] = [];
  const ends = [0, 1].map((i) => $effect.root(() => void (say[i] = pointed.voice())));
  flushSync();
  say[0]!(0.25);
  say[1]!(0.5);
  say[0]!(null);
  ends[0]!();
  expect(pointed.at).toBe(0.5);
  ends[1]!();
  expect(pointed.at).toBeNull();
});
