// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { onePerPage } from './one-per-page.svelte';
import type { Page } from './page.svelte';

class Doubler {
  value = $state(1);
  readonly twice = $derived(this.value * 2);
}

test('what a page has one of goes on when the one who asked first is gone', () => {
  const warn = vi.spyOn(console, 'warn');
  const make = vi.fn(() => new Doubler());
  const doublerOf = onePerPage(make);
  const page = {} as Page;
  const end = $effect.root(() => {
    expect(doublerOf(page).twice).toBe(2);
  });
  end();
  const doubler = doublerOf(page);
  doubler.value = 5;
  expect(doubler.twice).toBe(10);
  expect(warn).not.toHaveBeenCalled();
  expect(make).toHaveBeenCalledTimes(1);
  expect(doublerOf({} as Page)).not.toBe(doubler);
});
