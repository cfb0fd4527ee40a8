// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { actionFor, isTakenBy } from './viewer-keys';

function press(
  key: string,
  { isCursor = false, ...held }: Partial<KeyboardEvent> & { isCursor?: boolean } = {},
) {
  const event = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held, key };
  return actionFor(event, isCursor);
}

test('arrows go through steps and runs, with Shift they pan, with the cursor they move it', () => {
  expect(press('ArrowRight')).toEqual({ type: 'step', by: 1 });
  expect(press('ArrowUp')).toEqual({ type: 'place', by: -1 });
  expect(press('ArrowRight', { shiftKey: true })).toEqual({ type: 'pan', dx: -60, dy: 0 });
  expect(press('ArrowDown', { isCursor: true })).toEqual({ type: 'move-cursor', dx: 0, dy: 1 });
  expect(press('ArrowLeft', { isCursor: true, shiftKey: true })).toEqual({
    type: 'move-cursor',
    dx: -10,
    dy: 0,
  });
});

test('comma and point go through steps, as they do everywhere', () => {
  expect(press(',')).toEqual({ type: 'step', by: -1 });
  expect(press('.')).toEqual(press('ArrowRight'));
});

test('Esc leaves the cursor first, and otherwise is the dialog’s', () => {
  expect(press('Escape', { isCursor: true })).toEqual({ type: 'leave-cursor' });
  expect(press('Escape')).toBeNull();
});

test('the browser keeps its own keys', () => {
  expect(press('ArrowLeft', { altKey: true })).toBeNull();
  expect(press('0', { ctrlKey: true })).toBeNull();
  expect(press('c', { ctrlKey: true })).toEqual({ type: 'copy-values' });
  expect(press('F5')).toBeNull();
});

test('keys belong to what has the focus when it knows them', () => {
  document.body.innerHTML = '<input><button></button><p></p>';
  const of = (selector: string, key: string) => isTakenBy(document.querySelector(selector), key);
  expect(of('input', '1')).toBe(true);
  expect(of('button', ' ')).toBe(true);
  expect(of('button', '+')).toBe(false);
  expect(of('p', ' ')).toBe(false);
});
