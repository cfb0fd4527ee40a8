// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet, tick } from 'svelte';
import { afterEach, describe, expect, it } from 'vitest';
import VirtualList from './VirtualList.svelte';

afterEach(cleanup);

const row = createRawSnippet<[number]>((index) => ({ render: () => `<p data-row>${index()}</p>` }));

function shown(): number[] {
  return [...document.querySelectorAll('[data-row]')]
    .map((element) => Number(element.textContent))
    .sort((a, b) => a - b);
}

async function scrollTo(px: number): Promise<void> {
  const list = screen.getByRole('list');
  list.scrollTop = px;
  await fireEvent.scroll(list);
}

const ROW_PX = 20;

describe('a virtual list', () => {
  it('has only the rows near the viewport', async () => {
    render(VirtualList, { count: 100_000, rowHeightPx: ROW_PX, row, role: 'list' });
    expect(shown()[0]).toBe(0);
    expect(shown().length).toBeLessThan(80);
    await scrollTo(50_000 * ROW_PX);
    expect(shown()).toContain(50_000);
    expect(shown()).not.toContain(0);
    expect(shown().length).toBeLessThan(80);
  });

  it('shows the end when it is scrolled past it, and nothing when there is nothing', async () => {
    const { rerender } = render(VirtualList, { count: 100, rowHeightPx: ROW_PX, row, role: 'list' });
    await scrollTo(1_000_000);
    expect(shown().at(-1)).toBe(99);
    await rerender({ count: 0 });
    expect(shown()).toEqual([]);
  });

  it('keeps one row wherever it is scrolled', async () => {
    render(VirtualList, { count: 10_000, rowHeightPx: ROW_PX, row, role: 'list', keepIndex: 3 });
    await scrollTo(5000 * ROW_PX);
    expect(shown()[0]).toBe(3);
    expect(shown()).toContain(5000);
  });

  it('holds what is in sight when rows appear above', async () => {
    const { rerender } = render(VirtualList, {
      count: 1000,
      rowHeightPx: ROW_PX,
      row,
      role: 'list',
      keyOf: (index: number) => `key ${index}`,
    });
    await scrollTo(500 * ROW_PX + 7);
    await rerender({
      count: 1005,
      keyOf: (index: number) => (index < 5 ? `new ${index}` : `key ${index - 5}`),
    });
    await tick();
    expect(screen.getByRole('list').scrollTop).toBe(505 * ROW_PX + 7);
  });

  it('stays at the top when rows appear above', async () => {
    const { rerender } = render(VirtualList, {
      count: 1000,
      rowHeightPx: ROW_PX,
      row,
      role: 'list',
      keyOf: (index: number) => `key ${index}`,
    });
    await rerender({
      count: 1005,
      keyOf: (index: number) => (index < 5 ? `new ${index}` : `key ${index - 5}`),
    });
    expect(screen.getByRole('list').scrollTop).toBe(0);
  });

  it('brings a row into sight with the least movement', async () => {
    const { component } = render(VirtualList, { count: 1000, rowHeightPx: ROW_PX, row, role: 'list' });
    const { scrollToIndex } = component as { scrollToIndex: (index: number) => void };
    const list = screen.getByRole('list');
    scrollToIndex(3);
    expect(list.scrollTop).toBe(0);
    scrollToIndex(500);
    expect(shown().length).toBeGreaterThan(0);
    const bottom = list.scrollTop;
    scrollToIndex(499);
    expect(list.scrollTop).toBe(bottom);
    scrollToIndex(10);
    expect(list.scrollTop).toBe(10 * ROW_PX);
  });
});
