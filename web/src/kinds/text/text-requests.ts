// Which text somebody wants to see: a place that was found. The card of its tag makes room for its run, and the run's panel goes to it
// when it is there, however long its steps take to come.
import { onePerPage } from '../../state/one-per-page.svelte';
import { Requests } from '../../board/tags/tag-requests.svelte';

export interface TextRequest {
  readonly tag: string;
  readonly run: number;
  /** Of several texts of one step the index says which. */
  readonly step: number;
  readonly index: number;
}

export const textRequestsOf = onePerPage(() => new Requests<TextRequest>());
