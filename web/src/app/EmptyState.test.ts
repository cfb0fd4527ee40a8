// @vitest-environment happy-dom
import { render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { describe, expect, test, vi } from 'vitest';
import EmptyState from './EmptyState.svelte';
import { ENVIRONMENT, FakePage, NO_FILES } from './fake-page.svelte';
import PageHarness from './PageHarness.svelte';

function show(fake: FakePage): void {
  render(PageHarness, { page: fake.page, component: EmptyState });
}

describe('the empty page', () => {
  test('names the directories and says which of them does not exist', () => {
    const fake = new FakePage();
    fake.environment = {
      ...ENVIRONMENT,
      log_directories: [
        { path: '/logs/a', prefix: '', exists: true },
        { path: '/logs/b', prefix: 'mine', exists: false },
      ],
    };
    show(fake);
    const items = screen.getAllByRole('listitem').map((item) => item.textContent);
    expect(items[0]).toContain('/logs/a');
    expect(items[0]).not.toContain('does not exist');
    expect(items[1]).toMatch(/\/logs\/b.*shown as mine.*does not exist yet/s);
  });

  test('notices a directory that comes, and one that goes', async () => {
    vi.useFakeTimers();
    const fake = new FakePage();
    const said = (exists: boolean) => ({
      ...ENVIRONMENT,
      log_directories: [{ path: '/logs/a', prefix: '', exists }],
    });
    fake.environment = said(false);
    fake.progress = { ...NO_FILES, files_done: 2, files_total: 2 };
    // Only by asking: nothing else tells.
    let answer = said(false);
    vi.spyOn(fake.client, 'environment').mockImplementation(() => Promise.resolve(answer));
    show(fake);
    expect(screen.getByText('does not exist yet')).toBeTruthy();
    expect(screen.queryByText(/event files found/)).toBeNull();
    answer = said(true);
    await vi.advanceTimersByTimeAsync(3000);
    expect(screen.queryByText('does not exist yet')).toBeNull();
    answer = said(false);
    await vi.advanceTimersByTimeAsync(3000);
    expect(screen.getByText('does not exist yet')).toBeTruthy();
    expect(screen.queryByText(/event files found/)).toBeNull();
    vi.useRealTimers();
  });

  test('has an example that logs to where we look', () => {
    show(new FakePage());
    expect(screen.getByText(/SummaryWriter\("\/logs\/a\/first"\)/)).toBeTruthy();
  });

  test('tells files without data from no files at all', async () => {
    const fake = new FakePage();
    show(fake);
    expect(screen.getByText(/Looked for files/)).toBeTruthy();
    fake.progress = { ...NO_FILES, files_done: 2, files_total: 2 };
    await tick();
    expect(screen.getByText(/2\s+event files found, with nothing in them/)).toBeTruthy();
  });

  test('does not say that there is nothing while it is still looking', () => {
    const fake = new FakePage();
    fake.progress = { ...NO_FILES, is_done: false };
    show(fake);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Looking for event files…');
  });
});
