import { describe, expect, it } from 'vitest';
import { FilmClock } from './clock';

function clockOf(endS: number): FilmClock {
  const clock = new FilmClock();
  clock.endS = endS;
  return clock;
}

/** Many small ticks, as animation frames come. */
function run(clock: FilmClock, seconds: number): void {
  for (let i = 0; i < Math.round(seconds * 100); i++) clock.advance(0.01);
}

describe('FilmClock', () => {
  it('moves by its speed while it plays, and not otherwise', () => {
    const clock = clockOf(10);
    run(clock, 1);
    expect(clock.timeS).toBe(0);
    clock.speed = 0.5;
    clock.play();
    run(clock, 1);
    expect(clock.timeS).toBeCloseTo(0.5);
    clock.pause();
    run(clock, 1);
    expect(clock.timeS).toBeCloseTo(0.5);
  });

  it('keeps its speed between a tenth and four', () => {
    const clock = clockOf(1);
    clock.speed = 100;
    expect(clock.speed).toBe(4);
    clock.speed = 0;
    expect(clock.speed).toBe(0.1);
    clock.speed = NaN;
    expect(clock.speed).toBe(0.1);
  });

  it('goes round, keeping what it went too far', () => {
    const clock = clockOf(2);
    clock.seek(1.9);
    clock.play();
    expect(clock.advance(0.2)).toBe(true);
    expect(clock.timeS).toBeCloseTo(0.1);
    expect(clock.isPlaying).toBe(true);
  });

  it('stops in the last moment when it does not repeat, and begins again from there', () => {
    const clock = clockOf(2);
    clock.isLooping = false;
    clock.play();
    run(clock, 3);
    expect(clock.isPlaying).toBe(false);
    expect(clock.timeS).toBeCloseTo(2);
    expect(clock.timeS).toBeLessThan(2);
    clock.play();
    expect(clock.timeS).toBe(0);
  });

  it('repeats a stretch, which it enters from before and from behind', () => {
    const clock = clockOf(10);
    clock.region = { fromS: 2, toS: 3 };
    clock.play();
    run(clock, 2.5);
    expect(clock.timeS).toBeCloseTo(2.5);
    run(clock, 1);
    expect(clock.timeS).toBeCloseTo(2.5);
    clock.seek(8);
    clock.advance(0.01);
    expect(clock.timeS).toBeGreaterThanOrEqual(2);
    expect(clock.timeS).toBeLessThan(3);
  });

  it('plays backwards, round the beginning', () => {
    const clock = clockOf(4);
    clock.seek(0.5);
    clock.play(true);
    run(clock, 1);
    expect(clock.timeS).toBeCloseTo(3.5);
    clock.isLooping = false;
    run(clock, 5);
    expect(clock.timeS).toBe(0);
    expect(clock.isPlaying).toBe(false);
    clock.play(true);
    expect(clock.timeS).toBeCloseTo(4);
  });

  it('stays where it is when a film of another length comes, as far as there is such a place', () => {
    const clock = clockOf(10);
    clock.seek(6);
    clock.endS = 20;
    expect(clock.timeS).toBe(6);
    clock.endS = 3;
    expect(clock.timeS).toBeCloseTo(3);
    expect(clock.timeS).toBeLessThan(3);
  });

  it('ignores a stretch that is empty or beyond the film', () => {
    const clock = clockOf(2);
    clock.region = { fromS: 1, toS: 1 };
    expect(clock.region).toBeNull();
    clock.region = { fromS: 1, toS: 5 };
    expect(clock.stretch).toEqual({ fromS: 0, toS: 2 });
  });

  it('does not make up for the time in which nothing was drawn', () => {
    const clock = clockOf(100);
    clock.play();
    clock.advance(60);
    expect(clock.timeS).toBeLessThan(1);
  });

  it('waits for a film without one', () => {
    const clock = new FilmClock();
    clock.play();
    clock.advance(0.1);
    expect(clock.timeS).toBe(0);
    clock.endS = 1;
    clock.advance(0.1);
    expect(clock.timeS).toBeCloseTo(0.1);
  });
});
