// @vitest-environment happy-dom
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultView } from './view';
import type { Selection } from '../types';
import { anyView, name } from './test-views';
import { parseView } from './link';
import { formatView, MOST_SELECTION_CHARS } from './link';

const base64 = (value: unknown): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));

describe('a view in a URL', () => {
  test('comes back as it was', () => {
    fc.assert(
      fc.property(anyView, (any) => {
        const back = parseView(formatView(any).hash).view;
        // Objects from fast-check have no prototype; what they hold is what counts.
        expect(JSON.parse(JSON.stringify(back))).toEqual(JSON.parse(JSON.stringify(any)));
      }),
      { numRuns: 300 },
    );
  });

  test('survives a browser, which escapes what it likes', () => {
    fc.assert(
      fc.property(anyView, (any) => {
        const { hash } = formatView(any);
        expect(new URL(hash, 'http://host/').hash).toBe(hash);
      }),
    );
  });

  test('is only the dashboard when nothing was changed', () => {
    expect(formatView(defaultView()).hash).toBe('#timeseries');
  });

  test('can be read and written by people', () => {
    const any = defaultView();
    any.dashboard = 'scalars';
    any.runFilter = 'baseline/.*';
    any.smoothing = { kind: 'gaussian', amount: 12 };
    any.selection = { rule: 'none', except: ['a/1', 'b, c'] };
    any.xRange = [0, 5000];
    any.cards = { 'loss/train': { yScale: 'log', yRange: [0.1, 1] } };
    expect(formatView(any).hash).toBe(
      '#scalars&runFilter=baseline/.*&runs=none&show=a/1,b%2C%20c&smoothing=gaussian:12&xrange=0..5000&card=log,0.1..1,loss/train',
    );
  });

  test('for others says what their browsers have habits for, too', () => {
    const { hash } = formatView(defaultView(), { isForOthers: true });
    expect([...parseView(hash).said].sort()).toEqual(['columns', 'pins', 'widths']);
    expect(parseView(hash).view).toEqual(defaultView());
  });

  test('names alone are a choice', () => {
    expect(parseView('#scalars&show=a,b').view.selection).toEqual({ rule: 'none', except: ['a', 'b'] });
    expect(parseView('#scalars&hide=a').view.selection).toEqual({ rule: 'all', except: ['a'] });
  });

  test('a choice that is too long is left out, under a name if there is one', () => {
    const any = defaultView();
    any.selection = { rule: 'none', except: Array.from({ length: 2000 }, (_, i) => `experiment/run_${i}`) };
    const { hash, isSelectionCut } = formatView(any, { nameOfSaved: () => 'abc' });
    expect(isSelectionCut).toBe(true);
    expect(hash).toBe('#timeseries&runs=none&saved=abc');
    expect(parseView(hash).savedSelection).toBe('abc');
    expect(formatView(any).hash).toBe('#timeseries&runs=none');
  });

  test('stays short enough for anyone, whatever the choice', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 500, maxLength: 1500 }), (except) => {
        const any = { ...defaultView(), selection: { rule: 'all', except } as Selection };
        expect(formatView(any).hash.length).toBeLessThan(MOST_SELECTION_CHARS + 100);
      }),
      { numRuns: 10 },
    );
  });

  test('nonsense never throws, and leaves the defaults', () => {
    const nonsense =
      '#scalars&smoothing=much&x=sideways&xrange=5..1&rows=-3&width=1e99&card=log&sort=&runs=some&tooltip=%ZZ&=&&&a=b';
    expect(parseView(nonsense).view).toEqual({ ...defaultView(), dashboard: 'scalars' });
    fc.assert(
      fc.property(fc.string(), fc.string(), (hash, search) => {
        parseView(`#${hash}`, `?${search}`);
      }),
    );
    const words = fc.constantFrom(
      'smoothing',
      'x',
      'xrange',
      'rows',
      'card',
      'sort',
      'runs',
      'show',
      'widths',
      'pins',
      'runSelectionState',
      'pinnedCards',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(words, fc.string())), (pairs) => {
        const joined = pairs.map(([word, any]) => `&${word}=${any}`).join('');
        expect(formatView(parseView(`#scalars${joined}`, `?${joined}`).view).hash).toMatch(/^#/);
      }),
    );
  });

  test('a name from a link cannot reach the objects behind', () => {
    const { view: any } = parseView('#scalars&closed=__proto__&widths=20:__proto__&card=log,,__proto__');
    expect(Object.getPrototypeOf(any.groups)).toBe(Object.prototype);
    expect(Object.keys(any.groups)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['yScale']).toBeUndefined();
  });

  test('smoothing is kept where it is possible', () => {
    expect(parseView('#scalars&smoothing=7').view.smoothing).toEqual({ kind: 'ema', amount: 0.9999 });
    expect(parseView('#scalars&smoothing=-1').view.smoothing).toEqual({ kind: 'ema', amount: 0 });
    expect(parseView('#scalars&smoothing=none').view.smoothing).toEqual({ kind: 'none', amount: 0 });
  });
});

describe('TensorBoard’s links', () => {
  test('filter runs', () => {
    const { view: any, said } = parseView('#scalars&regexInput=baseline');
    expect(any).toMatchObject({ dashboard: 'scalars', runFilter: 'baseline', runFilterKind: 'regex' });
    expect(said).toContain('runFilter');
  });

  test('smooth, in both spellings', () => {
    expect(parseView('#scalars&smoothing=0.8').view.smoothing).toEqual({ kind: 'ema', amount: 0.8 });
    expect(parseView('#scalars&_smoothingWeight=0.25').view.smoothing).toEqual({ kind: 'ema', amount: 0.25 });
  });

  test('filter tags and show outliers', () => {
    const { view: any } = parseView('#scalars&tagFilter=loss%7Cacc&_ignoreYOutliers=false&_xType=wall_time');
    expect(any).toMatchObject({ tagFilter: 'loss|acc', ignoreOutliers: false, xAxis: 'wall' });
  });

  test('hide runs', () => {
    const state = base64({ 'a/ü': true, b: false, c: false });
    expect(parseView(`#scalars&runSelectionState=${encodeURIComponent(state)}`).view.selection).toEqual({
      rule: 'all',
      except: ['b', 'c'],
    });
  });

  test('show only some runs', () => {
    const state = base64({ 'a/ü': true });
    expect(parseView(`#scalars&runSelectionState=${state}`).view.selection).toEqual({
      rule: 'none',
      except: ['a/ü'],
    });
  });

  test('carry the state of Time Series in the query', () => {
    const pins = encodeURIComponent('[{"plugin":"scalars","tag":"loss/a b"},{"plugin":"images","tag":"x"}]');
    const { view: any, theme } = parseView(
      '#timeseries',
      `?smoothing=0.9&runFilter=base&tagFilter=acc&pinnedCards=${pins}&darkMode=true`,
    );
    expect(any).toMatchObject({
      dashboard: 'timeseries',
      smoothing: { kind: 'ema', amount: 0.9 },
      runFilter: 'base',
      tagFilter: 'acc',
      pins: ['loss/a b'],
    });
    expect(theme).toBe('dark');
  });

  test('that are broken leave the rest as it is', () => {
    const { view: any } = parseView(
      '#scalars&runSelectionState=%%%&regexInput=x',
      '?pinnedCards=[{&smoothing=NaN',
    );
    expect(any).toEqual({ ...defaultView(), dashboard: 'scalars', runFilter: 'x' });
  });
});
