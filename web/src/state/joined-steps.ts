// The steps of very many series together, for a bar that stands for all of them. The server joins them: a short answer, however many
// series there are. Asked again for the runs that grew.
import { ApiError, isAbort, type MediaQuery } from '../wire/client';
import { decodeStepsFrame } from '../wire/value-frame';
import type { Page } from './page.svelte';
import type { DataChange } from './types';

/** Of one question: others have their turn at the server in between. */
const MOST_QUERIES = 512;
const MOST_SERIES = 5000;
/** What grew is asked for this much later, and what was lost as well. */
const AGAIN_MS = 3000;

export interface JoinedSteps {
  /** Ascending, each; a step may be in several. */
  readonly parts: readonly Float64Array[];
  /** false: those of some runs, which have the others that were told before as well, as steps are seldom taken back. */
  readonly isAll: boolean;
}

/** Tells them until the returned function is called. null: there is no answer; it is asked again. */
export function followSteps(
  page: Page,
  queries: readonly MediaQuery[],
  tell: (steps: JoinedSteps | null) => void,
): () => void {
  const tags = new Set(queries.map(({ tag }) => tag));
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  /** Runs to ask about; null: all. */
  let due: Set<number> | null = null;

  const takeDue = (): ReadonlySet<number> | null => {
    const runs = due;
    due = new Set();
    return runs;
  };
  const ask = async (): Promise<void> => {
    isAsking = true;
    timer = undefined;
    const runs = takeDue();
    try {
      const parts: Float64Array[] = [];
      for (const part of questions(queries, runs)) {
        const body = { queries: part, server_id: page.runs.serverId };
        const answer = await page.client.post('media/steps', body, abort.signal);
        parts.push(decodeStepsFrame(await answer.arrayBuffer()));
      }
      if (abort.signal.aborted) return;
      tell({ parts, isAll: runs === null });
    } catch (error) {
      if (isAbort(error) || abort.signal.aborted) return;
      tell(null);
      // More steps than an answer may have, now as well as later: that was the last question.
      if (error instanceof ApiError && error.status === 413) return;
      due = runs === null || due === null ? null : new Set([...runs, ...due]);
    }
    isAsking = false;
    if (due?.size !== 0) askLater();
  };
  const askLater = (): void => {
    if (!isAsking) timer ??= setTimeout(() => void ask(), AGAIN_MS);
  };
  const hear = (change: DataChange | null): void => {
    if (change?.tags?.some((tag) => tags.has(tag)) === false) return;
    if (change === null) due = null;
    else for (const run of change.runs) due?.add(run);
    askLater();
  };

  page.dataListeners.add(hear);
  void ask();
  return () => {
    page.dataListeners.delete(hear);
    clearTimeout(timer);
    abort.abort();
  };
}

/** Cut into what the server takes at a time. `runs`: null: all. */
function questions(queries: readonly MediaQuery[], runs: ReadonlySet<number> | null): MediaQuery[][] {
  const all: MediaQuery[][] = [];
  let room = 0;
  for (const query of queries) {
    const asked = runs === null ? query.runs : query.runs.filter((run) => runs.has(run));
    if (asked.length === 0) continue;
    if (asked.length > room || all.at(-1)?.length === MOST_QUERIES) {
      all.push([]);
      room = MOST_SERIES;
    }
    all.at(-1)!.push({ ...query, runs: asked });
    room -= asked.length;
  }
  return all;
}
