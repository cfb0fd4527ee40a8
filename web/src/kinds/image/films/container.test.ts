import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readContainer } from './container';
import { FILMS, filmBytes } from './test-films';
import type { Timeline } from './timeline';

const typeOf = (name: string): string => (name === 'webm' || name === 'vp8' ? 'video/webm' : 'video/mp4');
const read = (name: keyof typeof FILMS) => readContainer(filmBytes(name), typeOf(name));

function startsOf(timeline: Timeline): number[] {
  return Array.from(
    { length: timeline.count },
    (_, frame) => Math.round(timeline.startOf(frame) * 1e4) / 1e4,
  );
}

describe('readContainer', () => {
  it.each([
    ['mp4', [0, 0.1, 0.2, 0.3, 0.4]],
    ['gaps', [0, 0.1, 0.4, 0.5, 0.9]],
    ['mpeg4', [0, 0.1, 0.2, 0.3, 0.4]],
    ['webm', [0, 0.1, 0.2, 0.3, 0.4]],
    ['vp8', [0, 0.1, 0.2, 0.3, 0.4]],
  ] as const)('%s: knows when each frame is shown', (name, startsS) => {
    const { timeline, offsetS } = read(name)!;
    expect(offsetS).toBeCloseTo(0);
    expect(startsOf(timeline)).toEqual(startsS);
    expect(timeline.endS).toBeGreaterThan(startsS.at(-1)!);
    expect(timeline.endS).toBeLessThan(startsS.at(-1)! + 0.11);
  });

  it('knows no frames of a film in fragments, and none where the table is cut off', () => {
    expect(read('frag')).toBeNull();
    // The table comes last in this one.
    expect(readContainer(filmBytes('mp4').slice(0, 600), 'video/mp4')).toBeNull();
    expect(readContainer(filmBytes('webm').slice(0, 30), 'video/webm')).toBeNull();
  });

  it('knows the frames that are left of a WebM that is cut off', () => {
    const { timeline } = readContainer(filmBytes('webm').slice(0, 580), 'video/webm')!;
    expect(startsOf(timeline)).toEqual([0, 0.1, 0.2, 0.3].slice(0, timeline.count));
    expect(timeline.count).toBeLessThan(5);
  });

  it('does not believe a table of four billion frames', () => {
    const bytes = filmBytes('gaps');
    const at = new TextDecoder('latin1').decode(bytes).indexOf('stts');
    new DataView(bytes.buffer).setUint32(at + 12, 0xffff_ffff);
    expect(readContainer(bytes, 'video/mp4')).toBeNull();
  });

  it('survives whatever is done to a file', () => {
    const names = Object.keys(FILMS) as (keyof typeof FILMS)[];
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.array(fc.tuple(fc.nat(1600), fc.nat(255)), { maxLength: 12 }),
        fc.nat(1700),
        (name, changes, length) => {
          const bytes = filmBytes(name).slice(0, length);
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          const timeline = readContainer(bytes, typeOf(name))?.timeline;
          if (timeline === undefined) return;
          for (const frame of [0, timeline.count - 1]) {
            expect(Number.isFinite(timeline.middleOf(frame))).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
