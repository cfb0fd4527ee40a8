// Several films on one clock. The clock runs on the timeline of one of them, the leader: the one that takes longest, or has the
// most frames. The others are told where they should be. A film that is over holds its last frame until all begin again.
import type { Timeline } from './timeline';

/** By time: equal seconds. By frame: equal numbers of frames, whatever they last. Off: each has a clock of its own. */
export type Sync = 'time' | 'frame' | 'off';

/** Which of the films leads; −1 when there are none. */
export function leaderOf(timelines: readonly Timeline[], sync: Sync): number {
  let leader = -1;
  timelines.forEach((timeline, at) => {
    const best = timelines[leader];
    const isLonger =
      best === undefined || (sync === 'frame' ? timeline.count > best.count : timeline.endS > best.endS);
    if (isLonger) leader = at;
  });
  return leader;
}

export interface Target {
  readonly timeS: number;
  /** Seconds of this film for a second of the leader's. 0: it is over and holds its last frame. */
  readonly pace: number;
}

/** Where a film should be when the leader is at `timeS`. */
export function targetOf(own: Timeline, leader: Timeline, timeS: number, sync: Sync): Target {
  if (sync !== 'frame' || own === leader) {
    return timeS < own.endS ? { timeS, pace: 1 } : { timeS: own.middleOf(own.count - 1), pace: 0 };
  }
  const frame = leader.frameAt(timeS);
  if (frame >= own.count) return { timeS: own.middleOf(own.count - 1), pace: 0 };
  const startS = leader.startOf(frame);
  const part = Math.min(Math.max((timeS - startS) / (leader.endOf(frame) - startS), 0), 1);
  const ownLengthS = own.endOf(frame) - own.startOf(frame);
  return {
    timeS: own.startOf(frame) + part * ownLengthS,
    pace: own.frameS / leader.frameS,
  };
}

export interface Correction {
  /** Go to the target at once. */
  readonly isSeek: boolean;
  /** Speed to play at, so that the difference vanishes. */
  readonly rate: number;
}

/** A difference beyond this, at the usual speed, is a jump. Seeking takes about as long, so smaller ones are played away. */
const JUMP_S = 0.35;
/** Slowly played films cannot wait long for each other: a little film is much time. */
const LEAST_JUMP_SPEED = 0.25;
/** A difference below this is not seen: a tenth of a frame of a film of ten frames a second. */
const UNSEEN_S = 0.01;
/** Differences are played away within about this time. */
const CATCH_UP_S = 0.4;
const MOST_CHANGE = 0.5;
/** What browsers can do. */
const LEAST_RATE = 0.0625;
const GREATEST_RATE = 16;

/** For a film that plays by itself and is `aheadS` seconds in front of where it should be (behind: negative). */
export function correctionFor(aheadS: number, rate: number): Correction {
  const distanceS = Math.abs(aheadS);
  if (distanceS > JUMP_S * Math.max(LEAST_JUMP_SPEED, rate)) return { isSeek: true, rate: playable(rate) };
  if (distanceS <= UNSEEN_S * Math.max(1, rate)) return { isSeek: false, rate: playable(rate) };
  const change = Math.min(Math.max(aheadS / (CATCH_UP_S * Math.max(1, rate)), -MOST_CHANGE), MOST_CHANGE);
  return { isSeek: false, rate: playable(rate * (1 - change)) };
}

function playable(rate: number): number {
  return Math.min(Math.max(rate, LEAST_RATE), GREATEST_RATE);
}
