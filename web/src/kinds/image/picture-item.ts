// One picture in a gallery, a viewer or a player, and where the server has it.
import type { PictureFacts } from '../../wire/client';
import { itemPath, type ItemAddress } from '../../board/tiles/addresses';

/** One sample of one value of a tag: run, tag, index and step as in addresses.ts. */
export interface PictureItem extends ItemAddress {
  /** Which of the pictures at this step, from 0. */
  readonly sample: number;
}

/** Longest sides that the server makes thumbnails in, in pixels of the picture. */
export const THUMBNAIL_SIZES = [128, 256, 512, 1024] as const;

export type ThumbnailSize = (typeof THUMBNAIL_SIZES)[number];

/** The smallest thumbnail that fills a box of this many CSS pixels on this screen; the largest there is beyond that. */
export function thumbnailSizeFor(sidePx: number, pixelRatio: number): ThumbnailSize {
  const neededPx = sidePx * pixelRatio;
  return THUMBNAIL_SIZES.find((size) => size >= neededPx) ?? 1024;
}

export function thumbnailPath(item: PictureItem, size: ThumbnailSize): string {
  return itemPath('images/thumbnail', item, { sample: item.sample, size });
}

/** The bytes as they were logged; with `isDownload` as a file to save, whatever they are. */
export function originalPath(item: PictureItem, { isDownload = false } = {}): string {
  return itemPath('images/original', item, {
    sample: item.sample,
    ...(isDownload ? { download: true } : {}),
  });
}

/** The same word for the same place in a gallery at every step: a tile keeps its identity while its step moves. */
export function placeOf({ run, tag, sample }: Pick<PictureItem, 'run' | 'tag' | 'sample'>): string {
  return `${run}\n${sample}\n${tag}`;
}

/** What the server says about the picture in an answer; null when it says nothing that can be read. */
export function factsIn(headers: Headers): PictureFacts | null {
  try {
    return JSON.parse(headers.get('sightline-facts') ?? '') as PictureFacts;
  } catch {
    return null;
  }
}

/** A GIF, animated WebP or APNG of several frames, or a video. */
export function isFilm(facts: PictureFacts): boolean {
  return facts.frames > 1 || facts.mime_type.startsWith('video/');
}
