// Test support: a clock for the scheduler whose frames run when the test says so, so that no test waits or depends on speed.
import type { FrameClock } from './scheduler';

/** Time that only moves when told to, and frames that only run when asked for. */
export class ManualClock implements FrameClock {
  timeMs = 0;
  #callbacks = new Map<number, () => void>();
  #nextId = 1;

  nowMs(): number {
    return this.timeMs;
  }

  requestFrame(callback: () => void): number {
    this.#callbacks.set(this.#nextId, callback);
    return this.#nextId++;
  }

  cancelFrame(id: number): void {
    this.#callbacks.delete(id);
  }

  get hasFrame(): boolean {
    return this.#callbacks.size > 0;
  }

  /** Runs the frame that was asked for, if any. */
  runFrame(): void {
    const callbacks = [...this.#callbacks.values()];
    this.#callbacks.clear();
    this.timeMs += 16;
    for (const callback of callbacks) callback();
  }

  /** Runs frames until nobody asks for one. */
  runAll(): void {
    for (let frame = 0; this.hasFrame; frame++) {
      if (frame > 1000) throw new Error('frames are asked for without end');
      this.runFrame();
    }
  }
}
