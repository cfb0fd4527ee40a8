// Work that is done one after the other, in the order in which it was asked for.

export class WorkQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** What the work answers; its failure is the caller's, and does not stop those behind it. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
