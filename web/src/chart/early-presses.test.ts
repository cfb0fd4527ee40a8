// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EarlyPresses } from './early-presses';
import { drag, pointer } from './test-series';

let host: HTMLElement;
let early: EarlyPresses;

beforeEach(() => {
  host = document.createElement('div');
  host.tabIndex = 0;
  document.body.append(host);
  early = new EarlyPresses(host);
});

afterEach(() => {
  vi.restoreAllMocks();
  host.remove();
});

const key = (name: string) =>
  host.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, shiftKey: true }));

/** What the code that comes late hears, and what the page around it hears again. */
function played(): { heard: string[]; above: string[] } {
  const heard: string[] = [];
  const above: string[] = [];
  for (const type of ['pointerdown', 'pointermove', 'pointerup', 'keydown']) {
    host.addEventListener(type, (event) => {
      const what = event instanceof KeyboardEvent ? event.key : (event as PointerEvent).clientX;
      heard.push(`${type} ${what}`);
    });
    document.body.addEventListener(type, () => above.push(type));
  }
  early.play();
  return { heard, above };
}

test('a drag and keys are played in their order, with where they were, and to the chart alone', () => {
  host.focus();
  drag(host, [10, 20], [110, 20], { pointerType: 'mouse' });
  key('ArrowLeft');
  const { heard, above } = played();
  expect(heard).toEqual(['pointerdown 10', 'pointermove 110', 'pointerup 110', 'keydown ArrowLeft']);
  expect(above).toEqual([]);
  // From here on everything goes its usual way, once.
  pointer(host, 'pointerdown', 5, 5);
  expect([heard.at(-1), above]).toEqual(['pointerdown 5', ['pointerdown']]);
  early.play();
  expect(heard).toHaveLength(5);
});

test('keys are not played to a chart that has lost the focus, and old presses not at all', () => {
  host.focus();
  key('ArrowLeft');
  host.blur();
  expect(played().heard).toEqual([]);

  early = new EarlyPresses(host);
  pointer(host, 'pointerdown', 10, 10);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
  expect(played().heard).toEqual([]);
});
