import { describe, expect, it } from 'vitest';
import { correctionFor } from './video-film';

describe('a film that plays by itself', () => {
  it('is left alone when it is where it should be', () => {
    expect(correctionFor(0.005, 1)).toEqual({ isSeek: false, rate: 1 });
    expect(correctionFor(-0.005, 0.25)).toEqual({ isSeek: false, rate: 0.25 });
  });

  it('plays slower when it is ahead and faster when it is behind', () => {
    expect(correctionFor(0.1, 1).rate).toBeLessThan(1);
    expect(correctionFor(-0.1, 1).rate).toBeGreaterThan(1);
    expect(correctionFor(0.1, 1).isSeek).toBe(false);
  });

  it('jumps when it is far away', () => {
    expect(correctionFor(2, 1)).toEqual({ isSeek: true, rate: 1 });
    expect(correctionFor(-2, 1).isSeek).toBe(true);
  });

  it('comes to where it should be, from any small distance and at any speed', () => {
    for (const speed of [0.1, 1, 4]) {
      for (const start of [-0.3, -0.05, 0.05, 0.3]) {
        let aheadS = start;
        for (let i = 0; i < 240; i++) {
          const { isSeek, rate } = correctionFor(aheadS, speed);
          aheadS = isSeek ? 0 : aheadS + (rate - speed) / 60;
        }
        expect(Math.abs(aheadS)).toBeLessThan(Math.max(0.05, Math.abs(start) / 2));
      }
    }
  });

  it('never gets a rate that browsers refuse', () => {
    expect(correctionFor(0.3, 0.1).rate).toBeGreaterThanOrEqual(0.0625);
    expect(correctionFor(0, 40).rate).toBe(16);
  });
});
