// The methods of smoothing: what each is called, which amounts it takes, how it is written.
//
// The slider runs from 0 to 1 for every method; the amounts differ: weights of moving averages need a finer hand near 1
// (0.9 to 0.99 changes more than 0 to 0.5), widths of kernels and windows grow in proportion to themselves.
import { clamp } from '../../base/arrays';
import type { SmoothingKind } from '../../wire/client';
import { numberIn, type Setting } from './setting';

export type { SmoothingKind };

export interface Smoothing {
  readonly kind: SmoothingKind;
  readonly amount: number;
}

export interface SmoothingMethod {
  readonly kind: SmoothingKind;
  readonly label: string;
  /** What the amount is, for the number box. */
  readonly amountLabel: string;
  readonly explanation: string;
  readonly min: number;
  readonly max: number;
  /** Of the number box. */
  readonly step: number;
  /** Where to start when the kind is chosen. */
  readonly initial: number;
  readonly amountFromPosition: (position: number) => number;
  readonly positionFromAmount: (amount: number) => number;
  /** The greatest amount that links may ask for, which is more than the slider has. */
  readonly greatest: number;
  /** Amounts up to this one change nothing. */
  readonly idle: number;
  /** What a chart says about its line. */
  readonly note: (amount: number) => string;
}

const GREATEST_WEIGHT = 0.999;
/** Nearer to 1 the line would stand still. */
const GREATEST_WEIGHT_IN_LINKS = 0.9999;
const GREATEST_WIDTH_IN_LINKS = 100_000;
const GREATEST_SIGMA = 100;
const GREATEST_WINDOW = 1001;
/** σ grows by (e^(CURVE·p) − 1): half way up the slider is σ ≈ 10. */
const SIGMA_CURVE = 2 * Math.log(GREATEST_SIGMA / 10 - 1);

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Weight = 1 − (1 − p)²: half way up is 0.75, nine tenths 0.99. */
function weightFromPosition(position: number): number {
  const weight = 1 - (1 - clamp(position, 0, 1)) ** 2;
  return Math.min(GREATEST_WEIGHT, rounded(weight, weight < 0.9 ? 2 : 3));
}

function positionFromWeight(weight: number): number {
  if (weight >= GREATEST_WEIGHT) return 1;
  return 1 - Math.sqrt(1 - Math.max(0, weight));
}

function sigmaFromPosition(position: number): number {
  const share = Math.expm1(SIGMA_CURVE * clamp(position, 0, 1)) / Math.expm1(SIGMA_CURVE);
  const sigma = GREATEST_SIGMA * share;
  return rounded(sigma, sigma < 10 ? 1 : 0);
}

function positionFromSigma(sigma: number): number {
  const share = clamp(sigma, 0, GREATEST_SIGMA) / GREATEST_SIGMA;
  return Math.log1p(share * Math.expm1(SIGMA_CURVE)) / SIGMA_CURVE;
}

function oddWindow(points: number): number {
  return clamp(2 * Math.round((points - 1) / 2) + 1, 1, GREATEST_WINDOW);
}

function windowFromPosition(position: number): number {
  return oddWindow(GREATEST_WINDOW ** clamp(position, 0, 1));
}

function positionFromWindow(points: number): number {
  return Math.log(clamp(points, 1, GREATEST_WINDOW)) / Math.log(GREATEST_WINDOW);
}

/** Of both moving averages. */
const WEIGHT = {
  amountLabel: 'Weight',
  min: 0,
  max: GREATEST_WEIGHT,
  step: 0.01,
  initial: 0.6,
  amountFromPosition: weightFromPosition,
  positionFromAmount: positionFromWeight,
  greatest: GREATEST_WEIGHT_IN_LINKS,
  idle: 0,
};

export const SMOOTHING_METHODS: readonly SmoothingMethod[] = [
  {
    kind: 'ema',
    label: 'Moving average',
    explanation: 'As in TensorBoard: each point counts a little less than the next',
    ...WEIGHT,
    note: (amount) => `EMA ${amount}`,
  },
  {
    kind: 'time_ema',
    label: 'Average by time',
    explanation: 'Points fade with the time that has passed, whatever their distance',
    ...WEIGHT,
    note: (amount) => `EMA by time ${amount}`,
  },
  {
    kind: 'gaussian',
    label: 'Gaussian',
    amountLabel: 'Width σ in points',
    explanation: 'Looks both ways, so bends stay where they are',
    min: 0,
    max: GREATEST_SIGMA,
    step: 0.5,
    initial: 5,
    amountFromPosition: sigmaFromPosition,
    positionFromAmount: positionFromSigma,
    greatest: GREATEST_WIDTH_IN_LINKS,
    idle: 0,
    note: (amount) => `Gaussian σ ${amount}`,
  },
  {
    kind: 'mean',
    label: 'Running mean',
    amountLabel: 'Window in points',
    explanation: 'The plain mean of the points around each point',
    min: 1,
    max: GREATEST_WINDOW,
    step: 2,
    initial: 11,
    amountFromPosition: windowFromPosition,
    positionFromAmount: positionFromWindow,
    greatest: GREATEST_WIDTH_IN_LINKS,
    idle: 1,
    note: (amount) => `Mean of ${amount} points`,
  },
  {
    kind: 'none',
    label: 'None',
    amountLabel: 'Amount',
    explanation: 'The values as they were logged',
    min: 0,
    max: 0,
    step: 1,
    initial: 0,
    amountFromPosition: () => 0,
    positionFromAmount: () => 0,
    greatest: GREATEST_WIDTH_IN_LINKS,
    idle: Infinity,
    note: () => '',
  },
];

export function smoothingMethod(kind: SmoothingKind): SmoothingMethod {
  const method = SMOOTHING_METHODS.find((one) => one.kind === kind);
  if (method === undefined) throw new Error(`No such smoothing: ${kind}`);
  return method;
}

/** A typed amount made fit for its method; null when it is no number. */
export function amountFromTyped(kind: SmoothingKind, typed: number): number | null {
  if (!Number.isFinite(typed)) return null;
  const { min, max } = smoothingMethod(kind);
  return kind === 'mean' ? oddWindow(typed) : clamp(typed, min, max);
}

/** Whether the line differs from the values at all. */
export function isSmoothing({ kind, amount }: Smoothing): boolean {
  return amount > smoothingMethod(kind).idle;
}

/** What a chart says about its line; null when it shows the values themselves. */
export function smoothingNote(smoothing: Smoothing): string | null {
  return isSmoothing(smoothing) ? smoothingMethod(smoothing.kind).note(smoothing.amount) : null;
}

/** "0.8", "gaussian:12", "none". Amounts that the method does not allow are moved to the nearest that it does. */
export function readSmoothing(text: string): Smoothing | undefined {
  const [first = '', second] = text.split(':');
  const kind = second === undefined && first !== 'none' ? 'ema' : first;
  const method = SMOOTHING_METHODS.find((one) => one.kind === kind);
  const amount = numberIn(second ?? (first === 'none' ? '0' : first), -Infinity, Infinity);
  if (method === undefined || amount === undefined) return undefined;
  return { kind: method.kind, amount: clamp(amount, 0, method.greatest) };
}

export function writeSmoothing({ kind, amount }: Smoothing): string {
  if (kind === 'ema') return String(amount);
  return kind === 'none' && amount === 0 ? 'none' : `${kind}:${amount}`;
}

export const SMOOTHING: Setting<Smoothing> = {
  word: 'smoothing',
  usual: { kind: 'ema', amount: 0.6 },
  read: readSmoothing,
  write: writeSmoothing,
};
