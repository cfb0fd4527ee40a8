// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { describe, expect, test, vi } from 'vitest';
import { CommandRegistry, type Command } from './commands.svelte';
import { findCommands } from './fuzzy';

const command = (id: string, title: string, more: Partial<Command> = {}): Command => ({
  id,
  title,
  group: 'View',
  run: () => undefined,
  ...more,
});

describe('CommandRegistry', () => {
  test('finds commands by a few letters, best first', () => {
    const registry = new CommandRegistry();
    registry.register(command('a', 'Resize the side bar'));
    registry.register(command('b', 'Reset zoom'));
    expect(findCommands(registry.all, 'reszo').map(({ id }) => id)).toEqual(['b']);
    expect(findCommands(registry.all, 'res').map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('finds by group too, behind those whose title fits', () => {
    const registry = new CommandRegistry();
    registry.register(command('a', 'Select all', { group: 'Runs' }));
    registry.register(command('b', 'Hide runs'));
    expect(findCommands(registry.all, 'runs').map(({ id }) => id)).toEqual(['b', 'a']);
  });

  test('leaves out what is not available now', () => {
    const registry = new CommandRegistry();
    registry.register(command('a', 'Close', { isAvailable: () => false }));
    expect(findCommands(registry.all, '')).toEqual([]);
    expect(registry.all.length).toBe(1);
  });

  test('the frame’s commands stand before those of a dashboard that was quicker', () => {
    const registry = new CommandRegistry();
    registry.register(command('audio.b', 'B'));
    const takeBack = registry.registerFirst([command('shell.b', 'Side bar'), command('shell.t', 'Theme')]);
    expect(registry.all.map(({ id }) => id)).toEqual(['shell.b', 'shell.t', 'audio.b']);
    takeBack();
    expect(registry.all.map(({ id }) => id)).toEqual(['audio.b']);
  });

  test('an empty query lists everything in order', () => {
    const registry = new CommandRegistry();
    registry.register(command('z', 'Zoom'));
    registry.register(command('a', 'All'));
    expect(findCommands(registry.all, '').map(({ id }) => id)).toEqual(['z', 'a']);
  });

  test('the same id is replaced, and taking back the old one does not remove the new one', () => {
    const registry = new CommandRegistry();
    const takeBack = registry.register(command('a', 'Old'));
    registry.register(command('a', 'New'));
    takeBack();
    expect(registry.get('a')?.title).toBe('New');
  });

  test('an effect that registers does not run again because of it', () => {
    const registry = new CommandRegistry();
    const ran = vi.fn();
    const end = $effect.root(() => {
      $effect(() => {
        ran();
        return registry.register(command('a', 'A'));
      });
    });
    flushSync();
    flushSync();
    end();
    expect(ran).toHaveBeenCalledOnce();
    expect(registry.all).toEqual([]);
  });
});
