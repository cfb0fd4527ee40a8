// A look as an SVG filter can do it: a matrix that chooses the channel, then one table per channel. With 256 entries the tables
// are exact for the pictures of a grid, which have 8 bits; the viewer takes its own pixels through the same functions.
import { colourIn, type Rgb } from '../../base/colour-maps';
import { channelMatrix, hasFalseColour, isToneUsual, toneOf, type Look } from './picture-settings';

export interface LookTables {
  /** Values of an feColorMatrix; null: every channel stays where it is. */
  readonly matrix: string | null;
  /** tableValues of red, green and blue; null: values stay as they are. */
  readonly tables: readonly [red: string, green: string, blue: string] | null;
}

const ENTRIES = 256;

/** null: pictures of so many channels are shown as they are. */
export function lookTables(look: Look, channels: number): LookTables | null {
  const isColoured = hasFalseColour(look, channels);
  const matrix = look.channel === 'all' ? null : channelMatrix(look.channel).join(' ');
  if (matrix === null && !isColoured && isToneUsual(look)) return null;
  if (!isColoured && isToneUsual(look)) return { matrix, tables: null };
  const colours: Rgb[] = [];
  for (let i = 0; i < ENTRIES; i++) {
    const value = toneOf(i / (ENTRIES - 1), look);
    colours.push(colourIn(isColoured ? look.colourMap : 'none', value));
  }
  const tableOf = (channel: 0 | 1 | 2): string =>
    colours.map((colour) => entryText(colour[channel])).join(' ');
  return { matrix, tables: [tableOf(0), tableOf(1), tableOf(2)] };
}

/** Of 255 parts the nearest. A little more than that: some browsers round their result, some cut it off. */
function entryText(value: number): string {
  return Math.min(1, (Math.round(value * 255) + 0.25) / 255).toFixed(5);
}
