// What goes on out of sight, as a sound that plays, keeps the section around it built.
import { getContext, setContext } from 'svelte';

/** Until the returned function is called. */
export type Keep = () => () => void;

const KEY = Symbol('keep built');

/** For the section. */
export function setKeeper(keep: Keep): void {
  setContext(KEY, keep);
}

/** For what is in it; undefined: it is in none that goes by itself. */
export function keeperAround(): Keep | undefined {
  return getContext<Keep | undefined>(KEY);
}
