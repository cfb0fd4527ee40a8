// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { commandFor } from '../../state/command-keys';
import type { AudioBoard } from './audio-board.svelte';
import { audioCommands } from './audio-commands';

const hear = vi.fn();
const put = vi.fn();

beforeEach(() => {
  document.body.innerHTML =
    '<button id="elsewhere"></button><div data-sound tabindex="-1" id="sound"></div>' +
    '<div data-comparison tabindex="-1" id="comparison"><input id="box" /><input type="range" id="range" /></div>';
});
afterEach(() => {
  document.body.innerHTML = '';
  vi.clearAllMocks();
});

/** Which of the letters are for sounds while the focus is there. */
function lettersOn(place: string, isComparing: boolean): string[] {
  document.getElementById(place)!.focus();
  const board = {
    ...{ comparison: isComparing ? { hear, heard: 0 } : null, isPair: isComparing },
    focused: { item: 'this one', transport: {} },
    put,
  } as unknown as AudioBoard;
  const available = audioCommands(board).filter(({ isAvailable }) => isAvailable?.());
  for (const command of available) if (/^[ab]$/.test(command.keys?.[0] ?? '')) command.run();
  return available.flatMap(({ keys }) => keys ?? []).filter((key) => /^[abx]$/.test(key));
}

test('letters are for sounds where the focus is on one, whether something is compared or not', () => {
  expect(lettersOn('elsewhere', false)).toEqual([]);
  expect(lettersOn('elsewhere', true)).toEqual([]);
  expect(lettersOn('sound', false)).toEqual(['a', 'b']);
  expect(put.mock.calls).toEqual([
    ['a', 'this one'],
    ['b', 'this one'],
  ]);
  expect(lettersOn('sound', true)).toEqual(['a', 'b', 'x']);
  expect(lettersOn('comparison', true)).toEqual(['a', 'b', 'x']);
  expect(hear.mock.calls).toEqual([[0], [1], [0], [1]]);
});

test('each says where it holds', () => {
  const board = { comparison: null, focused: null } as unknown as AudioBoard;
  expect(audioCommands(board).map(({ when }) => when)).not.toContain(undefined);
});

/** What the press of a key does to the sound of ten seconds, at its third, while the focus is there. */
function press(place: string, key: string, { shiftKey = false } = {}): string[] {
  const done: string[] = [];
  const transport = {
    durationS: 10,
    seek: (toS: number) => done.push(`to ${toS}`),
    seekBy: (byS: number) => done.push(`by ${byS}`),
  };
  const board = { comparison: transport, isPair: true, focused: { transport } } as unknown as AudioBoard;
  const element = document.getElementById(place)!;
  element.focus();
  let command: ReturnType<typeof commandFor> = null;
  const hear = (event: KeyboardEvent): void => void (command = commandFor(event, audioCommands(board)));
  addEventListener('keydown', hear, { once: true });
  element.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true }));
  (command as { run: () => void } | null)?.run();
  return done;
}

test.each(['sound', 'comparison'])('keys go through a sound on the %s', (place) => {
  expect(press(place, 'ArrowRight')).toEqual(['by 0.5']);
  expect(press(place, 'ArrowLeft', { shiftKey: true })).toEqual(['by -2.5']);
  expect(press(place, 'ArrowRight', { shiftKey: true })).toEqual(['by 2.5']);
  expect(press(place, 'Home')).toEqual(['to 0']);
  expect(press(place, 'End')).toEqual(['to 10']);
});

test.each(['elsewhere', 'box'])('they are not for sounds on the %s', (place) => {
  for (const key of ['ArrowRight', 'Home', 'End']) expect(press(place, key)).toEqual([]);
});

test('a range keeps the keys that move it', () => {
  for (const key of ['ArrowRight', 'Home', 'End']) expect(press('range', key)).toEqual([]);
});
