// Asks the server what it thinks of a formula: one question about a few runs, at the resolution of a few pixels.
import type { Page } from '../../../state/page.svelte';
import { troubleFrom, type FormulaTrouble } from './formula-text';

/** Enough to tell a typing error from a tag that some runs lack. */
const MOST_RUNS = 20;

export interface FormulaVerdict {
  /** Why there is no line; null: there is one. */
  readonly trouble: FormulaTrouble | null;
  /** What else is to be said: points that are not finite, runs without a line. */
  readonly notes: readonly string[];
}

/** Rejects when the server cannot be asked. */
export async function checkFormula(
  client: Pick<Page['client'], 'scalars'>,
  formula: string,
  visibleRuns: readonly number[],
  signal: AbortSignal,
): Promise<FormulaVerdict> {
  if (formula.trim() === '') return { trouble: null, notes: [] };
  const runs = visibleRuns.slice(0, MOST_RUNS);
  if (runs.length === 0)
    return { trouble: null, notes: ['No run is visible, so there is nothing to try it on'] };
  const { notes } = await client.scalars({ queries: [{ formula, runs, buckets: 16 }] }, signal);
  const error = notes.find((note) => note.is_error);
  return {
    trouble: error === undefined ? null : troubleFrom(error.text, formula),
    notes: notes.filter((note) => note !== error).map(({ text }) => text),
  };
}
