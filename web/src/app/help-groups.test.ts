import { expect, test } from 'vitest';
import type { Command } from '../state/commands.svelte';
import { helpGroups, splitByCover } from './help-groups';

function command(id: string, more: Partial<Command> = {}): Command {
  return { id, title: `do ${id}`, keys: [id], group: 'Page', run: () => undefined, ...more };
}

test('commands with keys are listed once, in groups', () => {
  const commands = [command('a'), command('b', { group: 'Sounds' }), command('c', { title: 'do a' })];
  expect(helpGroups([...commands, command('d', { keys: [] })])).toEqual([
    { name: 'Page', when: '', lines: [{ title: 'do a', keys: ['a'], when: '' }] },
    { name: 'Sounds', when: '', lines: [{ title: 'do b', keys: ['b'], when: '' }] },
  ]);
});

test('where keys hold is said once for a group, or else by each line', () => {
  const [common] = helpGroups([command('a', { when: 'on a sound' }), command('b', { when: 'on a sound' })]);
  expect([common!.when, ...common!.lines.map(({ when }) => when)]).toEqual(['on a sound', '', '']);
  const [mixed] = helpGroups([command('a', { when: 'on a sound' }), command('b')]);
  expect([mixed!.when, ...mixed!.lines.map(({ when }) => when)]).toEqual(['', 'on a sound', '']);
});

test('what holds in the view that covers the page comes first, with what holds everywhere at its end', () => {
  const help = command('?', { isEverywhere: true });
  const commands = [help, command('a'), command('b', { group: 'Viewer' })];
  const ids = splitByCover(commands, ({ group }) => group === 'Viewer').map((part) =>
    part.map(({ id }) => id),
  );
  expect(ids).toEqual([['b', '?'], ['a']]);
  expect(splitByCover(commands, null)).toEqual([[], commands]);
});
