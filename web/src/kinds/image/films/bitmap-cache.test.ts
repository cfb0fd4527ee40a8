import { describe, expect, it } from 'vitest';
import { BitmapCache } from './bitmap-cache';

class FakeBitmap {
  isClosed = false;
  constructor(readonly frame: number) {}
  close(): void {
    this.isClosed = true;
  }
}

/** Enough turns for everything that was asked for to arrive. */
async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

function cacheOf(count: number, room: number | (() => number), broken: readonly number[] = []) {
  const made: FakeBitmap[] = [];
  const cache = new BitmapCache<FakeBitmap>({
    count,
    room: typeof room === 'number' ? () => room : room,
    decode: (frame) => {
      if (broken.includes(frame)) return Promise.reject(new Error('damaged'));
      const bitmap = new FakeBitmap(frame);
      made.push(bitmap);
      return Promise.resolve(bitmap);
    },
  });
  return { cache, made };
}

describe('BitmapCache', () => {
  it('decodes what is asked for, and what comes next', async () => {
    const { cache, made } = cacheOf(20, 6);
    const ready: number[] = [];
    cache.onready = (frame) => ready.push(frame);
    expect(cache.get(18)).toBeUndefined();
    await settle();
    expect(ready).toContain(18);
    expect(cache.get(18)?.frame).toBe(18);
    // Round the end: films are repeated.
    expect(made.map(({ frame }) => frame)).toEqual(expect.arrayContaining([18, 19, 0]));
  });

  it('keeps no more than there is room for, and those near the one that is shown', async () => {
    const { cache, made } = cacheOf(100, 4);
    for (let frame = 0; frame < 60; frame++) {
      cache.get(frame);
      await settle();
      expect(cache.size).toBeLessThanOrEqual(4);
    }
    const open = made.filter(({ isClosed }) => !isClosed);
    expect(open).toHaveLength(cache.size);
    expect(open.every(({ frame }) => Math.abs(frame - 59) <= 4)).toBe(true);
  });

  it('keeps fewer as soon as there is less room, and more again later', async () => {
    let room = 6;
    const { cache, made } = cacheOf(100, () => room);
    const walk = async (from: number): Promise<void> => {
      for (let frame = from; frame < from + 10; frame++) {
        cache.get(frame);
        await settle();
      }
    };
    await walk(0);
    expect(cache.size).toBe(6);
    room = 3;
    cache.makeRoom();
    expect(cache.size).toBe(3);
    expect(made.filter(({ isClosed }) => !isClosed)).toHaveLength(3);
    expect(cache.get(9)?.frame).toBe(9);
    room = 8;
    await walk(10);
    expect(cache.size).toBe(8);
  });

  it('never keeps fewer than two, however large a frame is', async () => {
    const { cache } = cacheOf(10, 0.001);
    cache.get(3);
    await settle();
    expect(cache.get(3)?.frame).toBe(3);
  });

  it('tells of a frame that cannot be decoded, and asks once', async () => {
    const { cache } = cacheOf(3, 3, [1]);
    const ready: number[] = [];
    cache.onready = (frame) => ready.push(frame);
    cache.get(1);
    await settle();
    cache.get(1);
    await settle();
    expect(cache.isBroken(1)).toBe(true);
    expect(ready.filter((frame) => frame === 1)).toHaveLength(1);
  });

  it('closes everything, also what arrives later', async () => {
    const { cache, made } = cacheOf(10, 4);
    cache.get(0);
    cache.close();
    await settle();
    expect(made.every(({ isClosed }) => isClosed)).toBe(true);
  });
});
