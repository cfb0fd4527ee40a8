import { flushSync } from 'svelte';
import { describe, expect, test, vi } from 'vitest';
import { CommandRegistry, type Command } from './commands.svelte';

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
    expect(registry.find('reszo').map(({ id }) => id)).toEqual(['b']);
    expect(registry.find('res').map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('finds by group too, behind those whose title fits', () => {
    const registry = new CommandRegistry();
    registry.register(command('a', 'Select all', { group: 'Runs' }));
    registry.register(command('b', 'Hide runs'));
    expect(registry.find('runs').map(({ id }) => id)).toEqual(['b', 'a']);
  });

  test('leaves out what is not available now', () => {
    const registry = new CommandRegistry();
    registry.register(command('a', 'Close', { isAvailable: () => false }));
    expect(registry.find('')).toEqual([]);
    expect(registry.all.length).toBe(1);
  });

  test('an empty query lists everything in order', () => {
    const registry = new CommandRegistry();
    registry.register(command('z', 'Zoom'));
    registry.register(command('a', 'All'));
    expect(registry.find('').map(({ id }) => id)).toEqual(['z', 'a']);
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
