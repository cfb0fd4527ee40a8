// The one clock that films follow: where in the film we are, in seconds, and how it moves on. It knows no time of its own;
// whoever draws says how much has passed, so that the clock waits while a film is not ready, and tests need no real time.

export interface Stretch {
  readonly fromS: number;
  readonly toS: number;
}

export const SLOWEST = 0.1;
export const FASTEST = 4;
/** The last moment that still belongs to a stretch. */
const BEFORE_END_S = 1e-6;
/** A page in the background draws nothing; what passed meanwhile is not made up for. */
const LONGEST_TICK_S = 0.25;

export class FilmClock {
  #timeS = 0;
  #endS = 0;
  #speed = 1;
  #region: Stretch | null = null;
  isPlaying = false;
  isBackwards = false;
  isLooping = true;

  get timeS(): number {
    return this.#timeS;
  }

  /** Seconds of film in a second. */
  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    if (Number.isFinite(speed)) this.#speed = Math.min(Math.max(speed, SLOWEST), FASTEST);
  }

  get endS(): number {
    return this.#endS;
  }

  /** Another film, or another longest one: the position stays where it is as long as there is such a place. */
  set endS(endS: number) {
    this.#endS = Math.max(0, endS);
    this.seek(this.#timeS);
  }

  /** What is repeated, or played once; null: everything. */
  get region(): Stretch | null {
    return this.#region;
  }

  set region(region: Stretch | null) {
    this.#region = region !== null && region.toS - region.fromS > BEFORE_END_S ? region : null;
  }

  /** What is played now: the region, as far as there is film. */
  get stretch(): Stretch {
    const { fromS, toS } = this.#region ?? { fromS: 0, toS: this.#endS };
    return toS <= this.#endS && fromS < toS ? { fromS, toS } : { fromS: 0, toS: this.#endS };
  }

  seek(timeS: number): void {
    this.#timeS = Math.min(Math.max(timeS, 0), Math.max(0, this.#endS - BEFORE_END_S));
  }

  /** From the beginning again when there is nothing left to play in this direction. */
  play(isBackwards = false): void {
    const { fromS, toS } = this.stretch;
    const isAtEnd = isBackwards ? this.#timeS <= fromS : this.#timeS >= toS - 2 * BEFORE_END_S;
    if (isAtEnd) this.#timeS = isBackwards ? Math.max(fromS, toS - BEFORE_END_S) : fromS;
    this.isBackwards = isBackwards;
    // Also before there is a film: it plays as soon as it is there.
    this.isPlaying = true;
  }

  pause(): void {
    this.isPlaying = false;
  }

  /** So much time has passed. Returns whether the position jumped, as at the end of a loop. */
  advance(passedS: number): boolean {
    if (!this.isPlaying) return false;
    const step = Math.min(Math.max(passedS, 0), LONGEST_TICK_S) * this.#speed;
    const { fromS, toS } = this.stretch;
    const lengthS = toS - fromS;
    if (lengthS <= 0) return false;
    const before = this.#timeS;
    const next = this.isBackwards ? before - step : before + step;
    // From outside of the stretch we come in, as when B was set before the place where we are; only its far end turns us back.
    const isPast = this.isBackwards ? next < fromS && before >= fromS : next >= toS && before < toS;
    const isBeyond = this.isBackwards ? before < fromS : before >= toS;
    if (!isPast && !isBeyond) {
      this.seek(next);
      return false;
    }
    if (!this.isLooping) {
      this.seek(this.isBackwards ? fromS : toS - BEFORE_END_S);
      this.isPlaying = false;
      return isBeyond;
    }
    const overS = (this.isBackwards ? fromS - next : next - toS) % lengthS;
    this.seek(this.isBackwards ? toS - BEFORE_END_S - overS : fromS + overS);
    return true;
  }
}
