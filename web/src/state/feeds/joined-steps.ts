// The steps of very many series together, for a bar that stands for all of them. The server joins them: a short answer, however many
// series there are. Asked again for the runs that grew.
import { ApiError, type MediaQuery } from '../../wire/client';
import { decodeStepsFrame } from '../../wire/value-frame';
import { Feed } from './feed';
import type { Page } from '../page.svelte';
import type { DataChange } from '../types';

/** Of one question: others have their turn at the server in between. */
const MOST_QUERIES = 512;
const MOST_SERIES = 5000;
const REFRESH_MS = 3000;

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
  /** Runs to ask about; null: all. */
  let due: Set<number> | null = null;
  const takeDue = (): ReadonlySet<number> | null => {
    const runs = due;
    due = new Set();
    return runs;
  };
  const feed = new Feed<'steps', JoinedSteps>({
    serverId: () => page.runs.serverId,
    refreshMs: REFRESH_MS,
    ask: async (_all, signal) => {
      const runs = takeDue();
      // Refused (409) by a server that was started anew.
      const { serverId } = page.runs;
      const parts: Float64Array[] = [];
      try {
        for (const part of questions(queries, runs)) {
          const answer = await page.client.post(
            'media/steps',
            { queries: part, server_id: serverId },
            signal,
          );
          parts.push(await readSteps(answer));
        }
      } catch (error) {
        if (runs === null) due = null;
        else for (const run of runs) due?.add(run);
        throw error;
      }
      return { serverId, values: new Map([['steps', { parts, isAll: runs === null }]]) };
    },
    take: (_all, steps) => tell(steps!),
    fail: (_all, error) => {
      tell(null);
      // More steps than an answer may have, now as well as later: that was the last question.
      if (error instanceof ApiError && error.status === 413) end();
    },
  });
  const hear = (change: DataChange | null): void => {
    if (change?.tags?.some((tag) => tags.has(tag)) === false) return;
    if (change === null) {
      due = null;
      feed.restart();
      return;
    }
    for (const run of change.runs) due?.add(run);
    feed.outdate();
  };
  const end = (): void => {
    page.dataListeners.delete(hear);
    feed.destroy();
  };
  page.dataListeners.add(hear);
  feed.want(['steps']);
  return end;
}

/** What `media/steps` answers. The one place that knows how joined steps travel. */
async function readSteps(answer: Response): Promise<Float64Array> {
  return decodeStepsFrame(await answer.arrayBuffer());
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
