// Arithmetic on decoded pictures: what they look like under a look, and what they say in numbers. Plain loops over typed arrays
// without knowledge of canvases or messages; workers/pixels.worker.ts runs them away from the page.
//
// Values are the picture's own, from 0 to 255 or 65535. A look is applied in this order (kinds/image/picture-settings.ts says
// the same of the grid):
//
//     channel ─▶ range ─▶ × brightness ─▶ contrast ─▶ gamma ─▶ false colour

/** Interleaved samples by row: gray, gray and alpha, RGB, or RGB and alpha. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
  readonly samples: Uint8Array | Uint16Array;
}

export type PixelChannel = 'all' | 'red' | 'green' | 'blue' | 'alpha' | 'luminance';

/** Of red, green and blue (Rec. 709, on values as they are encoded: what people read off the picture). */
export const LUMINANCE = [0.2126, 0.7152, 0.0722] as const;

export interface PixelLook {
  readonly channel: PixelChannel;
  /** Values that become black and white; null: all that there can be. */
  readonly range: ValueRange | null;
  readonly brightness: number;
  readonly contrast: number;
  readonly gamma: number;
  /** For what has one value per pixel; null: shades of gray. */
  readonly colours: ColourTable | null;
}

/** 256 colours as red, green, blue, red, … */
export type ColourTable = Uint8Array;

const GRAY: ColourTable = Uint8Array.from({ length: 256 * 3 }, (_, i) => Math.floor(i / 3));

export interface ValueRange {
  readonly least: number;
  readonly greatest: number;
}

/** What white is. */
export function fullScale({ samples }: Pick<Pixels, 'samples'>): number {
  return samples.BYTES_PER_ELEMENT === 2 ? 65_535 : 255;
}

export function hasAlpha({ channels }: Pick<Pixels, 'channels'>): boolean {
  return channels === 2 || channels === 4;
}

function colourChannels({ channels }: Pick<Pixels, 'channels'>): 1 | 3 {
  return channels >= 3 ? 3 : 1;
}

/** Samples of one pixel; null outside of the picture. */
export function valuesAt(pixels: Pixels, x: number, y: number): number[] | null {
  const { width, height, channels, samples } = pixels;
  if (!(x >= 0 && y >= 0 && x < width && y < height)) return null;
  const start = (Math.floor(y) * width + Math.floor(x)) * channels;
  return Array.from(samples.subarray(start, start + channels));
}

/** One number per pixel: sample `at` of each, or a weighted sum of red, green and blue. null: every colour for itself. */
type Pick1 = { readonly at: number } | 'luminance' | 'opaque' | null;

function pickOf(pixels: Pixels, channel: PixelChannel): Pick1 {
  const isGray = colourChannels(pixels) === 1;
  if (channel === 'alpha') return hasAlpha(pixels) ? { at: pixels.channels - 1 } : 'opaque';
  if (isGray) return { at: 0 };
  switch (channel) {
    case 'all':
      return null;
    case 'luminance':
      return 'luminance';
    case 'red':
      return { at: 0 };
    case 'green':
      return { at: 1 };
    case 'blue':
      return { at: 2 };
  }
}

/** The value of one pixel under a pick that gives one. `start`: its first sample. */
function pickedValue(
  samples: Pixels['samples'],
  start: number,
  pick: NonNullable<Pick1>,
  white: number,
): number {
  if (pick === 'opaque') return white;
  if (pick !== 'luminance') return samples[start + pick.at]!;
  return Math.round(
    LUMINANCE[0] * samples[start]! + LUMINANCE[1] * samples[start + 1]! + LUMINANCE[2] * samples[start + 2]!,
  );
}

/** For every value that there can be, a shade from 0 to 255. */
export function toneTable(white: number, look: Omit<PixelLook, 'channel' | 'colours'>): Uint8Array {
  const { brightness, contrast, gamma } = look;
  const { least, greatest } = look.range ?? { least: 0, greatest: white };
  // Of a range without extent everything above it is white.
  const extent = greatest - least || Number.EPSILON;
  const table = new Uint8Array(white + 1);
  for (let value = 0; value <= white; value++) {
    const bright = clamp01(clamp01((value - least) / extent) * brightness);
    const contrasted = clamp01((bright - 0.5) * contrast + 0.5);
    table[value] = Math.round(255 * contrasted ** (1 / gamma));
  }
  return table;
}

