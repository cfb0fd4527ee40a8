import { describe, expect, it } from 'vitest';
import { lookTables } from './look-tables';
import {
  BRIGHTNESS,
  CHANNEL,
  channelMatrix,
  channelsOf,
  COLOUR_MAP,
  hasFalseColour,
  lookOf,
  resetLook,
  TILE_PX,
  toneOf,
  type Look,
} from './picture-settings';
import { setSetting, settingOf } from '../../state/settings/setting';

const USUAL: Look = { brightness: 1, contrast: 1, gamma: 1, channel: 'all', colourMap: 'none' };

describe('tone', () => {
  it('leaves values alone by default', () => {
    for (const value of [0, 0.1, 0.5, 1]) expect(toneOf(value, USUAL)).toBeCloseTo(value, 12);
  });

  it('multiplies first, spreads around the middle then, and bends last', () => {
    // 0.3 × 2 = 0.6; (0.6 − 0.5) × 3 + 0.5 = 0.8; 0.8 ^ (1 / 2)
    expect(toneOf(0.3, { ...USUAL, brightness: 2, contrast: 3, gamma: 2 })).toBeCloseTo(Math.sqrt(0.8), 12);
  });

  it('cuts what leaves the range after each step', () => {
    // 0.9 × 2 is cut to 1 before the contrast is taken away.
    expect(toneOf(0.9, { ...USUAL, brightness: 2, contrast: 0.5 })).toBeCloseTo(0.75, 12);
    expect(toneOf(0.1, { ...USUAL, contrast: 5, gamma: 0.2 })).toBe(0);
  });
});

describe('channels', () => {
  const seen = (channel: Look['channel'], pixel: readonly number[]): number[] => {
    const matrix = channelMatrix(channel);
    const from = [...pixel, 1];
    return [0, 1, 2, 3].map((row) => from.reduce((sum, value, i) => sum + value * matrix[5 * row + i]!, 0));
  };

  it('are shown as grey, with the alpha of the picture', () => {
    const pixel = [0.2, 0.4, 0.6, 0.5];
    expect(seen('all', pixel)).toEqual(pixel);
    expect(seen('green', pixel)).toEqual([0.4, 0.4, 0.4, 0.5]);
    expect(seen('luminance', [1, 1, 1, 1])[0]).toBeCloseTo(1, 12);
  });

  it('show alpha itself on an opaque ground', () => {
    expect(seen('alpha', [0.2, 0.4, 0.6, 0.5])).toEqual([0.5, 0.5, 0.5, 1]);
  });
});

describe('the filter of a look', () => {
  it('is none when nothing is changed', () => {
    expect(lookTables(USUAL, 3)).toBeNull();
    expect(lookTables({ ...USUAL, colourMap: 'viridis' }, 3)).toBeNull();
  });

  it('colours what has one value per pixel', () => {
    expect(hasFalseColour({ ...USUAL, colourMap: 'viridis' }, 1)).toBe(true);
    expect(hasFalseColour({ ...USUAL, colourMap: 'viridis' }, 3)).toBe(false);
    expect(hasFalseColour({ ...USUAL, colourMap: 'viridis', channel: 'red' }, 3)).toBe(true);
    const tables = lookTables({ ...USUAL, colourMap: 'viridis' }, 1)?.tables;
    expect(tables?.map((table) => Math.round(Number(table.split(' ')[0]) * 255))).toEqual([68, 1, 84]);
  });

  it('has an entry for each of the 256 values, in order', () => {
    const [red] = lookTables({ ...USUAL, brightness: 0.5 }, 3)!.tables!;
    // Cut off or rounded, it is the same.
    const entries = red.split(' ').map((text) => Math.floor(Number(text) * 255));
    expect(entries).toEqual(red.split(' ').map((text) => Math.round(Number(text) * 255)));
    expect(entries).toHaveLength(256);
    expect(entries.filter((value, i) => Math.abs(value - i / 2) > 0.5)).toEqual([]);
  });
});

describe('settings of pictures', () => {
  it('take no value that makes no sense', () => {
    const view = { kindWords: { brightness: '9', tile: 'huge', channel: 'ultraviolet' }, selected: null };
    expect(settingOf(view, BRIGHTNESS)).toBe(1);
    expect(settingOf(view, TILE_PX)).toBe(TILE_PX.usual);
    expect(settingOf(view, CHANNEL)).toBe('all');
  });

  it('go back to the usual look together, and leave the rest', () => {
    const view = { kindWords: {} as Record<string, string>, selected: null };
    setSetting(view, BRIGHTNESS, 0.5);
    setSetting(view, COLOUR_MAP, 'magma');
    setSetting(view, TILE_PX, 300);
    resetLook(view);
    expect(lookOf(view)).toEqual(USUAL);
    expect(view.kindWords).toEqual({ tile: '300' });
  });
});

it('offers the channels that a picture has', () => {
  expect([1, 2, 3, 4].map((channels) => channelsOf(channels).join())).toEqual([
    'all',
    'all,alpha',
    'all,red,green,blue,luminance',
    'all,red,green,blue,alpha,luminance',
  ]);
});
