import { expect, test } from 'vitest';
import { measured } from './measure';

function sound(...channels: number[][]) {
  return {
    length: channels[0]?.length ?? 0,
    numberOfChannels: channels.length,
    getChannelData: (i: number) => Float32Array.from(channels[i]!),
  };
}

test('least and greatest of all channels in equal stretches', async () => {
  const { least, greatest } = await measured(sound([0, 0.5, -0.25, 0], [0.75, 0, 0, -0.5]), 2);
  expect(least).toEqual([0, -0.5]);
  expect(greatest).toEqual([0.75, 0]);
});

test('no more stretches than samples, and none of no sound', async () => {
  expect((await measured(sound([1, -1]), 10)).least).toEqual([1, -1]);
  expect(await measured(sound([]), 10)).toEqual({ least: [], greatest: [] });
});
