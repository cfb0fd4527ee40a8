// Colours between the page's own, for maps and for what is old.
import type { Rgb } from '../../base/colour-maps';

/** Any CSS colour as channels from 0 to 1. */
export function rgbOf(color: string): Rgb {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) return [0.5, 0.5, 0.5];
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red / 255, green / 255, blue / 255];
}

export function mixed(one: Rgb, other: Rgb, share: number): Rgb {
  const between = (channel: 0 | 1 | 2): number => one[channel] + (other[channel] - one[channel]) * share;
  return [between(0), between(1), between(2)];
}

export function cssOf([red, green, blue]: Rgb): string {
  return `rgb(${Math.round(255 * red)} ${Math.round(255 * green)} ${Math.round(255 * blue)})`;
}

/** From a breath of the colour to the colour, and on towards the text's: light on dark pages, dark on light ones. */
export function heatColours(background: Rgb, color: Rgb, text: Rgb): (density: number) => Rgb {
  return (density) =>
    density < FULL
      ? mixed(background, color, FAINTEST + (1 - FAINTEST) * (density / FULL))
      : mixed(color, text, (DARKEST * (density - FULL)) / (1 - FULL));
}

const FAINTEST = 0.1;
const FULL = 0.65;
const DARKEST = 0.55;
