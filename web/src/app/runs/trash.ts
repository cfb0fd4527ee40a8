// Puts deleted runs back to where they were.
import type { Page } from '../../state/page.svelte';
import { countOf, messageOf } from './run-words';

/** Says how it went; returns what could not be put back, by id. */
export async function restore(page: Page, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  try {
    const answer = await page.client.restoreRuns({ ids: [...ids] });
    await Promise.all([page.workspace.refresh(), page.reload()]);
    const failed = answer.runs.filter((run) => run.error !== '');
    const done = answer.runs.filter((run) => run.error === '');
    const first = done[0]?.run;
    if (first !== undefined)
      page.announce(`Restored ${done.length === 1 ? first : countOf(done.length, 'run')}`, undefined, 'edit');
    for (const run of failed) page.announce(`${run.run} was not restored: ${run.error}`);
    return new Map(failed.map((run) => [run.id, run.error]));
  } catch (error) {
    page.announce(`Nothing was restored: ${messageOf(error)}`);
    return new Map(ids.map((id) => [id, messageOf(error)]));
  }
}
