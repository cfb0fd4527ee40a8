// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultView } from './settings/view';
import { liveView, type LiveView } from './live-view.svelte';
import { NameFilter } from './name-filter';
import { PALETTES, type Theme } from './palettes';
import { RunStore } from './runs.svelte';
import { LATEST_OF_MANY } from './selection';
import { emptyStorage, runTable, type RunFixture, type TableFixture } from './testing.fixture';

let view: LiveView;
let runs: RunStore;
let theme = $state<Theme>('light');
let saved = emptyStorage();

function makeStore(): RunStore {
  return new RunStore({
    view,
    storage: saved.storage,
    theme: () => theme,
    lastValue: () => undefined,
    makeFilter: (onResult) => new NameFilter(onResult, () => null),
  });
}

beforeEach(() => {
  saved = emptyStorage();
  theme = 'light';
  view = liveView(defaultView());
  runs = makeStore();
});

afterEach(() => {
  runs.destroy();
});

function apply(list: readonly RunFixture[], options: TableFixture = {}): ReturnType<RunStore['apply']> {
  const change = runs.apply(runTable(list, options));
  flushSync();
  return change;
}

const fixtures = (...names: string[]): RunFixture[] => names.map((name, id) => ({ id, name, startedS: id }));
const names = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name);
const selectedNames = (): string[] => names(runs.all.filter(({ id }) => runs.isSelected(id)));

describe('filter', () => {
  test('decides what the table shows and charts draw, not what is checked', () => {
    apply(fixtures('base/1', 'base/2', 'big'));
    runs.toggle(0);
    view.runFilter = '^base';
    flushSync();
    expect(names(runs.shown)).toEqual(['base/1', 'base/2']);
    expect(selectedNames()).toEqual(['base/2', 'big']);
    expect(names(runs.visible)).toEqual(['base/2']);
    view.runFilter = '';
    flushSync();
    expect(names(runs.visible)).toEqual(['base/2', 'big']);
  });

  test('is a text search when the user wants that', () => {
    apply(fixtures('a.b', 'axb'));
    view.runFilter = 'a.b';
    flushSync();
    expect(names(runs.shown)).toEqual(['a.b', 'axb']);
    view.runFilterKind = 'text';
    flushSync();
    expect(names(runs.shown)).toEqual(['a.b']);
  });

  test('that is no expression keeps what was shown and says why', () => {
    apply(fixtures('a', 'b'));
    view.runFilter = 'a';
    flushSync();
    view.runFilter = 'a(';
    flushSync();
    expect(names(runs.shown)).toEqual(['a']);
    expect(runs.filterError).toContain('Not a regular expression');
    view.runFilter = 'b';
    flushSync();
    expect(runs.filterError).toBeNull();
  });

  describe('of a link, an expression', () => {
    let answer: ConstructorParameters<typeof NameFilter>[0];

    beforeEach(() => {
      runs.destroy();
      view.runFilter = '^a';
      runs = new RunStore({
        view,
        storage: saved.storage,
        theme: () => theme,
        lastValue: () => undefined,
        makeFilter: (onResult) => {
          answer = onResult;
          return new NameFilter(
            () => {},
            () => null,
          );
        },
      });
      answer({ error: null, isPending: true });
      // The worker was asked before there were names.
      answer({ matches: new Set(), error: null });
      apply(fixtures('a', 'b'));
      answer({ error: null, isPending: true });
    });

    test('shows no run until it has been tried', () => {
      expect(runs.isFiltering).toBe(true);
      expect(runs.visibleIds).toEqual([]);
      answer({ matches: new Set(['a']), error: null });
      expect(runs.isFiltering).toBe(false);
      expect(names(runs.visible)).toEqual(['a']);
    });

    test('that cannot be tried hides nothing', () => {
      answer({ error: 'This expression takes too long; make it simpler' });
      expect(names(runs.visible)).toEqual(['a', 'b']);
    });
  });

  test('takes in runs that appear later', () => {
    apply(fixtures('a1'));
    view.runFilter = 'a';
    flushSync();
    apply(
      [
        { id: 1, name: 'a2', startedS: 9 },
        { id: 2, name: 'b', startedS: 10 },
      ],
      { isComplete: false },
    );
    expect(names(runs.shown)).toEqual(['a1', 'a2']);
  });
});

