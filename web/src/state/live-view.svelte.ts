// The view as the page uses it: the fields of ViewState, each reactive. Values are replaced as a whole, never changed in place.
import { VIEW_FIELDS, viewOf, type ViewState } from './settings/view';

class Box<T> {
  value = $state.raw() as T;

  constructor(value: T) {
    this.value = value;
  }
}

export type LiveView = ViewState & {
  /** Shows another view. */
  assign(view: ViewState): void;
  /** A copy without reactivity. Reading it depends on everything. */
  readonly plain: ViewState;
};

/** Without what else an object has. */
const plainOf = (view: ViewState): ViewState => viewOf((field) => view[field]);

export function liveView(view: ViewState): LiveView {
  const live = {
    assign: (other: ViewState) => void Object.assign(live, plainOf(other)),
    get plain() {
      return plainOf(live);
    },
  } as LiveView;
  for (const field of VIEW_FIELDS) {
    const box = new Box<unknown>(view[field]);
    Object.defineProperty(live, field, {
      enumerable: true,
      configurable: true,
      get: () => box.value,
      set: (value: unknown) => (box.value = value),
    });
  }
  return live;
}
