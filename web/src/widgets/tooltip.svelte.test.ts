// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, expect, test, vi } from 'vitest';
import { removeTooltips, tooltip } from './tooltip';

afterEach(async () => {
  await removeTooltips();
  vi.useRealTimers();
  document.body.innerHTML = '';
});

test('goes with its element, also where no state may change', async () => {
  vi.useFakeTimers();
  const button = document.body.appendChild(document.createElement('button'));
  tooltip(() => 'Pin')(button);
  await fireEvent.pointerEnter(button);
  vi.advanceTimersByTime(1000);
  await tick();
  expect(screen.getByRole('tooltip').textContent).toBe('Pin');

  // Where a list is made anew, elements are taken out while something is computed; those with the focus lose it.
  const made = $derived.by(() => {
    button.dispatchEvent(new FocusEvent('blur'));
    button.remove();
    return 'made';
  });
  const read = () => made;
  expect(read()).toBe('made');
  await tick();
  expect(screen.queryByRole('tooltip')).toBeNull();
});
