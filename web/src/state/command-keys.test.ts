// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { matchesKeys, takesText } from './command-keys';

function press(key: string, options: KeyboardEventInit = {}): KeyboardEvent {
  return new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options });
}

describe('what a key press means', () => {
  test.each([
    ['Ctrl+K', press('k', { ctrlKey: true })],
    ['Ctrl+K', press('k', { metaKey: true })],
    ['?', press('?', { shiftKey: true })],
    ['/', press('/')],
    ['Esc', press('Escape')],
    ['Shift+Left', press('ArrowLeft', { shiftKey: true })],
    ['Ctrl++', press('+', { ctrlKey: true })],
    ['t', press('T')],
  ])('%s is pressed', (keys, event) => {
    expect(matchesKeys(keys, event)).toBe(true);
  });

  test.each([
    ['k', press('k', { ctrlKey: true })],
    ['Ctrl+K', press('k')],
    ['r', press('r', { altKey: true })],
    ['r', press('R', { shiftKey: true })],
    ['Left', press('ArrowLeft', { shiftKey: true })],
  ])('%s is not pressed', (keys, event) => {
    expect(matchesKeys(keys, event)).toBe(false);
  });
});

describe('where keys are left alone', () => {
  test.each([
    ['<input type="text">', true],
    ['<input type="number">', true],
    ['<input type="checkbox">', false],
    ['<input type="range">', false],
    ['<textarea></textarea>', true],
    ['<select></select>', true],
    ['<button>a</button>', false],
    ['<div contenteditable="true"></div>', true],
    ['<div role="menu"></div>', true],
  ])('%s takes text: %s', (html, expected) => {
    document.body.innerHTML = html;
    expect(takesText(document.body.firstElementChild)).toBe(expected);
  });
});
