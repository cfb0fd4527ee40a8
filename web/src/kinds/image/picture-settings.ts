// How pictures are shown, everywhere the same: in the grid by an SVG filter, in the viewer by its own pixels. What each setting
// means is defined here, on values from 0 to 1 of the picture's own (sRGB) channels, in this order:
//
//     channel ─▶ × brightness ─▶ contrast around the middle ─▶ gamma ─▶ false colour
//
// After each of the two middle steps values are cut to 0 … 1. Alpha stays, unless it is the channel that is looked at. False
// colour is for what has one value per pixel: a picture of one channel, or one channel of a picture of several.
import { COLOUR_MAPS, type ColourMap } from '../../base/colour-maps';
import { LUMINANCE } from '../../base/pixels';
import {
  choiceSetting,
  flagSetting,
  numberSetting,
  resetSettings,
  settingOf,
  type WithKindWords,
} from '../../state/settings/setting';

export const CHANNELS = ['all', 'red', 'green', 'blue', 'alpha', 'luminance'] as const;
export type Channel = (typeof CHANNELS)[number];

/** As people read them, in the gallery and in the viewer. */
export const CHANNEL_NAMES: Readonly<Record<Channel, string>> = {
  all: 'All',
  red: 'Red',
  green: 'Green',
  blue: 'Blue',
  alpha: 'Alpha',
  luminance: 'Luminance',
};
export const COLOUR_MAP_NAMES: Readonly<Record<ColourMap, string>> = {
  none: 'None',
  viridis: 'Viridis',
  magma: 'Magma',
  turbo: 'Turbo',
  coolwarm: 'Cool–warm',
};

export const BRIGHTNESS = numberSetting('brightness', 1, 0, 2);
export const CONTRAST = numberSetting('contrast', 1, 0, 5);
export const GAMMA = numberSetting('gamma', 1, 0.2, 5);
/** Enlarged pictures show their pixels as squares ('nearest') or smoothly. */
export const SCALING = choiceSetting('scaling', 'nearest', ['nearest', 'smooth'] as const);
/** One pixel of the picture on one of the screen, cut at the edges of the tile; false: fits into the tile. */
export const IS_ACTUAL_SIZE = flagSetting('actual', false);
/** Width of a tile in CSS pixels; phones have two columns whatever this is. */
export const TILE_PX = numberSetting('tile', 200, 96, 640);
export const CHANNEL = choiceSetting<Channel>('channel', 'all', CHANNELS);
export const COLOUR_MAP = choiceSetting<ColourMap>('colours', 'none', COLOUR_MAPS);
/** Films in the grid play by themselves; false: they show their first frame until they are asked to. */
export const ARE_FILMS_PLAYING = flagSetting('films', true);
export const GALLERY_BY = choiceSetting('by', 'tag', ['tag', 'run'] as const);

/** What changes the colours of a picture. */
export interface Look {
  readonly brightness: number;
  readonly contrast: number;
  readonly gamma: number;
  readonly channel: Channel;
  readonly colourMap: ColourMap;
}

export function lookOf(view: WithKindWords): Look {
  return {
    brightness: settingOf(view, BRIGHTNESS),
    contrast: settingOf(view, CONTRAST),
    gamma: settingOf(view, GAMMA),
    channel: settingOf(view, CHANNEL),
    colourMap: settingOf(view, COLOUR_MAP),
  };
}

/** Of the tone alone: brightness, contrast and gamma. */
export function isToneUsual({ brightness, contrast, gamma }: Look): boolean {
  return brightness === 1 && contrast === 1 && gamma === 1;
}

/** Pictures have their own colours. */
export function isLookUsual(look: Look): boolean {
  return isToneUsual(look) && look.channel === 'all' && look.colourMap === 'none';
}

export function resetLook(view: WithKindWords): void {
  resetSettings(view, [BRIGHTNESS, CONTRAST, GAMMA, CHANNEL, COLOUR_MAP]);
}

/** What becomes of one value from 0 to 1: brightness, then contrast, then gamma. */
export function toneOf(value: number, { brightness, contrast, gamma }: Look): number {
  const bright = clamp(value * brightness);
  const contrasted = clamp((bright - 0.5) * contrast + 0.5);
  return contrasted ** (1 / gamma);
}

/** Rows of red, green, blue and alpha; columns: how much of red, green, blue, alpha and 1. As in an SVG feColorMatrix. */
export function channelMatrix(channel: Channel): readonly number[] {
  const one = (weights: readonly number[]): number[] => [...weights, ...weights, ...weights, 0, 0, 0, 1, 0];
  switch (channel) {
    case 'red':
      return one([1, 0, 0, 0, 0]);
    case 'green':
      return one([0, 1, 0, 0, 0]);
    case 'blue':
      return one([0, 0, 1, 0, 0]);
    case 'luminance':
      return one([...LUMINANCE, 0, 0]);
    case 'alpha':
      return [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1];
    case 'all':
      return [1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0];
  }
}

/** What can be looked at in a picture of so many channels: where a pixel has one value, no colours. */
export function channelsOf(channels: number): Channel[] {
  const hasAlpha = channels === 2 || channels === 4;
  return CHANNELS.filter((one) => one === 'all' || (one === 'alpha' ? hasAlpha : channels > 2));
}

/** Whether a picture of so many channels is shown in the colours of the map. */
export function hasFalseColour({ channel, colourMap }: Look, channels: number): boolean {
  return colourMap !== 'none' && (channel !== 'all' || channels <= 2);
}

function clamp(value: number): number {
  return Math.min(Math.max(value, 0), 1);
}
