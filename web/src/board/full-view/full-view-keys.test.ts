// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { parseKeys } from '../../state/command-keys';
import { CommandRegistry } from '../../state/commands.svelte';
import type { Page } from '../../state/page.svelte';
import { actionFor as filmActionFor, FILM_KEY_LINES } from '../../kinds/image/films/film-keys';
import { tellKeys } from './full-view-keys';
import { actionFor as viewerActionFor, VIEWER_KEY_LINES } from '../../kinds/image/viewer/viewer-keys';

/** The press that a text of keys means. */
function pressed(text: string): KeyboardEvent {
  const { key, hasMod, hasAlt, hasShift } = parseKeys(text);
  return new KeyboardEvent('keydown', { key, ctrlKey: hasMod, altKey: hasAlt, shiftKey: hasShift });
}

test.each([
  { name: 'viewer', lines: VIEWER_KEY_LINES, actionFor: (e: KeyboardEvent) => viewerActionFor(e, false) },
  { name: 'player', lines: FILM_KEY_LINES, actionFor: filmActionFor },
])('every key that is listed for the $name means something there', ({ lines, actionFor }) => {
  for (const key of lines.flatMap(([, ...keys]) => keys))
    expect([key, actionFor(pressed(key))]).not.toContain(null);
});

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
