// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { describe, expect, test } from 'vitest';
import { DEFAULT_SIDE_BAR_PX } from '../state/settings.svelte';
import { clampWidthPx, widthAfterKey } from './side-bar-width';
import SideBar from './SideBar.svelte';

describe('the width of the run table', () => {
  test('stays between what a name needs and what leaves room for a chart', () => {
    expect(clampWidthPx(50, 1280)).toBe(200);
    expect(clampWidthPx(5000, 1280)).toBe(920);
    expect(clampWidthPx(300, 400)).toBe(200);
  });

  test('moves with the arrow keys, further with Shift', () => {
    expect(widthAfterKey('ArrowRight', false, 320, 1280)).toBe(336);
    expect(widthAfterKey('ArrowLeft', true, 320, 1280)).toBe(240);
    expect(widthAfterKey('a', false, 320, 1280)).toBeNull();
  });
});

describe('the divider', () => {
  test('is a separator with a value that keys change', async () => {
    const children = createRawSnippet(() => ({ render: () => '<p>table</p>' }));
    render(SideBar, { widthPx: 320, label: 'Runs', children });
    const divider = screen.getByRole('separator');
    expect(divider.getAttribute('aria-valuenow')).toBe('320');
    await fireEvent.keyDown(divider, { key: 'ArrowRight' });
    expect(divider.getAttribute('aria-valuenow')).toBe('336');
    await fireEvent.dblClick(divider);
    expect(divider.getAttribute('aria-valuenow')).toBe(String(DEFAULT_SIDE_BAR_PX));
  });
});
