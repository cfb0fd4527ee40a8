import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ColorBook, DASHES, PALETTE_SIZE, preferredColor } from './run-colors';

const runs = (count: number): string[] => Array.from({ length: count }, (_, i) => `exp/run_${i}`);
const slotsOf = (book: ColorBook, names: readonly string[]): number[] => names.map((name) => book.slot(name));

describe('ColorBook', () => {
  test('gives a run alone the colour its name asks for', () => {
    const book = new ColorBook();
    book.serve(['baseline']);
    expect(book.slot('baseline')).toBe(preferredColor('baseline'));
  });

  test('knows the colour of a run that was never visible', () => {
    expect(new ColorBook().slot('baseline')).toBe(preferredColor('baseline'));
  });

  test('gives eight visible runs eight solid colours', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 8, maxLength: 8 }), (names) => {
        const book = new ColorBook();
        book.serve(names);
        expect(new Set(slotsOf(book, names)).size).toBe(PALETTE_SIZE);
        expect(Math.max(...slotsOf(book, names))).toBeLessThan(PALETTE_SIZE);
      }),
    );
  });

  test('gives the next ones dashes, and repeats only when all patterns are worn', () => {
    const names = runs(PALETTE_SIZE * DASHES.length);
    const book = new ColorBook();
    book.serve(names);
    expect(new Set(slotsOf(book, names)).size).toBe(names.length);
    const more = runs(3 * names.length);
    book.serve(more);
    const slots = slotsOf(book, more);
    for (const slot of slots) expect(slots.filter((other) => other === slot).length).toBe(3);
  });

  test('recolours nobody when runs come, go and come back', () => {
    const visible = fc.array(fc.subarray(runs(20)), { maxLength: 8 });
    fc.assert(
      fc.property(visible, (stages) => {
        const book = new ColorBook();
        const worn = new Map<string, number>();
        for (const stage of stages) {
          book.serve(stage);
          for (const name of stage) {
            expect(book.slot(name)).toBe(worn.get(name) ?? book.slot(name));
            worn.set(name, book.slot(name));
          }
        }
      }),
    );
  });

  test('a page that watched runs appear and one that loads them all give the same colours', () => {
    const names = runs(30);
    const watching = new ColorBook();
    for (let count = 1; count <= names.length; count++) watching.serve(names.slice(0, count));
    const loading = new ColorBook();
    loading.serve(names);
    expect(slotsOf(loading, names)).toEqual(slotsOf(watching, names));
  });

  test('remembers', () => {
    const names = runs(12);
    const book = new ColorBook();
    book.serve(names);
    const later = new ColorBook(book.entries);
    later.serve([...names].reverse());
    expect(slotsOf(later, names)).toEqual(slotsOf(book, names));
  });

  test('forgets what no version of it can have written', () => {
    const book = new ColorBook([['a', 999]]);
    expect(book.slot('a')).toBe(preferredColor('a'));
  });

  test('spreads colours on request', () => {
    const names = runs(40);
    const book = new ColorBook();
    book.serve(names);
    const few = names.slice(-8);
    book.spread(few);
    expect(new Set(slotsOf(book, few)).size).toBe(8);
    expect(Math.max(...slotsOf(book, few))).toBeLessThan(PALETTE_SIZE);
  });
});
