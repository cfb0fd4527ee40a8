import { describe, expect, it } from 'vitest';
import { Timeline } from './timeline';

describe('Timeline', () => {
  it('shows each frame from its start until the next one begins', () => {
    const timeline = new Timeline([0, 0.5, 0.75], 2);
    expect([0, 0.49, 0.5, 0.74, 0.75, 1.99].map((timeS) => timeline.frameAt(timeS))).toEqual([
      0, 0, 1, 1, 2, 2,
    ]);
    expect([-1, 99].map((timeS) => timeline.frameAt(timeS))).toEqual([0, 2]);
    expect(timeline.endOf(1)).toBe(0.75);
    expect(timeline.endOf(2)).toBe(2);
  });

  it('takes a time that a container has rounded down for the frame that it means', () => {
    const timeline = new Timeline([0, 1 / 3, 2 / 3], 1);
    expect(timeline.frameAt(0.333)).toBe(1);
    expect(timeline.frameAt(0.332)).toBe(0);
  });

  it('begins at 0, whatever the container counts from, in the order of time', () => {
    const timeline = new Timeline([1.5, 1, 2], 2.5);
    expect([0, 1, 2].map((frame) => timeline.startOf(frame))).toEqual([0, 0.5, 1]);
    expect(timeline.endS).toBe(1.5);
  });

  it('sends players to the middle of a frame, which is that frame again', () => {
    const timeline = Timeline.fromDurations([0.25, 0.1, 0.03, 1]);
    for (let frame = 0; frame < 4; frame++) expect(timeline.frameAt(timeline.middleOf(frame))).toBe(frame);
    expect(timeline.endS).toBeCloseTo(1.38);
  });

  it('shows frames without a duration for a tenth of a second, as browsers do', () => {
    const timeline = Timeline.fromDurations([0, 0.01, 0.02]);
    expect([0, 1, 2].map((frame) => timeline.startOf(frame))).toEqual([0, 0.1, 0.2]);
    expect(timeline.endS).toBeCloseTo(0.22);
  });

  it('has one frame at least, and an end after the last', () => {
    expect(Timeline.even(0.2, 3).count).toBe(1);
    expect(new Timeline([0, 1], 0).endS).toBeGreaterThan(1);
    expect(() => new Timeline([], 1)).toThrow();
  });
});
