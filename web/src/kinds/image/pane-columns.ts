/** How many columns leave panes side by side largest: as wide as they are high, about. */
export function columnsFor(count: number, { width, height }: { width: number; height: number }): number {
  const sideWith = (columns: number): number =>
    Math.min(width / columns, height / Math.ceil(count / columns));
  let best = 1;
  for (let columns = 2; columns <= count; columns++) if (sideWith(columns) > sideWith(best)) best = columns;
  return best;
}