function clamp01(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

/** RGBA, 8 bits each, not multiplied by alpha. */
export function renderPixels(pixels: Pixels, look: PixelLook): Uint8ClampedArray<ArrayBuffer> {
  const { width, height, channels, samples } = pixels;
  const white = fullScale(pixels);
  const tone = toneTable(white, look);
  const pick = pickOf(pixels, look.channel);
  const colours = look.colours ?? GRAY;
  const isAlphaKept = hasAlpha(pixels) && look.channel !== 'alpha';
  const shift = white === 255 ? 0 : 8;
  const count = width * height;
  const out = new Uint8ClampedArray(4 * count);
  for (let i = 0, start = 0, to = 0; i < count; i++, start += channels, to += 4) {
    if (pick === null) {
      out[to] = tone[samples[start]!]!;
      out[to + 1] = tone[samples[start + 1]!]!;
      out[to + 2] = tone[samples[start + 2]!]!;
    } else {
      const colour = 3 * tone[pickedValue(samples, start, pick, white)]!;
      out[to] = colours[colour]!;
      out[to + 1] = colours[colour + 1]!;
      out[to + 2] = colours[colour + 2]!;
    }
    out[to + 3] = isAlphaKept ? samples[start + channels - 1]! >> shift : 255;
  }
  return out;
}

/** Least and greatest value of what is looked at: of all colours with 'all'. */
export function valueRange(pixels: Pixels, channel: PixelChannel): ValueRange {
  const { channels, samples } = pixels;
  const white = fullScale(pixels);
  const pick = pickOf(pixels, channel);
  let least = white;
  let greatest = 0;
  for (let start = 0; start < samples.length; start += channels) {
    for (let c = 0; c < (pick === null ? 3 : 1); c++) {
      const value = pick === null ? samples[start + c]! : pickedValue(samples, start, pick, white);
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
  }
  return samples.length === 0 ? { least: 0, greatest: white } : { least, greatest };
}

// ---- two pictures --------------------------------------------------------------------------------------------------

/** What two pictures have in common: the area at the top left, and channels and depth that hold both. */
export interface Common {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
  /** The greater of the two; values of the other are stretched to it. */
  readonly white: number;
}

export function commonOf(a: Pixels, b: Pixels): Common {
  const colours = Math.max(colourChannels(a), colourChannels(b));
  const alphas = hasAlpha(a) || hasAlpha(b) ? 1 : 0;
  return {
    width: Math.min(a.width, b.width),
    height: Math.min(a.height, b.height),
    channels: (colours + alphas) as Common['channels'],
    white: Math.max(fullScale(a), fullScale(b)),
  };
}

/** Puts one pixel into `into` in the form of both pictures: gray is red, green and blue alike, no alpha is opaque. */
function readCommon(pixels: Pixels, start: number, { channels, white }: Common, into: Float64Array): void {
  const { samples } = pixels;
  const stretch = white / fullScale(pixels);
  const isGray = colourChannels(pixels) === 1;
  const colours = colourChannels({ channels });
  for (let c = 0; c < colours; c++) into[c] = samples[start + (isGray ? 0 : c)]! * stretch;
  if (hasAlpha({ channels })) {
    into[colours] = hasAlpha(pixels) ? samples[start + pixels.channels - 1]! * stretch : white;
  }
}

/** One pixel by its samples; `white` as of its picture. */
interface OnePixel {
  readonly values: readonly number[];
  readonly white: number;
}

/** B − A of two pixels, channel by channel in the form of both. */
export function valueDifference(a: OnePixel, b: OnePixel): number[] {
  const [one, other] = [pixelsOf(a), pixelsOf(b)];
  const common = commonOf(one, other);
  const [inA, inB] = [new Float64Array(common.channels), new Float64Array(common.channels)];
  readCommon(one, 0, common, inA);
  readCommon(other, 0, common, inB);
  return Array.from(inB, (value, c) => value - inA[c]!);
}

function pixelsOf({ values, white }: OnePixel): Pixels {
  const samples = white === 255 ? Uint8Array.from(values) : Uint16Array.from(values);
  return { width: 1, height: 1, channels: values.length as Pixels['channels'], samples };
}

/** Over all pixels of the common area, and all channels (alpha too, where one has it) or the one that is looked at. */
export interface DifferenceStatistics {
  readonly greatest: number;
  readonly meanAbsolute: number;
  readonly rootMeanSquare: number;
  /** Peak signal-to-noise ratio in dB; Infinity: they are the same. */
  readonly psnrDb: number;
  /** Of the pixels, from 0 to 1: those with any channel that differs. */
  readonly differentShare: number;
}

export interface DifferenceLook {
  readonly channel: PixelChannel;
  /** 'signed': B − A, of all channels the one that differs most, around the middle of the colours. */
  readonly mode: 'absolute' | 'signed';
  readonly factor: number;
  /** null: each channel's difference in its own colour, or in gray where there is one value per pixel. */
  readonly colours: ColourTable | null;
}

export interface Difference {
  readonly common: Common;
  readonly statistics: DifferenceStatistics;
  /** RGBA. */
  readonly picture: Uint8ClampedArray<ArrayBuffer>;
}

/** Reads one pixel in the form of both pictures: all its channels, or the value of the one that is looked at. */
function commonReader(pixels: Pixels, channel: PixelChannel, common: Common) {
  const pick = channel === 'all' ? null : pickOf(pixels, channel);
  if (pick === null) return (start: number, into: Float64Array) => readCommon(pixels, start, common, into);
  const white = fullScale(pixels);
  return (start: number, into: Float64Array): void => {
    into[0] = (pickedValue(pixels.samples, start, pick, white) * common.white) / white;
  };
}

export function differenceOf(a: Pixels, b: Pixels, look: DifferenceLook): Difference {
  const all = commonOf(a, b);
  const common: Common = look.channel === 'all' ? all : { ...all, channels: 1 };
  const [readA, readB] = [commonReader(a, look.channel, common), commonReader(b, look.channel, common)];
  const { width, height, channels, white } = common;
  const colours = colourChannels(common);
  const table = look.colours ?? GRAY;
  const areColoursOwn = look.mode === 'absolute' && look.colours === null && colours === 3;
  const picture = new Uint8ClampedArray(4 * width * height);
  const [inA, inB] = [new Float64Array(4), new Float64Array(4)];
  let [greatest, sum, squares, different] = [0, 0, 0, 0];
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 4) {
      readA((y * a.width + x) * a.channels, inA);
      readB((y * b.width + x) * b.channels, inB);
      let most = 0;
      for (let c = 0; c < channels; c++) {
        const by = inB[c]! - inA[c]!;
        const size = Math.abs(by);
        sum += size;
        squares += by * by;
        if (size > Math.abs(most)) most = by;
        if (areColoursOwn && c < 3) picture[to + c] = Math.min(255, ((size * look.factor) / white) * 255);
      }
      if (Math.abs(most) > greatest) greatest = Math.abs(most);
      if (most !== 0) different += 1;
      if (!areColoursOwn) {
        const share = (most * look.factor) / white;
        const place = look.mode === 'signed' ? 0.5 + share / 2 : Math.abs(share);
        const colour = 3 * Math.round(255 * clamp01(place));
        picture[to] = table[colour]!;
        picture[to + 1] = table[colour + 1]!;
        picture[to + 2] = table[colour + 2]!;
      }
      picture[to + 3] = 255;
    }
  }
  const pixels = Math.max(1, width * height);
  const meanSquare = squares / (pixels * channels);
  return {
    common,
    picture,
    statistics: {
      greatest,
      meanAbsolute: sum / (pixels * channels),
      rootMeanSquare: Math.sqrt(meanSquare),
      psnrDb: meanSquare === 0 ? Infinity : 10 * Math.log10((white * white) / meanSquare),
      differentShare: different / pixels,
    },
  };
}

