// What somebody wants to see and is not there yet: made by whoever asks, ended by what shows it. A new wish takes the place of the last.

export class Wishes<T extends object> {
  #wish = $state.raw<T | null>(null);

  get wish(): T | null {
    return this.#wish;
  }

  make(wish: T): void {
    this.#wish = wish;
  }

  /** It is in sight, or cannot be. */
  end(): void {
    this.#wish = null;
  }
}
