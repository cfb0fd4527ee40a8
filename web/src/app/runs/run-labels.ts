// Which labels some runs have, and which could be added to them.

/** As the server takes them. */
export const MAX_LABEL_LENGTH = 100;
/** More than this nobody reads: typing narrows them. */
const MOST_OFFERED = 20;

/** Label → how many of the runs have it; those that most have first, then by name. */
export function labelCounts(
  runs: readonly string[],
  labels: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const run of runs)
    for (const label of labels.get(run) ?? []) counts.set(label, (counts.get(label) ?? 0) + 1);
  return new Map([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}

/** Labels in use that not all of the runs have, narrowed by what was typed: those that begin with it first. */
export function offeredLabels(
  allLabels: readonly string[],
  counts: ReadonlyMap<string, number>,
  runCount: number,
  typed: string,
): readonly string[] {
  const text = typed.trim().toLowerCase();
  const left = allLabels.filter(
    (label) => counts.get(label) !== runCount && label.toLowerCase().includes(text),
  );
  const isFirst = (label: string): number => (label.toLowerCase().startsWith(text) ? 0 : 1);
  return left.sort((a, b) => isFirst(a) - isFirst(b)).slice(0, MOST_OFFERED);
}
