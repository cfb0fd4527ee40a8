// Decodes pictures, keeps their pixels, and answers questions about them, away from the page: a look over ten million pixels
// takes longer than a frame. The pixels stay here; the page gets bitmaps to draw and numbers to say. Who asks is
// kinds/image/viewer/pixel-service.ts.
import {
  differenceOf,
  fromBytes,
  fromCanvas,
  fullScale,
  hasAlpha,
  renderPixels,
  valueRange,
  valuesAt,
  type Common,
  type DifferenceLook,
  type DifferenceStatistics,
  type PixelLook,
  type Pixels,
  type ValueRange,
} from '../base/pixels';

export interface PictureShape {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly hasAlpha: boolean;
  readonly white: number;
  /** The values are the file's own. */
  readonly isExact: boolean;
}

/** `range` of a look: 'auto' is the picture's own least and greatest. */
export type WishedLook = Omit<PixelLook, 'range'> & { readonly range: ValueRange | 'auto' | null };

export type PixelQuestion =
  /** Decodes a file as the browser does: 8 bits, and not exact below alpha. */
  | { readonly type: 'decode'; readonly key: string; readonly blob: Blob }
  /** Takes samples that the server has decoded. */
  | {
      readonly type: 'take';
      readonly key: string;
      readonly bytes: ArrayBuffer;
      readonly width: number;
      readonly height: number;
      readonly channels: number;
    }
  | { readonly type: 'render'; readonly key: string; readonly look: WishedLook }
  | { readonly type: 'values'; readonly keys: readonly string[]; readonly x: number; readonly y: number }
  | { readonly type: 'difference'; readonly a: string; readonly b: string; readonly look: DifferenceLook };

export interface RenderedPicture {
  readonly bitmap: ImageBitmap;
  readonly range: ValueRange;
}

export interface RenderedDifference {
  readonly bitmap: ImageBitmap;
  readonly common: Common;
  readonly statistics: DifferenceStatistics;
}

/** What each question is answered with. null: the pixels are not (any more) here, or cannot be had. */
export interface PixelAnswers {
  decode: PictureShape | null;
  take: PictureShape | null;
  render: RenderedPicture | null;
  values: (number[] | null)[];
  difference: RenderedDifference | null;
}

export type PixelMessage = PixelQuestion & { readonly id: number };
export interface PixelReply {
  readonly id: number;
  readonly answer: PixelAnswers[PixelQuestion['type']];
}

/** Enough for a few photographs in 16 bits; the two that were used last always stay, to be compared. */
const MOST_BYTES = 384 * 1024 * 1024;
const LEAST_KEPT = 2;

/** Least recently used first. */
const kept = new Map<string, Pixels>();

function find(key: string): Pixels | null {
  const pixels = kept.get(key);
  if (pixels === undefined) return null;
  kept.delete(key);
  kept.set(key, pixels);
  return pixels;
}

function keep(key: string, pixels: Pixels, isExact: boolean): PictureShape {
  kept.delete(key);
  kept.set(key, pixels);
  let bytes = 0;
  for (const { samples } of kept.values()) bytes += samples.byteLength;
  for (const [oldest, { samples }] of kept) {
    if (bytes <= MOST_BYTES || kept.size <= LEAST_KEPT) break;
    kept.delete(oldest);
    bytes -= samples.byteLength;
  }
  const { width, height, channels } = pixels;
  return { width, height, channels, hasAlpha: hasAlpha(pixels), white: fullScale(pixels), isExact };
}

async function decode(blob: Blob): Promise<ReturnType<typeof fromCanvas> | null> {
  let bitmap: ImageBitmap;
  try {
    // As stored: without its colour profile. Turned as the camera says, like everywhere else.
    bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  } catch {
    return null;
  }
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (context === null) return null;
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return fromCanvas(context.getImageData(0, 0, width, height).data, width, height);
}

function bitmapOf(rgba: Uint8ClampedArray<ArrayBuffer>, width: number, height: number): Promise<ImageBitmap> {
  return createImageBitmap(new ImageData(rgba, width, height));
}

async function answerTo(question: PixelQuestion): Promise<PixelReply['answer']> {
  switch (question.type) {
    case 'decode': {
      const decoded = await decode(question.blob);
      return decoded === null ? null : keep(question.key, decoded.pixels, decoded.isExact);
    }
    case 'take': {
      const { key, bytes, width, height, channels } = question;
      const pixels = fromBytes(bytes, width, height, channels);
      return pixels === null ? null : keep(key, pixels, true);
    }
    case 'render': {
      const pixels = find(question.key);
      if (pixels === null) return null;
      const { channel } = question.look;
      const wished = question.look.range;
      const range = wished === 'auto' ? valueRange(pixels, channel) : wished;
      const bitmap = await bitmapOf(
        renderPixels(pixels, { ...question.look, range }),
        pixels.width,
        pixels.height,
      );
      return { bitmap, range: range ?? { least: 0, greatest: fullScale(pixels) } };
    }
    case 'values': {
      const { keys, x, y } = question;
      return keys.map((key) => {
        const pixels = find(key);
        return pixels === null ? null : valuesAt(pixels, x, y);
      });
    }
    case 'difference': {
      const [a, b] = [find(question.a), find(question.b)];
      if (a === null || b === null) return null;
      const { common, statistics, picture } = differenceOf(a, b, question.look);
      return { bitmap: await bitmapOf(picture, common.width, common.height), common, statistics };
    }
  }
}

self.onmessage = ({ data }: MessageEvent<PixelMessage>) => {
  void answerTo(data)
    // Too large for this device, say: the page has a sentence for what cannot be had.
    .catch(() => null)
    .then((answer) => {
      const bitmap = answer !== null && 'bitmap' in answer ? [answer.bitmap] : [];
      self.postMessage({ id: data.id, answer } satisfies PixelReply, { transfer: bitmap });
    });
};
