import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSlots, writeSlots } from './slots';

const MOST = 16;
const slot = fc.record({
  run: fc.string(),
  tag: fc.string({ minLength: 1 }),
  sample: fc.nat(1000),
  step: fc.option(fc.integer()),
});

describe('values in a link', () => {
  test('come back, whatever runs and tags are called', () => {
    fc.assert(
      fc.property(fc.array(slot, { maxLength: MOST }), (slots) => {
        expect(readSlots(writeSlots(slots), MOST)).toEqual(slots);
      }),
    );
  });

  test('say a tag once', () => {
    const slots = [
      { run: 'a', tag: 't/x', sample: 0, step: 100 },
      { run: 'b', tag: 't/x', sample: 2, step: null },
    ];
    expect(writeSlots(slots)).toBe('a;t/x;;100$b;;2;');
  });

  test('that make no sense are left out, and so are too many', () => {
    expect(readSlots('', MOST)).toEqual([]);
    expect(readSlots('a;;0;1', MOST)).toEqual([]);
    expect(readSlots('a;t;-1;1$a;t;x;1$a;t;0;x$b;;0;1', MOST)).toEqual([
      { run: 'b', tag: 't', sample: 0, step: 1 },
    ]);
    expect(readSlots(Array.from({ length: 30 }, () => 'a;t;;1').join('$'), MOST)).toHaveLength(MOST);
    fc.assert(fc.property(fc.string(), (text) => void readSlots(text, MOST)));
  });
});
