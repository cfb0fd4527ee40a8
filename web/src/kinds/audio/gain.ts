// How much louder or softer a sound is played so that it can be compared with others.
import { withMinus } from '../../base/ticks';
import type { Normalisation } from './audio-settings';

/** Of a whole sound; 1 is full scale. */
export interface Loudness {
  /** The greatest distance from 0. */
  readonly peak: number;
  /** The root of the mean square. */
  readonly rms: number;
}

/** A little below full scale: what a decoder or a speaker adds must not clip. */
export const PEAK_TARGET_DB = -1;
export const LOUDNESS_TARGET_DB = -20;
/** What is nearly silent stays so: noise is not what anybody wants to hear. */
const MOST_DB = 40;

/** In decibels; 0 when nothing is known or there is nothing to hear. */
export function gainDb(normalisation: Normalisation, { peak, rms }: Loudness): number {
  if (normalisation === 'off' || !(peak > 0)) return 0;
  const untilPeakDb = PEAK_TARGET_DB - toDb(peak);
  const wantedDb =
    normalisation === 'peak' || !(rms > 0)
      ? untilPeakDb
      : // Never so loud that it clips.
        Math.min(LOUDNESS_TARGET_DB - toDb(rms), untilPeakDb);
  return Math.min(wantedDb, MOST_DB);
}

export function amplitudeOf(decibels: number): number {
  return 10 ** (decibels / 20);
}

/** "+3.2 dB" */
export function gainText(decibels: number): string {
  const rounded = Math.abs(decibels) < 0.05 ? 0 : decibels;
  return `${rounded > 0 ? '+' : ''}${withMinus(rounded.toFixed(1))} dB`;
}

/** Of what a waveform is drawn from. */
export function peakOf(least: readonly number[], greatest: readonly number[]): number {
  let peak = 0;
  for (const value of least) peak = Math.max(peak, -value);
  for (const value of greatest) peak = Math.max(peak, value);
  return peak;
}

function toDb(amplitude: number): number {
  return 20 * Math.log10(amplitude);
}