/** Red, green, blue and alpha, as a browser's canvas has them, as few channels as hold them. */
export function fromCanvas(
  rgba: Uint8ClampedArray | Uint8Array,
  width: number,
  height: number,
): { readonly pixels: Pixels; readonly isExact: boolean } {
  let [isGray, isOpaque] = [true, true];
  for (let at = 0; at < rgba.length && (isGray || isOpaque); at += 4) {
    if (rgba[at + 3] !== 255) isOpaque = false;
    if (rgba[at] !== rgba[at + 1] || rgba[at] !== rgba[at + 2]) isGray = false;
  }
  const colours = isGray ? 1 : 3;
  const channels = (colours + (isOpaque ? 0 : 1)) as Pixels['channels'];
  const samples = new Uint8Array(width * height * channels);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += channels) {
    for (let c = 0; c < colours; c++) samples[to + c] = rgba[from + c]!;
    if (!isOpaque) samples[to + colours] = rgba[from + 3]!;
  }
  // A canvas multiplies by alpha and divides again: below it, values are not the picture's own.
  return { pixels: { width, height, channels, samples }, isExact: isOpaque };
}

/** Little-endian samples as the server sends them; null when there are not as many bytes as the picture needs. */
export function fromBytes(
  bytes: ArrayBuffer,
  width: number,
  height: number,
  channels: number,
): Pixels | null {
  const count = width * height * channels;
  if (!(channels >= 1 && channels <= 4) || count === 0) return null;
  const shape = { width, height, channels: channels as Pixels['channels'] };
  if (bytes.byteLength === count) return { ...shape, samples: new Uint8Array(bytes) };
  if (bytes.byteLength !== 2 * count) return null;
  return { ...shape, samples: new Uint16Array(bytes) };
}
