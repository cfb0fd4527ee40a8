import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FrameError } from './frame';
import { decodeHistogramFrame } from './histogram-frame';
import { decodePrCurveFrame, decodePrStatisticsFrame } from './pr-curve-frame';
import { FrameBuilder } from './test-frames';
import { decodeMediaFrame, decodeStepsFrame, type DecodedTables, type DecodedValues } from './value-frame';

type Columns = Record<string, (number | 'NaN')[]>;

/** Frames that Python encoded, and what is in them: see tests/wire/test_value_frames.py. */
const shared = JSON.parse(readFileSync('../tests/fixtures/value_frames.json', 'utf8')) as {
  frames: Record<'media' | 'steps' | 'histograms' | 'pr_curves', string>;
  series: { media: Columns[]; steps: number[]; histograms: Columns[]; pr_curves: Columns[] };
};
const frames = Object.fromEntries(
  Object.entries(shared.frames).map(([name, text]) => [
    name,
    Uint8Array.from(Buffer.from(text, 'base64')).buffer,
  ]),
) as Record<keyof typeof shared.frames, ArrayBuffer>;

const numbers = (column: readonly (number | 'NaN')[] | undefined) => column!.map(Number);

function expectValues(found: DecodedValues, wanted: Columns): void {
  expect([...found.step]).toEqual(numbers(wanted.step));
  found.wall.forEach((time, i) => expect(time).toBeCloseTo(Number(wanted.wall_time![i]), 5));
}

function expectTables(found: DecodedTables, wanted: Columns): void {
  expectValues(found, wanted);
  expect([...found.state]).toEqual(wanted.state);
  expect([...found.offsets].slice(1).map((end, i) => end - found.offsets[i]!)).toEqual(wanted.size);
}

describe('frames that the server wrote', () => {
  test('have the steps and times of media', () => {
    const { serverId, revision, series } = decodeMediaFrame(frames.media);
    expect({ serverId, revision }).toEqual({ serverId: 'me', revision: 7 });
    expect(
      series.map(({ query, run, samples, supersededCount }) => [query, run, samples, supersededCount]),
    ).toEqual([
      [2, 5, 3, 2],
      [3, 6, 0, 0],
    ]);
    series.forEach((one, i) => expectValues(one, shared.series.media[i]!));
  });

  test('have joined steps', () => {
    expect([...decodeStepsFrame(frames.steps)]).toEqual(shared.series.steps);
  });

  test('have histograms, also where only the first edge of each travels', () => {
    const { series } = decodeHistogramFrame(frames.histograms);
    expect(series.map(({ query, run, supersededCount }) => [query, run, supersededCount])).toEqual([
      [0, 10, 2],
      [1, 11, 0],
    ]);
    series.forEach((one, i) => {
      const wanted = shared.series.histograms[i]!;
      expectTables(one, wanted);
      expect([...one.left]).toEqual(numbers(wanted.left));
      expect([...one.right]).toEqual(numbers(wanted.right));
      expect([...one.counts]).toEqual(numbers(wanted.counts));
    });
  });

  test('have precision-recall curves', () => {
    const [one] = decodePrCurveFrame(frames.pr_curves).series;
    const wanted = shared.series.pr_curves[0]!;
    expectTables(one!, wanted);
    expect([...one!.truePositives]).toEqual(wanted.true_positives);
    expect([...one!.falsePositives]).toEqual(wanted.false_positives);
    expect([...one!.trueNegatives]).toEqual(wanted.true_negatives);
    expect([...one!.falseNegatives]).toEqual(wanted.false_negatives);
    expect([...one!.precision]).toEqual(wanted.precision);
    expect([...one!.recall]).toEqual(wanted.recall);
  });
});

test('histograms that hold nothing have no buckets', () => {
  const builder = new FrameBuilder();
  const one = builder.column([0]);
  const none = builder.column([]);
  const facts = { query: 0, run: 0, count: 1, superseded_count: 0, step: one, wall: one, state: one };
  const rows = { is_contiguous: true, left: one, right: none, counts: none, size: one, size_sum: 0 };
  const { series } = decodeHistogramFrame(builder.frame({ series: [{ ...facts, ...rows }] }));
  expect(series[0]).toMatchObject({ left: new Float64Array(0), offsets: Uint32Array.of(0, 0) });
});

test('numbers of precision-recall curves are told apart', () => {
  const builder = new FrameBuilder();
  const facts = {
    query: 0,
    run: 4,
    count: 2,
    superseded_count: 0,
    step: builder.column([1, 2]),
    wall: builder.column([5, 6]),
  };
  const names = [
    'positives',
    'negatives',
    'average_precision',
    'pr_area',
    'roc_area',
    'best_f1',
    'best_threshold',
  ];
  const columns = Object.fromEntries(names.map((name, i) => [name, builder.column([i, NaN])]));
  const series = [{ ...facts, ...columns, state: builder.column([0, 1]) }];
  const [one] = decodePrStatisticsFrame(builder.frame({ series })).series;
  expect(one).toMatchObject({
    run: 4,
    state: new Float64Array([0, 1]),
    averagePrecision: new Float64Array([2, NaN]),
  });
  const { positives, negatives, prArea, rocArea, bestF1, bestThreshold } = one!;
  expect([positives, negatives, prArea, rocArea, bestF1, bestThreshold].map((column) => column[0])).toEqual([
    0, 1, 3, 4, 5, 6,
  ]);
});

test('frames that are cut off, or something else, are one clear error', () => {
  const decoders = {
    media: decodeMediaFrame,
    histograms: decodeHistogramFrame,
    pr_curves: decodePrCurveFrame,
  };
  for (const [name, decode] of Object.entries(decoders)) {
    const whole = frames[name as keyof typeof decoders];
    expect(() => decode(whole.slice(0, -8)), name).toThrow(FrameError);
    expect(() => decode(frames.steps), name).toThrow('lists no series');
  }
  expect(() => decodeStepsFrame(frames.media)).toThrow('lists no steps');
});

test('sizes that do not add up are an error', () => {
  const builder = new FrameBuilder();
  const one = builder.column([1]);
  const facts = { query: 0, run: 0, superseded_count: 0, step: one, wall: one, state: builder.column([0]) };
  const rows = { is_contiguous: false, left: one, right: one, counts: one };
  for (const size of [2, 0.5, -1, NaN]) {
    const sized = { count: 1, size: builder.column([size]), size_sum: 1 };
    const frame = builder.frame({ series: [{ ...facts, ...rows, ...sized }] });
    expect(() => decodeHistogramFrame(frame), String(size)).toThrow(FrameError);
  }
});
