import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clearViewer, MOST_SLOTS, RANGE, readSlots, settingOf, writeSlots } from './viewer-words';

const slot = fc.record({
  run: fc.string(),
  tag: fc.string({ minLength: 1 }),
  sample: fc.nat(1000),
  step: fc.option(fc.integer()),
});

describe('pictures in a link', () => {
  test('come back, whatever runs and tags are called', () => {
    fc.assert(
      fc.property(fc.array(slot, { maxLength: MOST_SLOTS }), (slots) => {
        expect(readSlots(writeSlots(slots))).toEqual(slots);
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
    expect(readSlots('')).toEqual([]);
    expect(readSlots('a;;0;1')).toEqual([]);
    expect(readSlots('a;t;-1;1$a;t;x;1$a;t;0;x$b;;0;1')).toEqual([
      { run: 'b', tag: 't', sample: 0, step: 1 },
    ]);
    expect(readSlots(Array.from({ length: 30 }, () => 'a;t;;1').join('$'))).toHaveLength(MOST_SLOTS);
    fc.assert(fc.property(fc.string(), (text) => void readSlots(text)));
  });
});

test('a typed range is two numbers, the smaller one first', () => {
  const read = (text: string) => settingOf({ media: { 'open.range': text } }, RANGE);
  expect(read('auto')).toBe('auto');
  expect(read('10..2000.5')).toEqual({ least: 10, greatest: 2000.5 });
  for (const text of ['', '5', '5..5', '9..1', 'a..b', '..3', '1..Infinity']) expect(read(text)).toBe('full');
});

test('closing takes the pictures out of the view and leaves habits', () => {
  const view = {
    media: { open: 'a;t;;1', 'open.at': '1_2_3', 'open.sync': '0', gamma: '2' },
    selected: null,
  };
  expect(clearViewer(view)).toEqual({ open: 'a;t;;1', 'open.at': '1_2_3' });
  expect(view.media).toEqual({ 'open.sync': '0', gamma: '2' });
});
