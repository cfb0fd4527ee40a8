// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Command } from '../state/commands.svelte';
import { listenForKeys } from './keyboard';

let done: string[];
let commands: Command[];
let stop: () => void;

const command = (id: string, keys: string[], run = (): void => void done.push(id)): Command => ({
  ...{ id, title: id, keys, group: 'Test', run },
});

function press(key: string, options: KeyboardEventInit = {}, on: Element = document.body): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options });
  on.dispatchEvent(event);
  return event;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] });
  document.body.innerHTML = '<main></main><input id="field">';
  done = [];
  commands = [];
  stop = () => undefined;
});
afterEach(() => {
  stop();
  delete window.earlyPresses;
  vi.useRealTimers();
});

describe('while the dashboard is on its way', () => {
  beforeEach(() => {
    vi.advanceTimersByTime(60_000);
    stop = listenForKeys(() => commands);
  });

  test('a press waits for its command, and each is played once, in order', () => {
    expect(press('.').defaultPrevented).toBe(true);
    press('?', { shiftKey: true });
    press('.');
    vi.advanceTimersByTime(1000);
    expect(done).toEqual([]);
    commands = [command('next', ['.']), command('help', ['?'])];
    vi.advanceTimersByTime(1000);
    expect(done).toEqual(['next', 'help', 'next']);
  });

  test('a command that is there but cannot be used yet is waited for, too', () => {
    let isAvailable = false;
    commands = [{ ...command('next', ['.']), isAvailable: () => isAvailable }];
    press('.');
    vi.advanceTimersByTime(100);
    isAvailable = true;
    vi.advanceTimersByTime(100);
    expect(done).toEqual(['next']);
  });

  test('after a few seconds nobody expects it any more', () => {
    press('.');
    vi.advanceTimersByTime(11_000);
    commands = [command('next', ['.'])];
    vi.advanceTimersByTime(1000);
    expect(done).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('whoever types means text', () => {
    press('.');
    document.getElementById('field')!.focus();
    commands = [command('next', ['.'])];
    vi.advanceTimersByTime(1000);
    expect(done).toEqual([]);
    expect(press(',', {}, document.getElementById('field')!).defaultPrevented).toBe(false);
  });

  test('what came before a filter is focused is played, what came after it is not', () => {
    press('/');
    press('t');
    commands = [command('theme', ['t'])];
    commands.unshift(command('filter', ['/'], () => document.getElementById('field')!.focus()));
    vi.advanceTimersByTime(1000);
    expect(document.activeElement?.id).toBe('field');
    expect(done).toEqual([]);
  });

  test('a dialog that has come has keys of its own', () => {
    press('.');
    document.body.insertAdjacentHTML('beforeend', '<dialog open></dialog>');
    commands = [command('next', ['.'])];
    vi.advanceTimersByTime(1000);
    expect(done).toEqual([]);
  });

  test.each([
    ['s', { ctrlKey: true }],
    [' ', {}],
    ['Enter', {}],
    ['e', { altKey: true }],
    ['.', { repeat: true }],
  ])('%j is left to the browser', (key, options) => {
    expect(press(key, options).defaultPrevented).toBe(false);
    commands = [command('save', ['Ctrl+S', 'Space', 'Enter', 'Alt+E', '.'])];
    vi.advanceTimersByTime(1000);
    expect(done).toEqual([]);
  });

  test('a cat on the keyboard does not fill the memory', () => {
    for (let i = 0; i < 1000; i++) press('.');
    commands = [command('next', ['.'])];
    vi.advanceTimersByTime(1000);
    expect(done).toHaveLength(8);
  });
});

test('once the dashboard stands, a key without a command is nobody’s', () => {
  vi.advanceTimersByTime(60_000);
  stop = listenForKeys(() => commands);
  document.querySelector('main')!.append(document.createElement('div'));
  expect(press('.').defaultPrevented).toBe(false);
  commands = [command('next', ['.'])];
  vi.advanceTimersByTime(1000);
  expect(done).toEqual([]);
});

test('what was pressed before the page’s code was there is played', () => {
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(document.createElement('script'));
  runInThisContext(readFileSync('public/early.js', 'utf8'));
  expect(press('k', { ctrlKey: true }).defaultPrevented).toBe(true);
  expect(press(',').defaultPrevented).toBe(true);
  expect(press('s', { ctrlKey: true }).defaultPrevented).toBe(false);
  expect(press('x', {}, document.getElementById('field')!).defaultPrevented).toBe(false);
  commands = [command('palette', ['Ctrl+K']), command('mark', ['x'])];
  stop = listenForKeys(() => commands);
  expect(done).toEqual(['palette']);
  commands = [...commands, command('previous', [','])];
  vi.advanceTimersByTime(100);
  expect(done).toEqual(['palette', 'previous']);
  // From now on there is one listener.
  press('x');
  expect(done).toEqual(['palette', 'previous', 'mark']);
});
