// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, test } from 'vitest';
import PageHarness from './PageHarness.svelte';
import CommandPalette from './CommandPalette.svelte';
import { FakePage, makeRun } from './fake-page.svelte';

function open(fake: FakePage): HTMLElement {
  render(PageHarness, {
    page: fake.page,
    component: CommandPalette,
    given: { isOpen: true },
  });
  return screen.getByRole('combobox');
}

function titles(): string[] {
  return screen.queryAllByRole('option').map((one) => one.querySelector('.title')?.textContent ?? '');
}

describe('the command palette', () => {
  test('lists the commands with their keys and runs the one that Enter chooses', async () => {
    const fake = new FakePage();
    const done: string[] = [];
    fake.commands.register({ id: 'a', title: 'Reload', group: 'General', run: () => done.push('reload') });
    fake.commands.register({
      id: 'b',
      title: 'Help',
      keys: ['?'],
      group: 'General',
      run: () => done.push('help'),
    });
    const box = open(fake);
    expect(titles()).toEqual(['Reload', 'Help']);
    expect(screen.getAllByRole('option')[1]?.querySelector('kbd')?.textContent).toBe('?');
    await fireEvent.keyDown(box, { key: 'ArrowDown' });
    await fireEvent.keyDown(box, { key: 'Enter' });
    await tick();
    expect(done).toEqual(['help']);
    expect(screen.queryByRole('combobox')).toBeNull();
  });

  test('finds runs and tags as letters are typed, and names the active row', async () => {
    const fake = new FakePage([makeRun(3, 'cnn/seed0'), makeRun(4, 'resnet')], ['train/loss', 'val/loss']);
    const box = open(fake);
    await fireEvent.input(box, { target: { value: 'cnn' } });
    expect(titles()).toEqual(['cnn/seed0']);
    const active = box.getAttribute('aria-activedescendant') ?? '';
    expect(document.getElementById(active)?.getAttribute('aria-selected')).toBe('true');
    await fireEvent.keyDown(box, { key: 'Enter' });
    await tick();
    expect(fake.runs.visibleIds).toEqual([3]);
  });

  test('a tag is opened in full', async () => {
    const fake = new FakePage();
    fake.tagsByKind = { scalar: ['train/loss', 'val/loss'] };
    const box = open(fake);
    await fireEvent.input(box, { target: { value: 'val' } });
    await fireEvent.click(screen.getByRole('option'));
    await tick();
    expect(fake.view.fullScreenCard).toBe('val/loss');
  });

  test('says so when nothing fits', async () => {
    const box = open(new FakePage());
    await fireEvent.input(box, { target: { value: 'zzz' } });
    expect(screen.getByRole('status').textContent).toContain('Nothing fits “zzz”');
  });
});
