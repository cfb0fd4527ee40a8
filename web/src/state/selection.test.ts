import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inverted, LATEST_OF_MANY, MANY_RUNS, selectedNames, withSelected } from './selection';
import type { Selection } from './types';

const NAMES = ['a', 'b', 'c', 'd'];
const auto: Selection = { rule: 'auto', except: [] };
const chosen = (selection: Selection, names: readonly string[] = NAMES): string[] => [
  ...selectedNames(selection, names),
];
const many = Array.from({ length: MANY_RUNS + 1 }, (_, i) => `run${i}`);

const selectionOf = fc.oneof(
  fc.record({ rule: fc.constantFrom('auto', 'all', 'none'), except: fc.subarray(NAMES) }),
  fc.record({
    rule: fc.constant('latest'),
    count: fc.nat(5),
    except: fc.subarray(NAMES),
    also: fc.subarray(NAMES),
  }),
) as fc.Arbitrary<Selection>;

describe('a selection', () => {
  test('that nobody made is all runs', () => {
    expect(chosen(auto)).toEqual(NAMES);
  });

  test('that nobody made is the latest few of very many', () => {
    expect(chosen(auto, many)).toEqual(many.slice(-LATEST_OF_MANY));
  });

  test('of all includes runs that come later, but not the hidden ones', () => {
    const selection = withSelected(auto, NAMES, ['b'], false);
    expect(chosen(selection, [...NAMES, 'e'])).toEqual(['a', 'c', 'd', 'e']);
  });

  test('of none stays without runs that come later', () => {
    const selection = withSelected({ rule: 'none', except: [] }, NAMES, ['c'], true);
    expect(chosen(selection, [...NAMES, 'e'])).toEqual(['c']);
  });

  test('of the latest moves on with new runs', () => {
    const selection: Selection = { rule: 'latest', count: 2, except: [], also: [] };
    expect(chosen(selection)).toEqual(['c', 'd']);
    expect(chosen(selection, [...NAMES, 'e'])).toEqual(['d', 'e']);
  });

  test('a run that was hidden among the latest stays hidden when it is no longer one of them', () => {
    const selection = withSelected({ rule: 'latest', count: 2, except: [], also: [] }, NAMES, ['c'], false);
    expect(chosen(selection, [...NAMES, 'e', 'f'])).toEqual(['e', 'f']);
  });

  test('a run that was shown beside the latest stays shown', () => {
    const selection = withSelected({ rule: 'latest', count: 2, except: [], also: [] }, NAMES, ['a'], true);
    expect(chosen(selection, [...NAMES, 'e', 'f'])).toEqual(['a', 'e', 'f']);
  });

  test('switching runs changes exactly those', () => {
    fc.assert(
      fc.property(selectionOf, fc.subarray(NAMES), fc.boolean(), (selection, changed, isOn) => {
        const before = selectedNames(selection, NAMES);
        const after = selectedNames(withSelected(selection, NAMES, changed, isOn), NAMES);
        for (const name of NAMES)
          expect(after.has(name)).toBe(changed.includes(name) ? isOn : before.has(name));
      }),
    );
  });

  test('inverted is every run the other way round', () => {
    fc.assert(
      fc.property(selectionOf, (selection) => {
        const before = selectedNames(selection, NAMES);
        const after = selectedNames(inverted(selection, NAMES), NAMES);
        for (const name of NAMES) expect(after.has(name)).toBe(!before.has(name));
      }),
    );
  });
});
