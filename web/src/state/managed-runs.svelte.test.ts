// @vitest-environment happy-dom
// The run store together with what people said about runs: names, colours, archive, groups, expressions.
import { flushSync } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunEdits } from '../wire/client';
import { defaultView } from './settings/view';
import { liveView, type LiveView } from './live-view.svelte';
import { NameFilter } from './name-filter';
import { PALETTES } from './palettes';
import type { FieldValue, RunFieldStore } from './feeds/run-fields.svelte';
import { QueryFilter } from './run-query-filter.svelte';
import { RegexRunner } from './regex-runner';
import { RunStore } from './runs.svelte';
import { emptyStorage, runTable, type RunFixture, type TableFixture } from './testing.fixture';
import type { GroupBy } from './types';

let view: LiveView;
let runs: RunStore;
let saved = emptyStorage();

/** What people said, each change heard at once. */
class FakeWorkspace {
  displayNames = $state.raw<ReadonlyMap<string, string>>(new Map());
  colors = $state.raw<ReadonlyMap<string, string>>(new Map());
  labels = $state.raw<ReadonlyMap<string, readonly string[]>>(new Map());
  archived = $state.raw<ReadonlySet<string>>(new Set());
  groupColors = $state.raw<ReadonlyMap<string, string>>(new Map());
  edits = $state.raw<ReadonlyMap<string, Partial<RunEdits>>>(new Map());
  editsOf = (run: string): RunEdits | undefined => this.edits.get(run) as RunEdits | undefined;
}
let workspace: FakeWorkspace;

/** By name, then by run. */
const fields = new SvelteMap<string, Map<number, FieldValue>>();
const lastValues = new SvelteMap<string, Map<number, number>>();
let wanted: readonly string[] = [];
/** Answers questions of expressions about texts. */
let runner: RegexRunner;

class FakeFields {
  isLoaded = true;
  get names(): string[] {
    return [...fields.keys()];
  }
  kindOf = (): undefined => undefined;
  value = (name: string, id: number): FieldValue | undefined => fields.get(name)?.get(id);
  outdate(): void {
    // Nothing to fetch.
  }
  clear = this.outdate;
  destroy = this.outdate;
}

function makeStore(): RunStore {
  return new RunStore({
    view,
    storage: saved.storage,
    theme: () => 'light',
    lastValue: (tag, id) => lastValues.get(tag)?.get(id),
    workspace,
    loadFields: () => Promise.resolve(new FakeFields() as unknown as RunFieldStore),
    loadQueries: (onResult) =>
      Promise.resolve().then(
        () =>
          new QueryFilter({
            view,
            runs,
            onResult,
            tagNames: () => [...lastValues.keys()],
            runner,
            lastValues: {
              get: (tag, id) => lastValues.get(tag)?.get(id),
              has: (tag) => lastValues.has(tag),
              want: (tags) => {
                wanted = tags;
              },
            },
          }),
      ),
    makeFilter: (onResult) => new NameFilter(onResult, () => null),
  });
}

beforeEach(() => {
  saved = emptyStorage();
  fields.clear();
  lastValues.clear();
  wanted = [];
  runner = new RegexRunner(() => null);
  view = liveView(defaultView());
  workspace = new FakeWorkspace();
  runs = makeStore();
});

afterEach(() => {
  runs.destroy();
  vi.useRealTimers();
});

function apply(list: readonly RunFixture[], options: TableFixture = {}): void {
  runs.apply(runTable(list, options));
  flushSync();
}

const fixtures = (...names: string[]): RunFixture[] => names.map((name, id) => ({ id, name, startedS: id }));
const shown = (): string[] => runs.shown.map(({ name }) => name);

async function group(by: GroupBy): Promise<void> {
  view.grouping = { by, center: 'mean', band: 'std', areMembersShown: true };
  flushSync();
  await vi.waitFor(() => {
    flushSync();
    expect(runs.groups.length + runs.ungroupedVisibleIds.length).toBeGreaterThan(0);
  });
}

async function filter(text: string): Promise<void> {
  view.runFilterKind = 'expression';
  view.runFilter = text;
  flushSync();
  await vi.waitFor(() => {
    flushSync();
    expect(runs.isFiltering).toBe(false);
  });
}

