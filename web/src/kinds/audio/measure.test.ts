import { expect, test } from 'vitest';
import { measured } from './measure';

function sound(...channels: number[][]) {
  return {
    length: channels[0]?.length ?? 0,
    numberOfChannels: channels.length,
    getChannelData: (i: number) => Float32Array.from(channels[i]!),
  };
}

test('least and greatest of all channels in equal stretches, and how loud it all is', async () => {
  const { least, greatest, peak, rms } = await measured(sound([0, 0.5, -0.25, 0], [0.75, 0, 0, -0.5]), 2);
  expect(least).toEqual([0, -0.5]);
  expect(greatest).toEqual([0.75, 0]);
  expect(peak).toBe(0.75);
  expect(rms).toBeCloseTo(Math.sqrt((0.25 + 0.0625 + 0.5625 + 0.25) / 8));
});

test('no more stretches than samples, and none of no sound', async () => {
  expect((await measured(sound([1, -1]), 10)).least).toEqual([1, -1]);
  expect(await measured(sound([]), 10)).toEqual({ least: [], greatest: [], peak: 0, rms: 0 });
});
