import { expect, test } from 'vitest';
import { CommandRegistry } from '../../state/commands.svelte';
import type { Page } from '../../state/page.svelte';
import { tellKeys } from './full-view-keys';

test('keys of the topmost view cover the page, are in no palette, and go with it', () => {
  const commands = new CommandRegistry();
  const page = { commands } as unknown as Page;
  commands.register({ id: 'below', title: 'Below', keys: ['x'], group: 'Page', run: () => undefined });
  const covered = (): string[] => {
    const { cover } = commands;
    return cover === null ? [] : commands.all.filter(cover).flatMap(({ keys }) => keys ?? []);
  };
  const endLower = tellKeys(page, 'Viewer', [['Fit', '0']]);
  expect(covered()).toEqual(['0', 'Esc']);
  const endUpper = tellKeys(page, 'Player', [['Pause', 'k']]);
  expect(covered()).toEqual(['k', 'Esc']);
  expect(commands.all.filter(({ isAvailable }) => isAvailable?.() ?? true)).toHaveLength(1);
  endUpper();
  expect(covered()).toEqual(['0', 'Esc']);
  endLower();
  expect([commands.cover, commands.all.length]).toEqual([null, 1]);
});
