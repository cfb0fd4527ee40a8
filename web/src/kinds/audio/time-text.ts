// Places in a sound, rates and frequencies, in few characters.
import { timeText } from '../../base/time-text';

/** With tenths, or hundredths for sounds of a few seconds. */
export function placeText(placeS: number, durationS: number): string {
  return timeText(placeS, durationS < 10 ? 2 : 1);
}

/** "22.05 kHz": every digit, because rates are compared. */
export function rateText(rateHz: number): string {
  return `${Number((rateHz / 1000).toFixed(3))} kHz`;
}

/** "440 Hz", "1.2 kHz" */
export function frequencyText(frequencyHz: number): string {
  if (frequencyHz < 1000) return `${Math.round(frequencyHz)} Hz`;
  return `${Number((frequencyHz / 1000).toFixed(frequencyHz < 10_000 ? 2 : 1))} kHz`;
}
