// Whether the page has one column, as on phones; the style sheets repeat the width, since media queries know no variables.

/**
 * Reactive, for as long as the page lives. The framework's MediaQuery would do, but brings its reactive maps into the first
 * view.
 */
export class Media {
  readonly #list: MediaQueryList;
  #matches: boolean;

  constructor(query: string) {
    this.#list = matchMedia(query);
    this.#matches = $state(this.#list.matches);
    this.#list.addEventListener('change', () => (this.#matches = this.#list.matches));
  }

  get matches(): boolean {
    return this.#matches;
  }
}

let phone: Media | undefined;

export function isPhone(): boolean {
  phone ??= new Media('(max-width: 720px)');
  return phone.matches;
}
