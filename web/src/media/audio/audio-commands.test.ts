import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AudioBoard } from './audio-board.svelte';
import { audioCommands } from './audio-commands';

const hear = vi.fn();
const put = vi.fn();

beforeEach(() => {
  document.body.innerHTML =
    '<button id="elsewhere"></button><div data-sound tabindex="-1" id="sound"></div>' +
    '<div data-comparison tabindex="-1" id="comparison"></div>';
});
afterEach(() => {
  document.body.innerHTML = '';
  vi.clearAllMocks();
});

/** Which of the letters are for sounds while the focus is there. */
function lettersOn(place: string, isComparing: boolean): string[] {
  document.getElementById(place)!.focus();
  const board = {
    comparison: isComparing ? { hear, heard: 0 } : null,
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
