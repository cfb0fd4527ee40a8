import { describe, expect, test, vi } from 'vitest';
import { DecodedSounds, isLong, isTooLong } from './decoding';

const MEASURES = { is_decoded: true, size_bytes: 1000, duration_s: 10, rate_hz: 48_000, channels: 2 };

test('long sounds are known before they are decoded', () => {
  expect(isLong(MEASURES)).toBe(false);
  expect(isLong({ ...MEASURES, duration_s: 601 })).toBe(true);
  expect(isLong({ ...MEASURES, channels: 40 })).toBe(true);
  const unknown = { ...MEASURES, is_decoded: false, duration_s: 0, rate_hz: 0, channels: 0 };
  expect(isLong(unknown)).toBe(false);
  expect(isLong({ ...unknown, size_bytes: 9_000_000 })).toBe(true);
  // An hour of mono can be decoded if somebody wants it, two hours of stereo cannot.
  expect(isTooLong({ ...MEASURES, duration_s: 3600, rate_hz: 16_000, channels: 1 })).toBe(false);
  expect(isTooLong({ ...MEASURES, duration_s: 7200 })).toBe(true);
  expect(isTooLong({ ...unknown, size_bytes: 70_000_000 })).toBe(true);
});

describe('DecodedSounds', () => {
  const buffer = (length: number) => ({ length, numberOfChannels: 1 }) as AudioBuffer;
  const load = (length: number) => () => Promise.resolve(new Blob([new Uint8Array(length)]));
  const decode = vi.fn((blob: Blob) => Promise.resolve(buffer(blob.size)));

  test('decodes once, and forgets what was used longest ago', async () => {
    decode.mockClear();
    const sounds = new DecodedSounds(decode, 400);
    await sounds.get('a', 0, load(50));
    await sounds.get('b', 0, load(50));
    await sounds.get('a', 0, load(50));
    expect(decode).toHaveBeenCalledTimes(2);
    await sounds.get('c', 0, load(50)); // 600 bytes: b goes
    await sounds.get('a', 0, load(50));
    expect(decode).toHaveBeenCalledTimes(3);
    await sounds.get('b', 0, load(50));
    expect(decode).toHaveBeenCalledTimes(4);
  });

  test('keeps a sound that is larger than everything it may keep for as long as it is the last', async () => {
    decode.mockClear();
    const sounds = new DecodedSounds(decode, 10);
    await sounds.get('a', 0, load(50));
    await sounds.get('a', 0, load(50));
    expect(decode).toHaveBeenCalledTimes(1);
  });

  test('tries again after a failure', async () => {
    const sounds = new DecodedSounds(decode, 400);
    await expect(sounds.get('a', 0, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    await expect(sounds.get('a', 0, load(5))).resolves.toEqual(buffer(5));
  });
});
