// What could not be had because the server was gone is asked for again as soon as it is back, without a press.
import { untrack } from 'svelte';
import type { LoadProblem } from '../../state/feeds/answer-cache';
import type { Page } from '../../state/page.svelte';

/** To be called while a component is made. */
export function retryWhenBack(
  page: Pick<Page, 'connection'>,
  problem: () => LoadProblem | null | undefined,
  retry: () => void,
): void {
  $effect(() => {
    if (page.connection !== 'live') return;
    untrack(() => {
      if (problem()?.isTemporary === true) retry();
    });
  });
}
