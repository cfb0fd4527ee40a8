// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Command } from '../state/commands.svelte';
import { keyCaps } from './key-caps';
import { listenForKeys } from './keyboard';

function press(key: string, options: KeyboardEventInit = {}): KeyboardEvent {
  return new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options });
}

test('keys are drawn one by one, with the signs of the platform', () => {
  expect(keyCaps('Ctrl+K', false)).toEqual(['Ctrl', 'K']);
  expect(keyCaps('Ctrl+K', true)).toEqual(['⌘', 'K']);
  expect(keyCaps('?', false)).toEqual(['?']);
  expect(keyCaps('Ctrl++', false)).toEqual(['Ctrl', '+']);
  expect(keyCaps('Shift+Left', true)).toEqual(['⇧', '←']);
});

describe('the listener', () => {
  let done: string[];
  let commands: Command[];
  let stop: () => void;

  function command(id: string, keys: string[], isAvailable = true): Command {
    return { id, title: id, keys, group: 'Test', isAvailable: () => isAvailable, run: () => done.push(id) };
  }

  beforeEach(() => {
    document.body.innerHTML = '<input id="box"><button id="button">a</button>';
    done = [];
    commands = [];
    stop = listenForKeys(() => commands);
  });
  afterEach(() => stop());

  function pressOn(id: string, event: KeyboardEvent): KeyboardEvent {
    document.getElementById(id)?.dispatchEvent(event);
    return event;
  }

  test('runs the command of the key and keeps the browser from its own', () => {
    commands = [command('help', ['?'])];
    expect(pressOn('button', press('?', { shiftKey: true })).defaultPrevented).toBe(true);
    expect(done).toEqual(['help']);
  });

  test('steals no key from a text field, except with Ctrl', () => {
    commands = [command('theme', ['t']), command('palette', ['Ctrl+K'])];
    expect(pressOn('box', press('t')).defaultPrevented).toBe(false);
    pressOn('box', press('k', { ctrlKey: true }));
    expect(done).toEqual(['palette']);
  });

  test.each(['range', 'checkbox', 'radio', 'button'])('single letters work on a %s', (type) => {
    commands = [command('theme', ['t'])];
    document.body.insertAdjacentHTML('beforeend', `<input id="control" type="${type}">`);
    pressOn('control', press('t'));
    expect(done).toEqual(['theme']);
  });

  test('Enter in a filter leads to the first thing found', () => {
    document.body.innerHTML = '<input id="tag-filter"><div data-chart-host tabindex="0" id="chart"></div>';
    pressOn('tag-filter', press('Enter'));
    expect(document.activeElement?.id).toBe('chart');
  });

  test('Esc steps back through what was opened, the latest first', () => {
    let isFullScreen = true;
    commands = [
      command('reset zoom', ['Esc']),
      { ...command('leave full screen', ['Esc']), isAvailable: () => isFullScreen },
    ];
    pressOn('button', press('Escape'));
    isFullScreen = false;
    pressOn('button', press('Escape'));
    expect(done).toEqual(['leave full screen', 'reset zoom']);
  });

  test('a command that is not available leaves its key to others', () => {
    commands = [command('first', ['p']), command('second', ['p'], false)];
    pressOn('button', press('p'));
    expect(done).toEqual(['first']);
  });

  test('a key that somebody else has answered is not answered again', () => {
    commands = [command('back', ['Esc'])];
    document.body.addEventListener('keydown', (event) => event.preventDefault(), { once: true });
    pressOn('button', press('Escape'));
    expect(done).toEqual([]);
  });

  test('holding a key repeats moves only', () => {
    commands = [command('next', ['j']), command('theme', ['t'])];
    pressOn('button', press('j', { repeat: true }));
    pressOn('button', press('t', { repeat: true }));
    expect(done).toEqual(['next']);
  });

  test('nothing happens behind an open dialog', () => {
    commands = [command('theme', ['t'])];
    document.body.insertAdjacentHTML('beforeend', '<dialog open></dialog>');
    pressOn('button', press('t'));
    expect(done).toEqual([]);
  });

  test('what holds everywhere holds in a dialog that lets no key out, but not where somebody types', () => {
    commands = [command('theme', ['t']), { ...command('help', ['?']), isEverywhere: true }];
    document.body.innerHTML = '<dialog open id="view"><input id="typed"></dialog>';
    document.getElementById('view')?.addEventListener('keydown', (event) => event.stopPropagation());
    pressOn('typed', press('?'));
    pressOn('view', press('t'));
    expect(done).toEqual([]);
    expect(pressOn('view', press('?')).defaultPrevented).toBe(true);
    expect(done).toEqual(['help']);
  });

  test('letters of a composition are not shortcuts', () => {
    commands = [command('theme', ['t'])];
    pressOn('button', press('t', { isComposing: true }));
    expect(done).toEqual([]);
  });
});
