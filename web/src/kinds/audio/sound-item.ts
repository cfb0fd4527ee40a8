// One sound, and where the server has it.
import { itemPath, type ItemAddress } from '../../board/tiles/addresses';

/** One sample of one value of a tag: run, tag, index and step as in addresses.ts. */
export interface SoundItem extends ItemAddress {
  /** Which of the sounds at this step, from 0. */
  readonly sample: number;
}

/** Of a waveform: enough for a tile that is as wide as the page. */
export const BUCKETS = 1024;

/** What browsers can play. */
export function soundPath(item: SoundItem): string {
  return itemPath('audio/sound', item, { sample: item.sample });
}

/** The bytes as they were logged. */
export function downloadPath(item: SoundItem): string {
  return itemPath('audio/sound', item, { sample: item.sample, download: true });
}

export function peaksPath(item: SoundItem): string {
  return itemPath('audio/peaks', item, { sample: item.sample, buckets: BUCKETS });
}

export function isSameSound(a: SoundItem | null, b: SoundItem | null): boolean {
  return a !== null && b !== null && soundPath(a) === soundPath(b);
}
