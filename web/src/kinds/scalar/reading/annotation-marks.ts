// Notes that people pinned to points, as marks of a chart. A note knows its line (tag or formula), run and step; where
// that is on the card's x axis is found in the data, between two points when the step itself was reduced away.
import { lowerBound } from '../../../base/arrays';
import type { ChartMark, XKind } from '../../../chart/types';
import type { LineSpec } from '../../../state/types';
import type { Annotation } from '../../../wire/client';
import { seriesKey, xOf, type CardSeries, type DecodedSeries } from '../card-series';
import type { ChartCard } from '../card-spec';
import type { SeriesByKey } from '../value-rows';

/** More of them hide the chart that they are about. */
const MOST_MARKS = 200;

/** What notes call a line. */
export function annotatedName({ tag, formula }: Pick<LineSpec, 'tag' | 'formula'>): string {
  return formula || tag;
}

/** null: the line is not there, or has no place for this step on this axis. */
export function xAtStep({ run, wire }: CardSeries, kind: XKind, step: number): number | null {
  if (run === null) return null;
  if (kind === 'step') return step;
  const series = wire as DecodedSeries;
  const steps = series.step;
  const x = xOf(series, kind);
  const after = lowerBound(steps, step);
  if (after >= steps.length) return null;
  if (steps[after] === step) return finite(x[after]!);
  if (after === 0) return null;
  const [from, to] = [steps[after - 1]!, steps[after]!];
  const share = (step - from) / (to - from);
  return finite(x[after - 1]! + share * (x[after]! - x[after - 1]!));
}

export function marksOf(
  { lines }: Pick<ChartCard, 'lines'>,
  kind: XKind,
  drawn: Pick<SeriesByKey, 'get'>,
  { byName, idOf }: AnnotationSource,
): ChartMark[] {
  const marks: ChartMark[] = [];
  lines.forEach((line, index) => {
    for (const { id, run, step, text } of byName.get(annotatedName(line)) ?? []) {
      const number = idOf(run);
      const series = number === undefined ? undefined : drawn.get(seriesKey(number, false, index));
      const x = series ? xAtStep(series, kind, step) : null;
      if (series && x !== null) marks.push({ id, key: series.key, x, text });
    }
  });
  return marks.sort((a, b) => a.x - b.x).slice(0, MOST_MARKS);
}

export interface AnnotationSource {
  /** By the tag or formula that they are about. */
  readonly byName: ReadonlyMap<string, readonly Annotation[]>;
  /** The number of a run. */
  readonly idOf: (name: string) => number | undefined;
}

export function annotationsByName(annotations: readonly Annotation[]): Map<string, Annotation[]> {
  const byName = new Map<string, Annotation[]>();
  for (const annotation of annotations) {
    const known = byName.get(annotation.tag);
    if (known) known.push(annotation);
    else byName.set(annotation.tag, [annotation]);
  }
  return byName;
}

function finite(x: number): number | null {
  return Number.isFinite(x) ? x : null;
}
