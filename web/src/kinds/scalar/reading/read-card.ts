// What reading values needs to know of a card; the card's model is one.
import type { ChartOptions, Range, YScale } from '../../../chart/types';
import type { LineX } from '../../../state/feeds/line-query';
import type { CardId } from '../../../state/types';
import type { ChartCard } from '../card-spec';
import type { SeriesByKey } from '../value-rows';

export interface ReadCard {
  readonly id: CardId;
  readonly title: string;
  readonly spec: ChartCard;
  readonly x: LineX;
  readonly xRange: Range | null;
  readonly yScale: YScale;
  readonly drawn: SeriesByKey;
  /** What the chart is told, but with y fit to the data, and without what is added here. */
  readonly fitted: ChartOptions;
  /** Where the chart is drawn; null: nowhere now. */
  readonly host: HTMLElement | null;
  /** The point that pointer or keys are on, or were on last; null: none. */
  readonly pointed: PointedAt | null;
}

export interface PointedAt {
  /** The line. */
  readonly key: string;
  /** In data space. */
  readonly x: number;
  /** From the host's top left corner; null: by keys. */
  readonly pointerPx?: { readonly left: number; readonly top: number } | null;
}
