// The page's one owner of animation frames for drawing. Charts queue work; each frame the scheduler first does what the
// pointer waits for (overlays: all of them), then draws queued charts, visible ones first, until the frame's budget is
// used up, and goes on in the next frame.
//
// Time alone cannot be the budget: a canvas records strokes and turns them into pixels after the script has returned, so a
// script that took 3 ms may cost 60. Work is therefore also counted in points, and how many points fit is learnt from
// the distance of the frames while there is work.

/** Time and frames, so that tests can bring their own. */
export interface FrameClock {
  nowMs(): number;
  requestFrame(callback: () => void): number;
  cancelFrame(id: number): void;
}

/** What a piece of work may use of this frame. */
export interface FrameBudget {
  /** Work was done: so many points were drawn. */
  spend(points: number): void;
  readonly isSpent: boolean;
}

/** Something that draws in slices. */
export interface FrameTask {
  /** Whether someone sees it now; those are drawn first. */
  isVisible(): boolean;
  /** Draws until done (true) or until the budget is spent (false: called again in the next frame). */
  drawSlice(budget: FrameBudget): boolean;
}

/** A frame's share for drawing: the rest of 16.7 ms belongs to the page and to the browser. */
export const FRAME_BUDGET_MS = 10;
/** First guess: hairlines cost about 0.2 µs a point without a GPU (measured: 1,000 × 1,000 points in 170–300 ms). */
const POINTS_AT_FIRST = 60_000;
const POINTS_MIN = 4_000;
const POINTS_MAX = 400_000;
/**
 * Frames further apart than this, while drawing, mean that the last slice was too large. Two frames of a screen are allowed:
 * slices for a single one spend most of their time on what every frame costs, and a thousand lines take twice as long.
 */
const SLOW_FRAME_MS = 40;
const QUICK_FRAME_MS = 28;

export class FrameScheduler {
  readonly #clock: FrameClock;
  readonly #budgetMs: number;
  readonly #urgent = new Set<() => void>();
  readonly #tasks = new Set<FrameTask>();
  #requested: number | null = null;
  #isRunning = false;
  #pointsPerFrame = POINTS_AT_FIRST;
  /** Begun and not done: goes on first, so that one chart is finished before the next is begun. */
  #unfinished: FrameTask | null = null;
  /** When the last frame that ran out of budget began; null: the last one did not. */
  #busyFrameMs: number | null = null;

  constructor(clock: FrameClock = browserClock, budgetMs = FRAME_BUDGET_MS) {
    this.#clock = clock;
    this.#budgetMs = budgetMs;
  }

  /** Runs once in the next frame, before all drawing; the same function is queued once. */
  urgent(callback: () => void): void {
    this.#urgent.add(callback);
    this.#request();
  }

  /** Queues drawing; a task that is queued already keeps its place. */
  draw(task: FrameTask): void {
    this.#tasks.add(task);
    this.#request();
  }

  cancel(task: FrameTask): void {
    this.#tasks.delete(task);
    this.#rest();
  }

  cancelUrgent(callback: () => void): void {
    this.#urgent.delete(callback);
    this.#rest();
  }

  #request(): void {
    // Work that is queued while a frame runs is taken up by that frame or by the next, never by a nested one.
    if (this.#requested !== null || this.#isRunning) return;
    this.#requested = this.#clock.requestFrame(() => this.#runFrame());
  }

  #rest(): void {
    if (this.#requested === null || this.#urgent.size + this.#tasks.size > 0) return;
    this.#clock.cancelFrame(this.#requested);
    this.#requested = null;
  }

  #runFrame(): void {
    this.#requested = null;
    this.#isRunning = true;
    const startMs = this.#clock.nowMs();
    this.#learn(startMs);
    try {
      this.#runUrgent();
      // What the first round asked for (a hover that highlights a line in other charts) is still part of this frame.
      this.#runUrgent();
      const isUnfinished = this.#drawTasks(startMs);
      this.#busyFrameMs = isUnfinished ? startMs : null;
    } finally {
      this.#isRunning = false;
      if (this.#urgent.size + this.#tasks.size > 0) this.#request();
    }
  }

  #runUrgent(): void {
    const urgent = [...this.#urgent];
    this.#urgent.clear();
    for (const callback of urgent) reportErrors(callback);
  }

  /** Whether work is left over. */
  #drawTasks(startMs: number): boolean {
    const clock = this.#clock;
    const deadlineMs = startMs + this.#budgetMs;
    let pointsLeft = this.#pointsPerFrame;
    const budget: FrameBudget = {
      spend: (points) => {
        pointsLeft -= points;
      },
      get isSpent() {
        return pointsLeft <= 0 || clock.nowMs() >= deadlineMs;
      },
    };
    const queued = [...this.#tasks];
    const inOrder = queued.length > 1 ? sortByUrgency(queued, this.#unfinished) : queued;
    for (const task of inOrder) {
      if (budget.isSpent) return true;
      // Cancelled by a task before it.
      if (!this.#tasks.delete(task)) continue;
      const isDone = reportErrors(() => task.drawSlice(budget)) ?? true;
      this.#unfinished = isDone ? null : task;
      if (!isDone) this.#tasks.add(task);
    }
    return this.#tasks.size > 0;
  }

  #learn(frameMs: number): void {
    if (this.#busyFrameMs === null) return;
    const gapMs = frameMs - this.#busyFrameMs;
    // A hidden tab has no frames; its long gap says nothing.
    if (gapMs > 500) return;
    if (gapMs > SLOW_FRAME_MS) this.#pointsPerFrame = Math.max(POINTS_MIN, this.#pointsPerFrame * 0.7);
    else if (gapMs < QUICK_FRAME_MS) {
      this.#pointsPerFrame = Math.min(POINTS_MAX, this.#pointsPerFrame * 1.25);
    }
  }
}

/** Visible ones first, among them the one that was begun; else in the order in which they were queued. */
function sortByUrgency(tasks: readonly FrameTask[], begun: FrameTask | null): FrameTask[] {
  const rank = new Map(tasks.map((task) => [task, (task.isVisible() ? 0 : 2) + (task === begun ? 0 : 1)]));
  return [...tasks].sort((a, b) => rank.get(a)! - rank.get(b)!);
}

/** One broken chart must not stop the others: its error goes to the console as any uncaught one, and the answer is null. */
function reportErrors<T>(callback: () => T): T | null {
  try {
    return callback();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
    return null;
  }
}

const browserClock: FrameClock = {
  nowMs: () => performance.now(),
  requestFrame: (callback) => requestAnimationFrame(callback),
  cancelFrame: (id) => cancelAnimationFrame(id),
};

/** The one all charts of a page share. */
export const pageScheduler = new FrameScheduler();
