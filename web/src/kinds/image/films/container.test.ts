import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readContainer } from './container';
import { FILMS, filmBytes } from './test-films';
import type { Timeline } from './timeline';

const typeOf = (name: string): string => (name === 'webm' || name === 'vp8' ? 'video/webm' : 'video/mp4');
const read = (name: keyof typeof FILMS) => readContainer(filmBytes(name), typeOf(name));

function startsOf(timeline: Timeline | null): number[] {
  if (timeline === null) return [];
  return Array.from(
    { length: timeline.count },
    (_, frame) => Math.round(timeline.startOf(frame) * 1e4) / 1e4,
  );
}

describe('readContainer', () => {
  it.each([
    ['mp4', 'H.264', [0, 0.1, 0.2, 0.3, 0.4]],
    ['gaps', 'H.264', [0, 0.1, 0.4, 0.5, 0.9]],
    ['mpeg4', 'MPEG-4 Part 2', [0, 0.1, 0.2, 0.3, 0.4]],
    ['webm', 'VP9', [0, 0.1, 0.2, 0.3, 0.4]],
    ['vp8', 'VP8', [0, 0.1, 0.2, 0.3, 0.4]],
  ] as const)('%s: knows the codec and when each frame is shown', (name, codec, startsS) => {
    const index = read(name);
    expect(index.codec).toBe(codec);
    expect(index.problem).toBe('');
    expect(index.offsetS).toBeCloseTo(0);
    expect(startsOf(index.timeline)).toEqual(startsS);
    const { endS } = index.timeline!;
    expect(endS).toBeGreaterThan(startsS.at(-1)!);
    expect(endS).toBeLessThan(startsS.at(-1)! + 0.11);
  });

  it('knows the codec of a film in fragments, and says that it does not know its frames', () => {
    expect(read('frag')).toMatchObject({ codec: 'H.264', timeline: null, problem: '' });
  });

  it('says what is wrong with files that are cut off', () => {
    const whole = filmBytes('mp4');
    // The table comes last in this one.
    expect(readContainer(whole.slice(0, 600), 'video/mp4').problem).toContain('no table of its frames');
    expect(readContainer(filmBytes('webm').slice(0, 30), 'video/webm').problem).toContain('cut off');
    const cut = readContainer(filmBytes('webm').slice(0, 580), 'video/webm');
    expect(cut).toMatchObject({ codec: 'VP9', problem: 'The file is cut off.' });
    expect(cut.timeline!.count).toBeLessThan(5);
  });

  it('does not believe a table of four billion frames', () => {
    const bytes = filmBytes('gaps');
    const at = new TextDecoder('latin1').decode(bytes).indexOf('stts');
    new DataView(bytes.buffer).setUint32(at + 12, 0xffff_ffff);
    expect(readContainer(bytes, 'video/mp4').timeline).toBeNull();
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
          const { timeline } = readContainer(bytes, typeOf(name));
          if (timeline === null) return;
          for (const frame of [0, timeline.count - 1]) {
            expect(Number.isFinite(timeline.middleOf(frame))).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