describe('selection', () => {
  test('only, all, none and invert', () => {
    apply(fixtures('a', 'b', 'c'));
    runs.only(1);
    expect(selectedNames()).toEqual(['b']);
    runs.invert();
    expect(selectedNames()).toEqual(['a', 'c']);
    runs.selectNone();
    expect(selectedNames()).toEqual([]);
    runs.selectAll();
    expect([...runs.selectedIds]).toEqual([0, 1, 2]);
  });

  test('with a filter, buttons act on what it shows', () => {
    apply(fixtures('a1', 'a2', 'b1', 'b2'));
    view.runFilter = 'a';
    flushSync();
    runs.selectNone();
    expect(selectedNames()).toEqual(['b1', 'b2']);
    runs.toggle(0);
    runs.invert();
    expect(selectedNames()).toEqual(['a2', 'b1', 'b2']);
    runs.selectLatest(1);
    expect(selectedNames()).toEqual(['a2']);
  });

  test('latest follows new runs', () => {
    apply(fixtures('a', 'b', 'c'));
    runs.selectLatest(2);
    apply([{ id: 3, name: 'd', startedS: 50 }], { isComplete: false });
    expect(selectedNames()).toEqual(['c', 'd']);
  });

  test('of very many runs is at first the latest', () => {
    apply(Array.from({ length: 600 }, (_, id) => ({ id, name: `run${id}`, startedS: id })));
    expect(runs.isLimitedToLatest).toBe(true);
    expect(runs.selectedIds.size).toBe(LATEST_OF_MANY);
    runs.selectAll();
    expect(runs.selectedIds.size).toBe(600);
    expect(runs.isLimitedToLatest).toBe(false);
  });

  test('is by name: it survives a restart of the server with other numbers', () => {
    apply(fixtures('a', 'b', 'c'));
    runs.toggle(1);
    const change = apply(
      [
        { id: 0, name: 'c', startedS: 2 },
        { id: 1, name: 'a', startedS: 0 },
        { id: 2, name: 'b', startedS: 1 },
      ],
      { serverId: 'server-2' },
    );
    expect(selectedNames()).toEqual(['a', 'c']);
    expect([...runs.selectedIds].sort()).toEqual([0, 1]);
    expect(change.renumbered).toEqual(
      new Map([
        [0, 1],
        [1, 2],
        [2, 0],
      ]),
    );
  });

  test('stays the same set while runs only grow, also when the whole table comes again', () => {
    apply(fixtures('a', 'b'));
    const { visibleIds, selectedIds, shown } = runs;
    apply([{ id: 0, name: 'a', startedS: 0.5, points: 99 }], { isComplete: false });
    apply([
      { id: 0, name: 'a', startedS: 0, points: 99 },
      { id: 1, name: 'b', startedS: 1 },
    ]);
    expect(runs.visibleIds).toBe(visibleIds);
    expect(runs.selectedIds).toBe(selectedIds);
    expect(runs.shown).toBe(shown);
    expect(runs.visible[0]!.points).toBe(99);
  });
});

describe('changes', () => {
  test('removed runs are gone everywhere', () => {
    apply(fixtures('a', 'b'));
    runs.highlighted = 0;
    apply([], { isComplete: false, removed: [0] });
    expect(runs.has(0)).toBe(false);
    expect(runs.idOf('a')).toBeUndefined();
    expect(runs.highlighted).toBeNull();
    expect(runs.visibleIds).toEqual([1]);
  });

  test('a complete table of the same server tells which runs are gone', () => {
    apply(fixtures('a', 'b'));
    apply([{ id: 1, name: 'b', startedS: 1 }]);
    expect([runs.has(0), runs.has(1)]).toEqual([false, true]);
  });

  test('nothing new changes nothing', () => {
    apply(fixtures('a'));
    const { all } = runs;
    apply([], { isComplete: false, revision: 9 });
    expect(runs.all).toBe(all);
    expect(runs.revision).toBe(9);
  });
});

describe('looks', () => {
  test('visible runs have different colours, of the theme', () => {
    apply(fixtures('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'));
    const colors = runs.all.map(({ id }) => runs.color(id));
    expect(new Set(colors)).toEqual(new Set(PALETTES.light));
    theme = 'dark';
    expect(runs.all.map(({ id }) => PALETTES.dark.indexOf(runs.color(id)))).toEqual(
      colors.map((color) => PALETTES.light.indexOf(color)),
    );
    expect(runs.dash(0)).toBeNull();
  });

  test('colours stay when runs are filtered, added, and when the page is loaded again', () => {
    apply(fixtures('a', 'b', 'c', 'd'));
    const before = new Map(runs.all.map(({ id, name }) => [name, runs.color(id)]));
    view.runFilter = 'c|d';
    flushSync();
    apply(fixtures('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'));
    runs.destroy();
    runs = makeStore();
    view.runFilter = '';
    apply(fixtures('i', 'h', 'd', 'c', 'b', 'a'));
    for (const [name, color] of before) expect(runs.color(runs.idOf(name)!)).toBe(color);
  });

  test('colours depend on the log, not on what a link shows of it', () => {
    const list = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
    apply(fixtures(...list));
    const looks = (): unknown[] => runs.all.map(({ id }) => [runs.color(id), runs.dash(id)]);
    const before = looks();
    runs.destroy();
    saved = emptyStorage();
    view.selection = { rule: 'all', except: ['a', 'c'] };
    view.runFilter = 'i|j';
    runs = makeStore();
    apply(fixtures(...list));
    expect(looks()).toEqual(before);
  });

  test('colours do not depend on the order in which the log was read', () => {
    const list = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
    apply(fixtures(...list));
    const before = runs.all.map(({ id }) => runs.color(id));
    runs.destroy();
    saved = emptyStorage();
    runs = makeStore();
    apply(fixtures(...list).slice(5), { isRead: false });
    flushSync();
    expect(runs.color(9)).toMatch(/^#/);
    apply(fixtures(...list));
    expect(runs.all.map(({ id }) => runs.color(id))).toEqual(before);
  });

  test('who asks for names and colours hears nothing of runs that only grow', () => {
    apply(fixtures('a', 'b'));
    let looks = 0;
    const end = $effect.root(() => {
      $effect(() => {
        looks++;
        expect([runs.has(0), runs.shortName(0), runs.dash(0)]).toEqual([true, 'a', null]);
        expect(runs.color(0)).toMatch(/^#/);
      });
    });
    flushSync();
    apply([{ id: 0, name: 'a', startedS: 0, points: 99 }], { isComplete: false });
    expect(looks).toBe(1);
    apply([{ id: 2, name: 'c', startedS: 9 }], { isComplete: false });
    expect(looks).toBe(2);
    end();
  });

  test('names are as short as they can be', () => {
    apply(fixtures('exp/a/logs', 'exp/b/logs'));
    expect(runs.shortName(0)).toBe('a');
    apply([{ id: 2, name: 'exp/b/old/logs', startedS: 7 }], { isComplete: false });
    expect(runs.shortName(2)).toBe('b/old');
  });
});
