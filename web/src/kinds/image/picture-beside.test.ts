// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest';
import { pictureBeside } from './picture-beside';

afterEach(() => document.body.replaceChildren());

/** Three tags of one row, and two of the next, of which the first is wider. */
function pictures(): Record<string, HTMLElement> {
  const places: Record<string, [left: number, top: number]> = {
    ...{ a: [0, 0], b: [110, 0], c: [220, 0] },
    ...{ d: [0, 150], e: [110, 150], f: [220, 150] },
  };
  const scroller = document.createElement('div');
  scroller.dataset['scroller'] = '';
  document.body.append(scroller);
  const elsewhere = document.createElement('button');
  elsewhere.dataset['picture'] = '';
  elsewhere.getBoundingClientRect = () => new DOMRect(0, 110, 10, 10);
  document.body.append(elsewhere);
  return Object.fromEntries(
    Object.entries(places).map(([name, [left, top]]) => {
      const grid = document.createElement('ul');
      const picture = document.createElement('button');
      picture.dataset['picture'] = name;
      picture.getBoundingClientRect = () => new DOMRect(left, top, 100, 100);
      grid.append(picture);
      scroller.append(grid);
      return [name, picture];
    }),
  );
}

it.each([
  ['a', 'ArrowRight', 'b'],
  ['c', 'ArrowRight', 'd'],
  ['d', 'ArrowLeft', 'c'],
  ['a', 'ArrowLeft', null],
  ['f', 'ArrowRight', null],
  ['b', 'ArrowDown', 'e'],
  ['f', 'ArrowUp', 'c'],
  ['a', 'ArrowUp', null],
  ['f', 'ArrowDown', null],
  ['a', 'End', null],
])('from %s, %s leads to %s', (from, key, to) => {
  const all = pictures();
  expect(pictureBeside(all[from]!, key)).toBe(to === null ? null : all[to]);
});
