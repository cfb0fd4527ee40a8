import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatAbsolute, formatDate, formatDuration, formatMoment, formatRelative, formatSpan } from './time';

describe('a duration', () => {
  it.each([
    [0, '0 s'],
    [0.0349, '0.035 s'],
    [0.35, '0.35 s'],
    [0.996, '1 s'],
    [4.26, '4.3 s'],
    [42.4, '42 s'],
    [59.7, '1 min 00 s'],
    [303, '5 min 03 s'],
    [3599.6, '1 h 00 min'],
    [7500, '2 h 05 min'],
    [86_399, '1 d 00 h'],
    [3 * 86_400 + 4 * 3600, '3 d 04 h'],
    [-90, '−1 min 30 s'],
  ])('of %f s reads %s', (seconds, text) => {
    expect(formatDuration(seconds)).toBe(text);
  });

  it('that is not a number is empty', () => {
    expect(formatDuration(NaN)).toBe('');
  });
});

describe('a span', () => {
  it.each([
    [0, '0.00s'],
    [12.34, '12.3s'],
    [59.97, '1m 00s'],
    [192, '3m 12s'],
    [3599.6, '1h 00m'],
    [7500, '2h 05m'],
    [7559, '2h 06m'],
    [273600, '3d 04h'],
    [-5, '−5.00s'],
    [NaN, '–'],
  ])('of %f s is %s, rounded as durations are', (spanS, text) => {
    expect(formatSpan(spanS)).toBe(text);
  });
});

describe('a moment', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('that is no time is a dash', () => {
    expect(formatMoment(NaN)).toBe('–');
    expect(formatMoment(1e30)).toBe('–');
  });

  it('has the day and the second', () => {
    vi.useFakeTimers({ now: new Date(2026, 10, 17) });
    expect(formatMoment(new Date(2026, 1, 9, 4, 3, 22).getTime() / 1000)).toBe('09 Feb 04:03:22');
  });

  it('of another year has the year', () => {
    vi.useFakeTimers({ now: new Date(2026, 0, 1) });
    expect(formatMoment(new Date(2025, 11, 31, 23, 59, 59).getTime() / 1000)).toBe('31 Dec 2025 23:59:59');
    expect(formatMoment(new Date(2027, 0, 1).getTime() / 1000)).toBe('01 Jan 2027 00:00:00');
  });
});

describe('a relative time', () => {
  const now = 1_770_000_000;
  it.each([
    [3, 'just now'],
    [-60, 'just now'],
    [-600, 'in 10 min'],
    [45, '45 s ago'],
    [200, '3 min ago'],
    [7199, '1 h ago'],
    [2 * 86_400 + 5, '2 d ago'],
  ])('%d s back reads %s', (ago, text) => {
    expect(formatRelative(now - ago, now)).toBe(text);
  });

  it('of long ago is the date', () => {
    const time = now - 40 * 86_400;
    expect(formatRelative(time, now)).toBe(formatDate(time));
  });
});

describe('an absolute time', () => {
  it('is in the local time zone, biggest part first', () => {
    const time = new Date(2026, 1, 9, 4, 3, 2).getTime() / 1000;
    expect(formatAbsolute(time)).toBe('2026-02-09 04:03:02');
  });

  it('that no calendar has is empty', () => {
    expect(formatAbsolute(Infinity)).toBe('');
  });
});
