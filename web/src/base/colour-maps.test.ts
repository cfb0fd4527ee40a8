import { describe, expect, it } from 'vitest';
import { colourIn } from './colour-maps';

const bytes = (...args: Parameters<typeof colourIn>) =>
  colourIn(...args).map((value) => Math.round(value * 255));

describe('false colours', () => {
  // Read off Matplotlib's own maps with 256 entries.
  it.each([
    ['viridis', 0, [68, 1, 84]],
    ['viridis', 100 / 255, [42, 118, 142]],
    ['viridis', 1, [253, 231, 37]],
    ['magma', 100 / 255, [137, 40, 129]],
    ['turbo', 100 / 255, [63, 246, 138]],
    ['coolwarm', 128 / 255, [221, 220, 220]],
  ] as const)('are those of %s at %f', (map, value, expected) => {
    const colour = bytes(map, value);
    for (const [channel, wanted] of expected.entries()) {
      expect(Math.abs(colour[channel]! - wanted)).toBeLessThanOrEqual(4);
    }
  });

  it('end where the map ends', () => {
    expect(bytes('magma', 7)).toEqual(bytes('magma', 1));
    expect(bytes('magma', -1)).toEqual([0, 0, 4]);
  });

  it('are grey without a map', () => {
    expect(colourIn('none', 0.25)).toEqual([0.25, 0.25, 0.25]);
  });
});
