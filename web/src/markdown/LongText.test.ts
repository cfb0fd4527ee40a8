// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/svelte';
import { afterEach, expect, it, vi } from 'vitest';
import LongText from './LongText.svelte';

afterEach(cleanup);

const LINE = `${'a line of a long text '.repeat(4)}\n`;
const text = LINE.repeat(10_000);

it('comes a few blocks at a time, and is all there in the end', async () => {
  const { container } = render(LongText, { text });
  const chars = (): number => container.textContent.trim().length;
  expect(chars()).toBeGreaterThan(0);
  expect(chars()).toBeLessThan(text.length / 2);
  const frame = container.querySelector('.text')!;
  expect(frame.getAttribute('aria-busy')).toBe('true');
  await vi.waitFor(() => expect(frame.textContent).toBe(text));
  expect(frame.getAttribute('aria-busy')).toBe('false');
});

it('leaves what it shows where it is when more of the same text comes, and begins anew with another', async () => {
  const { container, rerender } = render(LongText, { text: text.slice(0, 400_000) });
  const blocks = (): string[] => [...container.querySelectorAll('.text > div')].map((one) => one.textContent);
  await vi.waitFor(() => expect(blocks().join('')).toHaveLength(400_000));
  const before = blocks();
  await rerender({ text });
  expect(blocks().slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  expect(blocks().length).toBeGreaterThan(before.length);
  await vi.waitFor(() => expect(blocks().join('')).toBe(text));
  await rerender({ text: 'another' });
  expect(blocks()).toEqual(['another']);
});
