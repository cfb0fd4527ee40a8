import { describe, expect, test } from 'vitest';
import { amplitudeOf, gainDb, gainText, peakOf } from './gain';

describe('gainDb', () => {
  test('off changes nothing', () => {
    expect(gainDb('off', { peak: 0.01, rms: 0.001 })).toBe(0);
  });

  test('peak brings the loudest sample to -1 dB', () => {
    const decibels = gainDb('peak', { peak: 0.5, rms: 0.1 });
    expect(0.5 * amplitudeOf(decibels)).toBeCloseTo(amplitudeOf(-1));
    expect(gainDb('peak', { peak: 2, rms: 1 })).toBeLessThan(-6);
  });

  test('loudness brings the root mean square to -20 dB, unless it would clip', () => {
    expect(0.2 * amplitudeOf(gainDb('loudness', { peak: 0.5, rms: 0.2 }))).toBeCloseTo(0.1);
    const limited = gainDb('loudness', { peak: 0.9, rms: 0.01 });
    expect(0.9 * amplitudeOf(limited)).toBeCloseTo(amplitudeOf(-1));
  });

  test('silence stays silent, and the nearly silent is not made a roar', () => {
    expect(gainDb('peak', { peak: 0, rms: 0 })).toBe(0);
    expect(gainDb('loudness', { peak: 1e-6, rms: 1e-7 })).toBe(40);
  });
});

test('gains are said with a sign', () => {
  expect(gainText(3.21)).toBe('+3.2 dB');
  expect(gainText(-3.21)).toBe('−3.2 dB');
  expect(gainText(-0.01)).toBe('0.0 dB');
});

test('the peak is on either side', () => {
  expect(peakOf([-0.2, -0.7], [0.5, 0.1])).toBe(0.7);
  expect(peakOf([], [])).toBe(0);
});
