import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import LateMarkdown from './LateMarkdown.svelte';
import Markdown from './Markdown.svelte';
import { PIECE_CHARS } from './pieces';

// See render.test.ts.
vi.mock('./clean', () => ({
  cleaned: (markup: string): Node => new DOMParser().parseFromString(markup, 'text/html').body,
}));

afterEach(cleanup);

it('makes elements of what was typed', () => {
  const page = render(Markdown, { text: '# Plan\n\n- **one**\n- two\n\n```\ncode\n```' }).container;
  expect(page.querySelector('h4')?.textContent).toBe('Plan');
  expect([...page.querySelectorAll('li')].map((item) => item.textContent.trim())).toEqual(['one', 'two']);
  expect(page.querySelector('pre')?.textContent).toBe('code\n');
});

it('shows another text when it changes', async () => {
  const { container, rerender } = render(Markdown, { text: 'one' });
  await rerender({ text: 'two' });
  expect(container.textContent.trim()).toBe('two');
});

it('shows the beginning of a long text at once, and all of it when asked', async () => {
  const line = `${'word '.repeat(100)}\n\n`;
  const count = Math.ceil((PIECE_CHARS * 6) / line.length);
  const { container } = render(Markdown, { text: line.repeat(count) });
  const paragraphs = (): number => container.querySelectorAll('p').length;
  await vi.waitFor(() => expect(container.querySelectorAll('.piece')).toHaveLength(4));
  expect(paragraphs()).toBeLessThan(count);
  screen.getByRole('button', { name: /^Show the other/ }).click();
  await vi.waitFor(() => expect(paragraphs()).toBe(count));
  expect(screen.queryByRole('button')).toBeNull();
});

it('begins anew with another long text, however much of the last one was shown', async () => {
  const line = `${'word '.repeat(100)}\n\n`;
  const text = line.repeat(Math.ceil((PIECE_CHARS * 6) / line.length));
  const { container, rerender } = render(Markdown, { text });
  const pieces = (): number => container.querySelectorAll('.piece').length;
  screen.getByRole('button', { name: /^Show the other/ }).click();
  await vi.waitFor(() => expect(pieces()).toBeGreaterThan(5));
  await rerender({ text: `another ${text}` });
  expect(pieces()).toBeLessThan(5);
  await vi.waitFor(() => expect(pieces()).toBe(4));
});

it('comes late where it is not part of the first view', async () => {
  const { container } = render(LateMarkdown, { text: '**x**' });
  expect(container.textContent.trim()).toBe('**x**');
  await vi.waitFor(() => expect(container.querySelector('strong')?.textContent).toBe('x'));
});
