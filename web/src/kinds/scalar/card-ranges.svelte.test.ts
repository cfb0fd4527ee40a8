import { beforeEach, describe, expect, test } from 'vitest';
import type { Range } from '../../chart/types';
import { defaultView } from '../../state/settings/view';
import { liveView, type LiveView } from '../../state/live-view.svelte';
import type { Page } from '../../state/page.svelte';
import { CardRanges, type CardRangesOptions } from './card-ranges.svelte';
import type { ChartCard } from './card-spec';
import { CardMemories } from './chart-context.svelte';
import { cardOf } from '../../board/cards/card-state';

let view: LiveView;
let memories: CardMemories;

beforeEach(() => {
  view = liveView(defaultView());
  memories = new CardMemories();
});

interface Line {
  readonly key: string;
  readonly x: readonly number[];
}

/** A card whose lines the test replaces. `x`: of its own; null: that of the page. */
function makeRanges({ x = null, id = 'loss' }: { x?: ChartCard['x']; id?: string } = {}) {
  const lines = { xKey: 'step', isStale: false, drawn: { all: [] as object[] } };
  const setLines = (...all: Line[]): void => {
    lines.drawn = { all: all.map((line) => ({ key: line.key, chart: { x: Float64Array.from(line.x) } })) };
  };
  const spec = { x } as ChartCard;
  const ranges = new CardRanges({
    ...{ id, memories, page: { view } as unknown as Page, spec: () => spec },
    lines: lines as unknown as CardRangesOptions['lines'],
  });
  return { ranges, lines, setLines };
}

const yInView = (): Range | null => cardOf(view, 'loss')?.yRange ?? null;

describe('y', () => {
  test('a zoom ends with what was typed before', () => {
    const { ranges } = makeRanges();
    ranges.typeY([0, 10]);
    expect([ranges.typedY, ranges.isZoomed]).toEqual([[0, 10], false]);
    ranges.zoomY([2, 3]);
    ranges.zoomY([2.5, 2.6]);
    expect([ranges.y, ranges.typedY, ranges.isZoomed]).toEqual([[2.5, 2.6], [0, 10], true]);
    ranges.reset();
    expect([ranges.y, ranges.typedY, ranges.isZoomed]).toEqual([[0, 10], [0, 10], false]);
  });

  test('a reset takes no typed limits away', () => {
    const { ranges } = makeRanges();
    ranges.typeY([0, 10]);
    ranges.reset();
    expect(yInView()).toEqual([0, 10]);
  });

  test('another scale ends a zoom, and is not said where it is that of the page', () => {
    const { ranges } = makeRanges();
    ranges.zoomY([2, 3]);
    ranges.cycleYScale();
    expect([ranges.yScale, ranges.y]).toEqual(['log', null]);
    ranges.setYScale('linear');
    expect(cardOf(view, 'loss')?.yScale ?? null).toBeNull();
  });

  test('limits of a link with a range of x were zoomed to, those without were typed', () => {
    makeRanges().ranges.typeY([0, 10]);
    memories = new CardMemories();
    expect(makeRanges().ranges.typedY).toEqual([0, 10]);
    memories = new CardMemories();
    view.xRange = [5, 6];
    expect([makeRanges().ranges.typedY, yInView()]).toEqual([null, [0, 10]]);
  });
});

describe('x', () => {
  test('is that of all cards, unless the card has an axis of its own', () => {
    const [one, other] = [makeRanges(), makeRanges({ id: 'acc' })];
    const own = makeRanges({ id: 'own', x: { axis: 'wall', tag: '' } as unknown as ChartCard['x'] });
    one.ranges.x = [1, 2];
    own.ranges.x = [7, 8];
    expect([other.ranges.x, own.ranges.x, view.xRange]).toEqual([
      [1, 2],
      [7, 8],
      [1, 2],
    ]);
    // What was zoomed to on one axis says nothing on another.
    own.lines.xKey = 'relative';
    expect(own.ranges.x).toBeNull();
  });

  test('a view at the end of the data goes on with it, another one stays', () => {
    const { ranges, setLines } = makeRanges();
    const keys = new Set(['a']);
    const grow = (to: number): void => {
      ranges.ask();
      setLines({ key: 'a', x: [0, to] });
      ranges.learn(keys);
    };
    grow(100);
    expect(ranges.xLimits).toEqual([0, 100]);
    ranges.x = [50, 100];
    grow(110);
    expect(ranges.x).toEqual([60, 110]);
    ranges.x = [20, 30];
    grow(120);
    expect([ranges.x, ranges.xLimits]).toEqual([
      [20, 30],
      [0, 120],
    ]);
  });

  test('a run that was added has not grown, and nothing moves under a drag', () => {
    const { ranges, setLines } = makeRanges();
    setLines({ key: 'a', x: [0, 100] });
    ranges.learn(new Set(['a']));
    ranges.x = [50, 100];
    setLines({ key: 'a', x: [0, 100] }, { key: 'longer', x: [0, 500] });
    ranges.learn(new Set(['a']));
    expect(ranges.x).toEqual([50, 100]);

    memories = new CardMemories();
    const dragged = makeRanges();
    dragged.setLines({ key: 'a', x: [0, 100] });
    dragged.ranges.learn(new Set(['a']));
    memories.isDragging = true;
    dragged.setLines({ key: 'a', x: [0, 110] });
    dragged.ranges.learn(new Set(['a']));
    expect(view.xRange).toEqual([50, 100]);
  });

  test('what is handed out is no part of the view', () => {
    const { ranges } = makeRanges();
    ranges.typeY([0, 10]);
    ranges.x = [1, 2];
    (ranges.ask() as number[] | null)?.fill(9);
    (ranges.y as number[] | null)?.fill(9);
    expect([view.xRange, yInView()]).toEqual([
      [1, 2],
      [0, 10],
    ]);
  });
});
