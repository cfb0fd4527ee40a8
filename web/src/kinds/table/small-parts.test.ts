// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { pictureFrom } from './figure-messages';
import { boundOf, filtersFrom, NO_FILTER } from './filters';
import { colourAt, inkOn } from './matrix-colours';
import { allowScripts, areScriptsAllowed } from './page-scripts.svelte';

describe('filters', () => {
  it('are what was typed, as far as it makes sense', () => {
    expect([boundOf(''), boundOf(' −2.5 '), boundOf('x')]).toEqual([null, -2.5, undefined]);
    const typed = new Map([
      [3, { ...NO_FILTER, least: '1', greatest: 'x' }],
      [1, { ...NO_FILTER, text: 'cat' }],
      [2, NO_FILTER],
    ]);
    expect(filtersFrom(typed)).toEqual([
      { column: 1, text: 'cat', least: null, greatest: null },
      { column: 3, text: '', least: 1, greatest: null },
    ]);
  });
});

describe('pictures from a frame', () => {
  it('are of two types, or none', async () => {
    const png = pictureFrom({ url: 'data:image/png;base64,QUJD' });
    expect([png?.type, await png?.text()]).toEqual(['image/png', 'ABC']);
    expect(pictureFrom({ url: 'data:image/svg+xml,%3Csvg%2F%3E' })?.type).toBe('image/svg+xml');
    for (const url of ['data:text/html,x', 'javascript:x', 'data:image/png;base64,%%', 7, undefined]) {
      expect(pictureFrom({ url })).toBeNull();
    }
  });
});

describe('colours of a matrix', () => {
  it.each(['light', 'dark'] as const)('of the %s theme get only lighter, or only darker', (theme) => {
    const lightness = Array.from({ length: 101 }, (_, at) => {
      const [red, green, blue] = colourAt(at / 100, theme);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    });
    const sorted = [...lightness].sort((a, b) => (theme === 'light' ? b - a : a - b));
    expect(lightness).toEqual(sorted);
  });

  it('have ink that can be read on them', () => {
    expect(inkOn([255, 255, 255])).toBe('#000000');
    expect(inkOn([8, 64, 129])).toBe('#ffffff');
    expect(colourAt(NaN, 'light')).toEqual([255, 255, 255]);
  });
});

describe('scripts of logged HTML', () => {
  const pageOf = (...paths: string[]) => ({
    environment: { log_directories: paths.map((path) => ({ path })) } as never,
  });

  it('are allowed for one tag of one log, until taken back', () => {
    allowScripts(pageOf('/a'), 'report', true);
    expect(areScriptsAllowed(pageOf('/a'), 'report')).toBe(true);
    expect(areScriptsAllowed(pageOf('/a'), 'other')).toBe(false);
    expect(areScriptsAllowed(pageOf('/b'), 'report')).toBe(false);
    expect(areScriptsAllowed(pageOf('/a', '/b'), 'report')).toBe(false);
    allowScripts(pageOf('/a'), 'report', false);
    expect(areScriptsAllowed(pageOf('/a'), 'report')).toBe(false);
  });

  it('are taken back in all tabs at once', () => {
    allowScripts(pageOf('/a'), 'report', true);
    localStorage.setItem('sightline.page-scripts', '[]');
    window.dispatchEvent(new StorageEvent('storage'));
    expect(areScriptsAllowed(pageOf('/a'), 'report')).toBe(false);
  });

  it('are never allowed while nobody knows which log it is', () => {
    allowScripts({ environment: null }, 'report', true);
    expect(areScriptsAllowed({ environment: null }, 'report')).toBe(false);
    expect(areScriptsAllowed(pageOf(), 'report')).toBe(false);
  });
});
