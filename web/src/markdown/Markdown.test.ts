// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import LateMarkdown from './LateMarkdown.svelte';
import Markdown from './Markdown.svelte';
import { MARKDOWN_CHARS } from './pieces';

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

const LINE = `${'word '.repeat(100)}\n\n`;
/** A line each. */
const longText = (chars: number): string => LINE.repeat(Math.ceil(chars / LINE.length));

it('shows all of a long text, its beginning as Markdown and the rest as it was typed', async () => {
  const text = `${longText(MARKDOWN_CHARS)}**the end**`;
  const { container } = render(Markdown, { text });
  const words = (element: ParentNode | null): string => element?.textContent?.replaceAll(/\s+/g, '') ?? '';
  await vi.waitFor(() => expect(container.querySelector('.note')).not.toBeNull());
  const pieces = [...container.querySelectorAll('.piece')].map(words).join('');
  const rest = words(container.querySelector('.text'));
  expect(rest).toMatch(/\*\*theend\*\*$/);
  expect(pieces + rest).toBe(text.replaceAll(/\s+/g, ''));
  expect(screen.queryByRole('button')).toBeNull();
});

it('leaves what it shows where it is when more of the same text comes', async () => {
  const text = longText(MARKDOWN_CHARS * 1.5);
  const { container, rerender } = render(Markdown, { text: text.slice(0, MARKDOWN_CHARS) });
  const pieces = (): Element[] => [...container.querySelectorAll('.piece')];
  await vi.waitFor(() => expect(pieces().length).toBeGreaterThan(3));
  const kept = pieces();
  await rerender({ text });
  expect(pieces().slice(0, 4)).toEqual(kept.slice(0, 4));
  expect(pieces()[3]).toBe(kept[3]);
});

it('begins anew with another long text, however much of the last one was shown', async () => {
  const text = longText(MARKDOWN_CHARS);
  const { container, rerender } = render(Markdown, { text });
  const pieces = (): number => container.querySelectorAll('.piece').length;
  await vi.waitFor(() => expect(pieces()).toBeGreaterThan(3));
  await rerender({ text: `another ${text}` });
  expect(pieces()).toBe(1);
});

it.each([
  ['quotes', `${'>'.repeat(20_000)} deep`],
  ['lists', `${'- '.repeat(60)}deep`],
  ['a comment', '<!-- deep -->'],
  ['the address of a link', '[deep]: https://example.test'],
])('shows %s of which nothing would be seen as it was typed, and says so', (_, text) => {
  const { container } = render(Markdown, { text });
  expect(container.querySelector('.typed')?.textContent).toBe(text);
  expect(container.querySelector('.note')?.textContent).toMatch(/^Shown as it was typed/);
});

it.each(['', ' \n', '---', '![](data:image/png;base64,AAAA)', `${'> '.repeat(30)}deep`])(
  'says nothing of %j',
  (text) => {
    expect(render(Markdown, { text }).container.querySelector('.note, .typed')).toBeNull();
  },
);

it('comes late where it is not part of the first view', async () => {
  const { container } = render(LateMarkdown, { text: '**x**' });
  expect(container.textContent.trim()).toBe('**x**');
  await vi.waitFor(() => expect(container.querySelector('strong')?.textContent).toBe('x'));
});
