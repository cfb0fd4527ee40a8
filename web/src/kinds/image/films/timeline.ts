// When each frame of a film is shown. Times are seconds of the film, from 0; frames are counted from 0 and stand until the
// next one begins. Every film has at least one frame.
import { upperBound } from '../../../base/arrays';

/** More frames than anybody steps through: nine hours at thirty a second. */
export const MOST_FRAMES = 1_000_000;

/** Containers round times to their clock; a time this little before a frame means that frame. */
const ROUNDING_S = 0.0005;
/** Browsers show a GIF's frame for a tenth of a second where it asks for (nearly) none. */
const SHORTEST_S = 0.011;
const INSTEAD_OF_NONE_S = 0.1;

export class Timeline {
  /** Ascending, the first is 0. */
  readonly #startsS: Float64Array;
  readonly endS: number;

  /** Starts in any order; they are moved so that the first one is at 0. `endS` counts from the same zero as the starts. */
  constructor(startsS: ArrayLike<number>, endS: number) {
    const sorted = Float64Array.from(startsS).sort();
    if (sorted.length === 0) throw new Error('A film has at least one frame');
    const firstS = sorted[0]!;
    this.#startsS = sorted.map((startS) => startS - firstS);
    this.endS = Math.max(endS - firstS, this.#startsS.at(-1)! + ROUNDING_S);
  }

  /** A film of so many equally long frames. */
  static even(count: number, durationS: number): Timeline {
    const whole = Math.max(1, Math.round(count));
    return new Timeline(
      Float64Array.from({ length: whole }, (_, frame) => (frame * durationS) / whole),
      durationS,
    );
  }

  /** From how long each frame is shown, as a GIF says it. */
  static fromDurations(durationsS: readonly number[]): Timeline {
    let atS = 0;
    const startsS = durationsS.map((durationS) => {
      const startS = atS;
      atS += durationS < SHORTEST_S ? INSTEAD_OF_NONE_S : durationS;
      return startS;
    });
    return new Timeline(startsS, atS);
  }

  get count(): number {
    return this.#startsS.length;
  }

  /** The frame that is shown at this time; the first before the film, the last after it. */
  frameAt(timeS: number): number {
    return Math.max(0, upperBound(this.#startsS, timeS + ROUNDING_S) - 1);
  }

  startOf(frame: number): number {
    return this.#startsS[this.clamped(frame)]!;
  }

  endOf(frame: number): number {
    const whole = this.clamped(frame);
    return whole === this.count - 1 ? this.endS : this.#startsS[whole + 1]!;
  }

  /** Where a player that is sent to a time shows this frame and no neighbour. */
  middleOf(frame: number): number {
    return (this.startOf(frame) + this.endOf(frame)) / 2;
  }

  clamped(frame: number): number {
    return Math.min(Math.max(Math.round(frame), 0), this.count - 1);
  }
}
