// Long work on the page's thread, cut into turns: the page answers in between.

const TURN_MS = 12;

export class Turns {
  #endMs = performance.now() + TURN_MS;

  /** To be awaited now and then: a rest when the turn is over, otherwise none. */
  async rest(): Promise<void> {
    if (performance.now() < this.#endMs) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.#endMs = performance.now() + TURN_MS;
  }
}
