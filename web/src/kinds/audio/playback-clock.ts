// Where a sound is that was started some time ago. Players of decoded sounds do not say; they follow this rule exactly.

/** A part that is played again and again, in seconds. */
export interface Region {
  readonly fromS: number;
  readonly toS: number;
}

/** Shorter ones are taken for a click. */
export const LEAST_REGION_S = 0.02;

export interface Started {
  /** By the player's clock. */
  readonly atS: number;
  /** Where in the sound. */
  readonly fromS: number;
  readonly rate: number;
  readonly region: Region | null;
  readonly durationS: number;
}

export function positionAt(nowS: number, { atS, fromS, rate, region, durationS }: Started): number {
  const position = fromS + Math.max(0, nowS - atS) * rate;
  if (region === null || position < region.toS) return Math.min(position, durationS);
  return region.fromS + ((position - region.fromS) % (region.toS - region.fromS));
}

/** Where playing begins: inside of the region, and at the beginning when the end was reached. */
export function startOf(positionS: number, region: Region | null, durationS: number): number {
  if (region !== null) return positionS >= region.fromS && positionS < region.toS ? positionS : region.fromS;
  return positionS >= durationS - 0.001 ? 0 : Math.max(0, positionS);
}

/** In order and inside of the sound; null when it is too short to be meant. */
export function regionBetween(oneS: number, otherS: number, durationS: number): Region | null {
  const fromS = Math.max(0, Math.min(oneS, otherS));
  const toS = Math.min(durationS, Math.max(oneS, otherS));
  return toS - fromS >= LEAST_REGION_S ? { fromS, toS } : null;
}
