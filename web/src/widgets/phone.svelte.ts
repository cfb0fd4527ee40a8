// Whether the page has one column, as on phones; the style sheets repeat the width.

class Narrow {
  readonly #list = matchMedia('(max-width: 720px)');
  #matches = $state(this.#list.matches);

  constructor() {
    this.#list.addEventListener('change', () => (this.#matches = this.#list.matches));
  }

  get matches(): boolean {
    return this.#matches;
  }
}

let narrow: Narrow | undefined;

/** Reactive. Watched from the first question on, for as long as the page lives. */
export function isPhone(): boolean {
  narrow ??= new Narrow();
  return narrow.matches;
}
