import { describe, expect, it } from 'vitest';
import { PictureSelection, type Place } from './selection.svelte';

const place = (sample: number, tag = 'a'): Place => ({ run: 0, tag, sample });
const order = [0, 1, 2, 3, 4].map((sample) => place(sample));
const chosen = (selection: PictureSelection) => selection.places.map(({ sample }) => sample);

describe('choosing tiles', () => {
  it('keeps the order in which they were chosen', () => {
    const selection = new PictureSelection();
    for (const sample of [3, 1]) selection.toggle(place(sample));
    expect(chosen(selection)).toEqual([3, 1]);
    selection.toggle(place(3));
    expect(chosen(selection)).toEqual([1]);
  });

  it('takes a range from the last one, in both directions, and again from there', () => {
    const selection = new PictureSelection();
    selection.toggle(place(3));
    selection.extendTo(place(1), order);
    expect(chosen(selection).sort()).toEqual([1, 2, 3]);
    selection.extendTo(place(4), order);
    expect(chosen(selection).sort()).toEqual([1, 2, 3, 4]);
  });

  it('takes one tile when the range would begin in another grid', () => {
    const selection = new PictureSelection();
    selection.toggle(place(0, 'b'));
    selection.extendTo(place(4), order);
    expect(selection.places).toEqual([place(0, 'b'), place(4)]);
  });

  it('takes and lets go of all', () => {
    const selection = new PictureSelection();
    selection.setAll(order, true);
    expect(selection.size).toBe(5);
    expect(selection.has(place(2))).toBe(true);
    selection.setAll(order.slice(1), false);
    expect(chosen(selection)).toEqual([0]);
    selection.clear();
    expect(selection.size).toBe(0);
  });
});
