// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { expect, test } from 'vitest';
import { DEFAULT_SIDE_BAR_PX, LEAST_SIDE_BAR_PX } from '../state/settings.svelte';
import SideBar from './SideBar.svelte';

function show(widthPx: number): HTMLElement {
  const children = createRawSnippet(() => ({ render: () => '<p>table</p>' }));
  render(SideBar, { widthPx, label: 'Runs', children });
  return screen.getByRole('separator');
}

const widthOf = (divider: HTMLElement): number => Number(divider.getAttribute('aria-valuenow'));

test('the divider is a separator with a value that keys change, further with Shift', async () => {
  const divider = show(320);
  expect(widthOf(divider)).toBe(320);
  await fireEvent.keyDown(divider, { key: 'ArrowRight' });
  expect(widthOf(divider)).toBe(336);
  await fireEvent.keyDown(divider, { key: 'ArrowLeft', shiftKey: true });
  expect(widthOf(divider)).toBe(256);
  await fireEvent.keyDown(divider, { key: 'a' });
  expect(widthOf(divider)).toBe(256);
  await fireEvent.dblClick(divider);
  expect(widthOf(divider)).toBe(DEFAULT_SIDE_BAR_PX);
});

test('the table stays between what a name needs and what leaves room for a chart', async () => {
  const divider = show(50);
  expect(widthOf(divider)).toBe(LEAST_SIDE_BAR_PX);
  await fireEvent.keyDown(divider, { key: 'End' });
  await fireEvent.keyDown(divider, { key: 'ArrowRight' });
  expect(widthOf(divider)).toBe(window.innerWidth - 360);
});