describe('what people said', () => {
  test('names, labels, notes and stars are the run’s', () => {
    apply(fixtures('exp/a', 'exp/b'));
    workspace.displayNames = new Map([['exp/a', 'Baseline']]);
    workspace.labels = new Map([['exp/a', ['paper']]]);
    workspace.edits = new Map([['exp/a', { note: '# Hi', is_favourite: true }]]);
    expect([runs.displayName(0), runs.displayName(1)]).toEqual(['Baseline', 'exp/b']);
    expect([runs.shortName(0), runs.shortName(1)]).toEqual(['Baseline', 'b']);
    expect([runs.labelsOf(0), runs.labelsOf(1)]).toEqual([['paper'], []]);
    expect([runs.noteOf(0), runs.noteOf(1)]).toEqual(['# Hi', '']);
    expect([runs.isFavourite(0), runs.isFavourite(1)]).toEqual([true, false]);
    expect(runs.labelsOf(1)).toBe(runs.labelsOf(7));
  });

  test('a colour chosen by hand comes before the palette’s, and is never dashed', () => {
    apply(fixtures(...Array.from({ length: 12 }, (_, i) => `run${i}`)));
    const dashed = runs.all.find(({ id }) => runs.dash(id) !== null)!;
    const other = runs.all.find(({ id }) => id !== dashed.id)!;
    const before = runs.color(other.id);
    workspace.colors = new Map([[dashed.name, '#123456']]);
    expect([runs.color(dashed.id), runs.dash(dashed.id)]).toEqual(['#123456', null]);
    expect(runs.color(other.id)).toBe(before);
  });

  test('archived runs are gone from table and charts until they are wanted', () => {
    apply(fixtures('a', 'b'));
    workspace.archived = new Set(['a']);
    expect([shown(), runs.visibleIds]).toEqual([['b'], [1]]);
    expect(runs.all).toHaveLength(2);
    expect(runs.isArchived(0)).toBe(true);
    view.showArchived = true;
    expect([shown(), runs.visibleIds]).toEqual([
      ['a', 'b'],
      [0, 1],
    ]);
  });

  test('the latest few are counted without archived ones', () => {
    apply(fixtures('a', 'b', 'c'));
    view.selection = { rule: 'latest', count: 1, except: [], also: [] };
    workspace.archived = new Set(['c']);
    expect(runs.visibleIds).toEqual([1]);
  });

  test('text and regular expressions find the given name as well as the directory', () => {
    apply(fixtures('exp/a', 'exp/b'));
    workspace.displayNames = new Map([['exp/a', 'Baseline']]);
    view.runFilter = '^base';
    flushSync();
    expect(shown()).toEqual(['exp/a']);
    view.runFilter = '/[ab]$';
    flushSync();
    expect(shown()).toEqual(['exp/a', 'exp/b']);
    view.runFilterKind = 'text';
    view.runFilter = 'line';
    flushSync();
    expect(shown()).toEqual(['exp/a']);
    workspace.displayNames = new Map([['exp/b', 'Line']]);
    flushSync();
    expect(shown()).toEqual(['exp/b']);
  });

  test('an edit leaves alone what it does not touch', () => {
    apply(fixtures('a', 'b'));
    const before = [runs.shown, runs.visibleIds, runs.selectedIds];
    workspace.displayNames = new Map([['a', 'A']]);
    workspace.labels = new Map([['a', ['x']]]);
    workspace.colors = new Map([['a', '#112233']]);
    workspace.archived = new Set(['gone']);
    view.runFilter = '';
    flushSync();
    expect(runs.visibleIds).toEqual([0, 1]);
    workspace.archived = new Set();
    expect([runs.shown, runs.visibleIds, runs.selectedIds].map((now, i) => now === before[i])).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('groups', () => {
  const LOG = fixtures('base/1', 'base/2', 'big/1', 'alone');

  test('without grouping there are none, and everyone is a line', () => {
    apply(LOG);
    expect([runs.groups, runs.visibleGroups, runs.groupingError]).toEqual([[], [], null]);
    expect(runs.ungroupedVisibleIds).toBe(runs.visibleIds);
  });

  test('until it is known who belongs where nobody is drawn', () => {
    apply(LOG);
    view.grouping = { by: { kind: 'folder', depth: 1 }, center: 'mean', band: 'std', areMembersShown: true };
    expect([runs.visibleGroups, runs.ungroupedVisibleIds]).toEqual([[], []]);
  });

  test('are those of the filter; what is drawn of them is what is checked', async () => {
    apply(LOG);
    await group({ kind: 'folder', depth: 1 });
    expect(runs.groups.map(({ key, runs: ids }) => [key, ids])).toEqual([
      ['base', [0, 1]],
      ['big', [2]],
    ]);
    expect(runs.ungroupedVisibleIds).toEqual([3]);
    runs.toggle(0);
    expect(runs.groups[0]!.runs).toEqual([0, 1]);
    expect(runs.visibleGroups.map(({ group: { key }, runs: ids }) => [key, ids])).toEqual([
      ['base', [1]],
      ['big', [2]],
    ]);
    view.runFilter = 'big';
    flushSync();
    expect(runs.groups.map(({ key }) => key)).toEqual(['big']);
    expect(runs.ungroupedVisibleIds).toEqual([]);
    expect([runs.groupOf(2)?.key, runs.groupOf(3)]).toEqual(['big', undefined]);
  });

  test('toggle as a whole', async () => {
    apply(LOG);
    await group({ kind: 'folder', depth: 1 });
    runs.setSelected(runs.groups[0]!.runs, false);
    expect(runs.visibleIds).toEqual([2, 3]);
    expect(runs.visibleGroups.map(({ group: { key } }) => key)).toEqual(['big']);
    runs.setSelected(runs.groups[0]!.runs, true);
    expect(runs.visibleIds).toEqual([0, 1, 2, 3]);
  });

  test('have one colour, by hand or by key, remembered, never dashed', async () => {
    apply(LOG);
    await group({ kind: 'folder', depth: 1 });
    const color = runs.groupColor('base');
    expect(PALETTES.light).toContain(color);
    expect([runs.color(0), runs.color(1)]).toEqual([color, color]);
    expect(runs.groupColor('big')).not.toBe(color);
    expect([0, 1, 2].map((id) => runs.dash(id))).toEqual([null, null, null]);
    flushSync();
    runs.destroy();
    runs = makeStore();
    apply([...LOG, { id: 4, name: 'aaa/1', startedS: 4 }]);
    await group({ kind: 'folder', depth: 1 });
    expect(runs.groupColor('base')).toBe(color);
    workspace.groupColors = new Map([['base', '#abcdef']]);
    expect([runs.groupColor('base'), runs.color(1)]).toEqual(['#abcdef', '#abcdef']);
    view.grouping = null;
    expect(runs.color(1)).not.toBe('#abcdef');
  });

  test('and the runs beside them have different colours, which those have without groups where they can', async () => {
    const log = fixtures('alone', 'other', 'third', ...Array.from({ length: 5 }, (_, i) => `g${i}/1`));
    apply(log);
    const usual = [0, 1, 2].map((id) => runs.color(id));
    await group({ kind: 'folder', depth: 1 });
    const colors = [
      ...runs.groups.map(({ key }) => runs.groupColor(key)),
      ...[0, 1, 2].map((id) => runs.color(id)),
    ];
    expect(new Set(colors).size).toBe(8);
    expect([0, 1, 2].map((id) => runs.dash(id))).toEqual([null, null, null]);
    view.grouping = null;
    expect([0, 1, 2].map((id) => runs.color(id))).toEqual(usual);
  });

  test('stay the same objects while runs only grow, and where another group changes', async () => {
    apply(LOG);
    await group({ kind: 'folder', depth: 1 });
    const before = [runs.groups, runs.visibleGroups, runs.ungroupedVisibleIds];
    apply([{ id: 0, name: 'base/1', startedS: 0, points: 500 }], { isComplete: false, revision: 2 });
    expect(runs.byId.get(0)?.points).toBe(500);
    expect(
      [runs.groups, runs.visibleGroups, runs.ungroupedVisibleIds].every((now, i) => now === before[i]),
    ).toBe(true);
    const [, big] = runs.visibleGroups;
    runs.toggle(0);
    expect(runs.visibleGroups[1]).toBe(big);
    expect(runs.groups).toBe(before[0]);
  });

  test('by status follow it, and stay the same while it does', async () => {
    apply(LOG);
    await group({ kind: 'column', name: 'status' });
    const before = runs.groups;
    expect(before.map(({ key }) => key)).toEqual(['running']);
    apply([{ id: 0, name: 'base/1', startedS: 0, points: 500 }], { isComplete: false, revision: 2 });
    expect(runs.groups).toBe(before);
    const ended = runTable([{ id: 0, name: 'base/1', startedS: 0 }], { isComplete: false, revision: 3 });
    runs.apply({ ...ended, status: ['finished'] });
    expect(runs.groups.map(({ key, runs: ids }) => [key, ids])).toEqual([
      ['finished', [0]],
      ['running', [1, 2, 3]],
    ]);
  });

  test('by regular expression; one that is none says so and changes nothing', async () => {
    apply(fixtures('lr0.1_s1', 'lr0.1_s2', 'lr0.2_s1', 'other'));
    await group({ kind: 'regex', pattern: '(lr[\\d.]+)_' });
    expect(runs.groups.map(({ key, runs: ids }) => [key, ids])).toEqual([
      ['lr0.1', [0, 1]],
      ['lr0.2', [2]],
    ]);
    expect(runs.ungroupedVisibleIds).toEqual([3]);
    await group({ kind: 'regex', pattern: '(' });
    await vi.waitFor(() => {
      expect(runs.groupingError).toContain('Not a regular expression');
    });
    expect(runs.groups).toHaveLength(2);
    await group({ kind: 'folder', depth: 1 });
    expect(runs.groupingError).toBeNull();
  });

  test('by label and by hyper-parameter follow what is said', async () => {
    apply(LOG);
    await group({ kind: 'label' });
    expect(runs.ungroupedVisibleIds).toEqual([0, 1, 2, 3]);
    workspace.labels = new Map([['alone', ['x', 'a']]]);
    expect(runs.groups.map(({ key }) => key)).toEqual(['a, x']);
    fields.set('lr', new Map([[0, 0.1], [2, 0.1], [3, 0.01]])); // prettier-ignore
    await group({ kind: 'field', name: 'lr' });
    await vi.waitFor(() => {
      expect(runs.groups.map(({ label, runs: ids }) => [label, ids])).toEqual([
        ['lr = 0.01', [3]],
        ['lr = 0.1', [0, 2]],
      ]);
    });
  });

  test('of ten thousand runs are one array that stays', async () => {
    apply(Array.from({ length: 10_000 }, (_, id) => ({ id, name: `g${id % 10}/${id}`, startedS: id })));
    view.selection = { rule: 'all', except: [] };
    await group({ kind: 'folder', depth: 1 });
    expect(runs.groups.map(({ runs: ids }) => ids.length)).toEqual(Array(10).fill(1000));
    expect(runs.visibleGroups[9]!.runs).toHaveLength(1000);
  });
});

test('groups that cannot be loaded are said to be missing, and runs are lines of their own', async () => {
  vi.doMock('./run-grouper.svelte', () => {
    throw new Error('gone');
  });
  vi.resetModules();
  const { RunStore: FreshStore } = await import('./runs.svelte');
  runs.destroy();
  runs = new FreshStore({ view, storage: saved.storage, theme: () => 'light', lastValue: () => undefined });
  apply(fixtures('a/1', 'a/2'));
  expect(runs.groupingError).toBeNull();
  view.grouping = { by: { kind: 'folder', depth: 1 }, center: 'mean', band: 'std', areMembersShown: true };
  flushSync();
  expect(runs.ungroupedVisibleIds).toEqual([]);
  await vi.waitFor(() => {
    expect(runs.groupingError).toContain('the server does not answer');
  });
  expect(runs.ungroupedVisibleIds).toEqual([0, 1]);
  vi.doUnmock('./run-grouper.svelte');
});

describe('an expression', () => {
  beforeEach(() => {
    fields.set('lr', new Map([[0, 0.1], [1, 0.01]])); // prettier-ignore
    lastValues.set('acc', new Map([[0, 0.5], [1, 0.9], [2, 0.95]])); // prettier-ignore
    apply(fixtures('res/a', 'res/b', 'vit/c'));
  });

  test('finds the runs that fit, and asks for the metrics it compares', async () => {
    await filter('last(acc) > 0.8 and name ~ res');
    expect(shown()).toEqual(['res/b']);
    expect(wanted).toEqual(['acc']);
    await filter('lr >= 0.1 or name ~ "^vit.c$"');
    expect(shown()).toEqual(['res/a', 'vit/c']);
    expect(wanted).toEqual([]);
    view.runFilterKind = 'text';
    view.runFilter = 'vit';
    flushSync();
    expect(shown()).toEqual(['vit/c']);
  });

  test('that is wrong says where, and keeps what was shown', async () => {
    await filter('lr < 0.05');
    await filter('lr <');
    expect(runs.filterError).toBe('A value is missing after “<” (at character 4)');
    expect(shown()).toEqual(['res/b']);
    await filter('lrr < 1');
    expect(runs.filterError).toContain('No run has “lrr”');
    await filter('  ');
    expect([runs.filterError, shown().length]).toEqual([null, 3]);
  });

  test('that was cleared while a worker looked at it filters nothing', async () => {
    await filter('name ~ res');
    let answer = (_hits: Set<string>): void => undefined;
    runner.matching = () => new Promise((resolve) => (answer = resolve));
    view.runFilter = 'name ~ "^v.t"';
    flushSync();
    expect(runs.isFiltering).toBe(true);
    view.runFilter = '';
    flushSync();
    answer(new Set(['vit/c']));
    // As long as an answer takes to get through.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    flushSync();
    expect(shown()).toEqual(['res/a', 'res/b', 'vit/c']);
  });

  test('in a link that is wrong hides nobody', async () => {
    runs.destroy();
    view.runFilterKind = 'expression';
    view.runFilter = 'lr <';
    runs = makeStore();
    apply(fixtures('a', 'b'));
    expect(shown()).toEqual([]);
    await filter('lr <');
    expect(shown()).toEqual(['a', 'b']);
  });

  test('waits for the metrics rather than showing nobody', async () => {
    await filter('last(acc) > 0.8');
    const values = lastValues.get('acc')!;
    lastValues.delete('acc');
    flushSync();
    expect(runs.isFiltering).toBe(true);
    expect(shown()).toEqual(['res/b', 'vit/c']);
    lastValues.set('acc', new Map([...values, [0, 0.99]]));
    flushSync();
    expect(shown()).toEqual(['res/a', 'res/b', 'vit/c']);
  });

  test('follows edits and new values; the same answer is the same array', async () => {
    await filter('label = paper or last(acc) > 0.92');
    expect(shown()).toEqual(['vit/c']);
    const before = runs.shown;
    lastValues.set('acc', new Map([[0, 0.51], [1, 0.91], [2, 0.96]])); // prettier-ignore
    flushSync();
    expect(runs.shown).toBe(before);
    workspace.labels = new Map([['res/a', ['paper']]]);
    flushSync();
    expect(shown()).toEqual(['res/a', 'vit/c']);
  });

  test('about what grows is looked at once a second', async () => {
    vi.useFakeTimers();
    await filter('points > 100');
    expect(shown()).toEqual([]);
    apply([{ id: 0, name: 'res/a', startedS: 0, points: 500 }], { isComplete: false, revision: 2 });
    expect(shown()).toEqual([]);
    vi.advanceTimersByTime(1000);
    flushSync();
    expect(shown()).toEqual(['res/a']);
  });

  test('finds archived runs where they are shown', async () => {
    workspace.archived = new Set(['res/a']);
    await filter('archived');
    expect(shown()).toEqual([]);
    view.showArchived = true;
    flushSync();
    expect(shown()).toEqual(['res/a']);
  });
});
