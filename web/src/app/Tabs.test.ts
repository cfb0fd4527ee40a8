// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, test, vi } from 'vitest';
import { FakePage } from './fake-page.svelte';
import PageHarness from './PageHarness.svelte';
import Tabs from './Tabs.svelte';

function show(fake: FakePage): void {
  render(PageHarness, { page: fake.page, component: Tabs });
}

describe('the tabs', () => {
  test('mark the open dashboard', () => {
    const fake = new FakePage();
    fake.tagsByKind = { scalar: ['loss'] };
    show(fake);
    expect(screen.getByRole('button', { name: 'Time series' }).getAttribute('aria-current')).toBe('page');
  });

  test('the open one stays in sight when others come to stand before it', async () => {
    const fake = new FakePage();
    fake.view.dashboard = 'tables';
    show(fake);
    const reveal = vi.spyOn(screen.getByRole('button', { name: 'Tables' }), 'scrollIntoView');
    fake.tagsByKind = { scalar: ['loss'], image: ['samples'], table: ['examples'] };
    await tick();
    expect(screen.getByRole('button', { name: 'Images' })).toBeTruthy();
    expect(reveal).toHaveBeenCalled();
  });

  test('the others are behind More: with data but no view, and without data', async () => {
    const fake = new FakePage();
    fake.tagsByKind = { scalar: ['loss'], graph: ['a', 'b'] };
    show(fake);
    await fireEvent.click(screen.getByRole('button', { name: /More/ }));
    await tick();
    const graphs = screen.getByRole('menuitem', { name: /Graphs/ });
    expect(graphs.textContent).toContain('2 tags');
    expect(screen.getByText('In your logs, no view in this version')).toBeTruthy();
    await fireEvent.click(graphs);
    expect(fake.view.dashboard).toBe('graphs');
    expect(screen.getByRole('button', { name: 'Graphs' }).getAttribute('aria-current')).toBe('page');
  });
});
