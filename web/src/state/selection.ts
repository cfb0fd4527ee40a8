// Which runs are checked, as a rule plus exceptions by name. A rule, because runs that appear later have to fall under
// it; by name, because numbers change when the server is restarted, and a link must work on another machine.
import type { Selection } from './types';

/** More runs than this and nothing said: only the latest few are shown, instead of a page that is one blot. */
export const MANY_RUNS = 500;
export const LATEST_OF_MANY = 20;

/** What `auto` means for this many runs. */
export function resolveAuto(selection: Selection, runCount: number): Selection {
  if (selection.rule !== 'auto') return selection;
  return runCount > MANY_RUNS
    ? { rule: 'latest', count: LATEST_OF_MANY, except: [], also: [] }
    : { rule: 'all', except: selection.except };
}

/** Names in order of start, oldest first, to those that are selected. */
export function selectedNames(selection: Selection, names: readonly string[]): Set<string> {
  const resolved = resolveAuto(selection, names.length);
  const except = new Set(resolved.except);
  switch (resolved.rule) {
    case 'none':
      return new Set(names.filter((name) => except.has(name)));
    case 'latest': {
      const also = new Set(resolved.also);
      const first = Math.max(0, names.length - resolved.count);
      return new Set(names.filter((name, i) => (i >= first ? !except.has(name) : also.has(name))));
    }
    default:
      return new Set(names.filter((name) => !except.has(name)));
  }
}

/** The selection with some runs switched on or off. Exceptions for runs that are gone stay: they may come back. */
export function withSelected(
  selection: Selection,
  names: readonly string[],
  changed: Iterable<string>,
  isOn: boolean,
): Selection {
  const resolved = resolveAuto(selection, names.length);
  const except = new Set(resolved.except);
  const put = (set: Set<string>, name: string, isIn: boolean): void => {
    if (isIn) set.add(name);
    else set.delete(name);
  };
  if (resolved.rule === 'latest') {
    // Both lists, whatever the run's place is now: it may fall out of the latest later, and must stay as it was set.
    const also = new Set(resolved.also);
    for (const name of changed) {
      put(except, name, !isOn);
      put(also, name, isOn);
    }
    return { rule: 'latest', count: resolved.count, except: [...except], also: [...also] };
  }
  for (const name of changed) put(except, name, resolved.rule === 'none' ? isOn : !isOn);
  return { rule: resolved.rule, except: [...except] };
}

/** Every run the other way round, those that come later included. */
export function inverted(selection: Selection, names: readonly string[]): Selection {
  const resolved = resolveAuto(selection, names.length);
  if (resolved.rule === 'latest') {
    return { rule: 'all', except: [...selectedNames(resolved, names)] };
  }
  return { rule: resolved.rule === 'none' ? 'all' : 'none', except: resolved.except };
}
