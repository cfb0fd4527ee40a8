// Plays steps like a film. The clock says which step is due; what is in sight is waited for, and the steps that were due in the
// meantime are left out: on a slow connection a film has fewer pictures, it does not fall behind.
import { tick } from 'svelte';

export const SPEEDS = [1, 2, 5, 10, 15, 30] as const;
export type Speed = (typeof SPEEDS)[number];

/** Nobody waits longer than this for one picture. */
const LONGEST_WAIT_MS = 3000;

export interface PlayerOptions {
  /** How many steps there are now; more may come while it plays. */
  readonly count: () => number;
  readonly index: () => number;
  readonly show: (index: number) => void;
  /** Resolves when all that is in sight has arrived. */
  readonly settled: () => Promise<void>;
  readonly nowMs?: () => number;
  /** Resolves after so many milliseconds, at a frame of the browser. */
  readonly wait?: (ms: number) => Promise<void>;
}

export class StepPlayer {
  readonly #options: PlayerOptions;
  readonly #nowMs: () => number;
  readonly #wait: (ms: number) => Promise<void>;
  isPlaying = $state(false);
  /** Another one for each play: an old one that comes back from waiting finds that it is over. */
  #turn = 0;
  speed = $state<Speed>(5);

  constructor(options: PlayerOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#wait = options.wait ?? waitForFrame;
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else void this.play();
  }

  pause(): void {
    this.#turn += 1;
    this.isPlaying = false;
  }

  /** From where it is; from the beginning at the end. Resolves when it is over. */
  async play(): Promise<void> {
    const { count, index, show } = this.#options;
    if (count() < 2) return;
    const turn = ++this.#turn;
    this.isPlaying = true;
    let at = index();
    if (at >= count() - 1) {
      at = 0;
      show(at);
    }
    let sinceMs = this.#nowMs();
    while (this.#turn === turn && at < count() - 1) {
      await tick();
      await Promise.race([this.#options.settled(), this.#wait(LONGEST_WAIT_MS)]);
      const gapMs = 1000 / this.speed;
      const leftMs = gapMs - (this.#nowMs() - sinceMs);
      if (leftMs > 0) await this.#wait(leftMs);
      if (this.#turn !== turn) return;
      const due = Math.max(1, Math.floor((this.#nowMs() - sinceMs) / gapMs));
      sinceMs += due * gapMs;
      at = Math.min(at + due, count() - 1);
      show(at);
    }
    if (this.#turn === turn) this.pause();
  }
}

function waitForFrame(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(() => requestAnimationFrame(() => resolve()), Math.max(0, ms - 8));
  });
}
