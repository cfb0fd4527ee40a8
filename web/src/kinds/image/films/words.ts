// Numbers of films as people read them.
import { timeText as textOfTime } from '../../../base/time-text';

/** 0:03.25 */
export function timeText(timeS: number): string {
  return textOfTime(timeS, 2);
}

/** 0.25×, 2×. */
export function speedText(speed: number): string {
  return `${Number(speed.toFixed(3))}×`;
}
