// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import App from './App.svelte';
import { ENVIRONMENT, FakePage } from './fake-page.svelte';

let fake: FakePage;

beforeEach(() => {
  fake = new FakePage();
  document.body.innerHTML = '';
});

/** They come a little later than the frame. */
function commandsOf({ commands }: FakePage): Promise<void> {
  return vi.waitFor(() => expect(commands.get('shell.theme')).toBeDefined(), { timeout: 20_000 });
}

describe('the frame', () => {
  test('has the title that the server was given', async () => {
    fake.environment = { ...ENVIRONMENT, window_title: 'Night run' };
    render(App, { page: fake.page });
    await tick();
    expect(document.title).toBe('Time series · Night run');
    fake.view.dashboard = 'images';
    await tick();
    expect(document.title).toBe('Images · Night run');
  });

  test('follows the chosen theme', async () => {
    fake.settings.theme = 'dark';
    render(App, { page: fake.page });
    await tick();
    expect(document.documentElement.dataset['theme']).toBe('dark');
    await commandsOf(fake);
    await fireEvent.keyDown(document.body, { key: 't' });
    await tick();
    expect(document.documentElement.dataset['theme']).toBe('light');
    expect(fake.theme).toBe('light');
  });

  test('asks for the token when the server wants one', () => {
    fake.environment = null;
    fake.isTokenMissing = true;
    render(App, { page: fake.page });
    expect(screen.getByRole('textbox', { name: 'Token' })).toBeTruthy();
  });

  test('says what to do when nobody has ever answered', () => {
    fake.environment = null;
    fake.connection = 'lost';
    render(App, { page: fake.page });
    expect(screen.getByRole('heading', { name: 'The server does not answer' })).toBeTruthy();
  });

  test('keeps what is shown when the connection is lost later, and tells of its return', async () => {
    render(App, { page: fake.page });
    fake.connection = 'lost';
    await tick();
    expect(screen.queryByRole('heading', { name: 'The server does not answer' })).toBeNull();
    expect(screen.getByRole('button', { name: /Reconnecting…/ })).toBeTruthy();
    fake.connection = 'live';
    await tick();
    expect(fake.announcements.map(({ text }) => text)).toEqual([
      'Connection to the server lost, trying again',
      'Connected again',
    ]);
  });

  test('keeps what is shown when the server answers with an error, and says so', async () => {
    render(App, { page: fake.page });
    const main = screen.getByRole('main');
    fake.error = 'The disk is gone';
    await tick();
    expect(screen.getByRole('main')).toBe(main);
    expect(screen.getByText(/The server answered with an error: The disk is gone/)).toBeTruthy();
    fake.error = null;
    await tick();
    expect(screen.queryByText(/answered with an error/)).toBeNull();
  });

  test('does not say that nobody answers when the first answer is an error', () => {
    fake.environment = null;
    fake.error = 'The disk is gone';
    render(App, { page: fake.page });
    expect(screen.getByRole('heading', { name: 'The server answered with an error' })).toBeTruthy();
    expect(screen.getByText('The disk is gone')).toBeTruthy();
  });

  test('opens the help sheet by key, with the keys of every command that has one', async () => {
    render(App, { page: fake.page });
    await commandsOf(fake);
    fake.commands.register({ id: 'x', title: 'Pin the chart', keys: ['p'], group: 'Charts', run: () => {} });
    await fireEvent.keyDown(document.body, { key: '?', shiftKey: true });
    const sheet = await screen.findByRole('dialog', { name: 'Keyboard and pointer' });
    expect(sheet.textContent).toMatch(/Light or dark theme/);
    expect(sheet.textContent).toMatch(/Pin the chart\s*p/);
  });

  test('shows a badge for damage and warnings, which opens the report', async () => {
    fake.damage = {
      damage: [
        { run: 'cnn', file: 'events.1', offset: 1200, length: 40, text: 'checksum of a record is wrong' },
      ],
      damage_count: 1,
      warnings: ['runs/b does not exist'],
    };
    render(App, { page: fake.page });
    await fireEvent.click(screen.getByRole('button', { name: '2 problems in the files: show' }));
    const panel = await screen.findByRole('dialog', { name: 'Warnings and damaged files' });
    expect(panel.textContent).toMatch(/runs\/b does not exist/);
    expect(fake.damageReports).toBeGreaterThan(0);
    expect(panel.textContent).toMatch(/checksum of a record is wrong/);
  });

  test('counts and tells what people added that could not be read', async () => {
    fake.damage = { damage: [], damage_count: 0, warnings: [] };
    fake.server.state = { ...fake.server.state, problems: ['1 line of edits.jsonl is damaged'] };
    await fake.workspace.refresh();
    render(App, { page: fake.page });
    await fireEvent.click(screen.getByRole('button', { name: '1 problem in the files: show' }));
    const panel = await screen.findByRole('dialog', { name: 'Warnings and damaged files' });
    expect(panel.textContent).toMatch(/1 line of edits\.jsonl is damaged/);
    expect(panel.textContent).not.toMatch(/Nothing to report/);
  });
});
