// A ramp of one hue for shares and counts: lightness alone carries the value, so that it reads alike for everybody, and nothing (0) is
// the page's own ground.
import type { Theme } from '../../state/palettes';

type Rgb = readonly [number, number, number];

const RAMPS: Readonly<Record<Theme, readonly Rgb[]>> = {
  light: [
    [255, 255, 255],
    [214, 230, 244],
    [138, 187, 222],
    [58, 129, 190],
    [8, 64, 129],
  ],
  dark: [
    [21, 24, 28],
    [26, 58, 96],
    [35, 104, 171],
    [108, 176, 245],
    [226, 240, 255],
  ],
};

/** A share of the greatest value, 0 to 1; anything else is nothing. */
export function colourAt(share: number, theme: Theme): Rgb {
  const ramp = RAMPS[theme];
  const place = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0)) * (ramp.length - 1);
  const [from, to] = [ramp[Math.floor(place)]!, ramp[Math.ceil(place)]!];
  const between = place - Math.floor(place);
  const mix = (channel: 0 | 1 | 2): number =>
    Math.round(from[channel] + (to[channel] - from[channel]) * between);
  return [mix(0), mix(1), mix(2)];
}

/** Colours of the values from nothing to the greatest, for CSS. */
export function rampGradient(theme: Theme): string {
  return `linear-gradient(to right, ${RAMPS[theme].map((colour) => `rgb(${colour.join(' ')})`).join(', ')})`;
}

/** Black or white, whichever is easier to read on it. */
export function inkOn(colour: Rgb): string {
  const [red, green, blue] = colour.map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  return luminance > 0.179 ? '#000000' : '#ffffff';
}
