// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest';
import { defaultView } from '../../state/settings/view';
import { addressIn, itemPath } from '../tiles/addresses';
import { askedStep, askForStep, IS_LINKED, linkSteps, STEP } from './asked-step';
import {
  choiceSetting,
  flagSetting,
  numberSetting,
  resetSettings,
  setSetting,
  settingOf,
  textSetting,
} from '../../state/settings/setting';

describe('settings', () => {
  test('are words, and none where they are as usual', () => {
    const view = defaultView();
    const size = numberSetting('size', 5, 1, 9);
    const isSmooth = flagSetting('smooth', true);
    const mode = choiceSetting('mode', 'plain', ['plain', 'raw']);
    setSetting(view, size, 7);
    setSetting(view, isSmooth, false);
    setSetting(view, mode, 'raw');
    setSetting(view, textSetting('find'), 'a b');
    expect(view.kindWords).toEqual({ size: '7', smooth: '0', mode: 'raw', find: 'a b' });
    expect([settingOf(view, size), settingOf(view, isSmooth), settingOf(view, mode)]).toEqual([
      7,
      false,
      'raw',
    ]);
    setSetting(view, size, 5);
    setSetting(view, isSmooth, true);
    setSetting(view, mode, 'plain');
    setSetting(view, textSetting('find'), '');
    expect(view.kindWords).toEqual({});
  });

  test('that make no sense are as usual', () => {
    const size = numberSetting('size', 5, 1, 9);
    for (const text of ['', ' ', '0', '10', 'x', 'NaN', 'Infinity']) {
      expect(settingOf({ kindWords: { size: text } }, size)).toBe(5);
    }
    expect(settingOf({ kindWords: { smooth: 'yes' } }, flagSetting('smooth', true))).toBe(true);
    expect(settingOf({ kindWords: { mode: 'x' } }, choiceSetting('mode', 'a', ['a', 'b']))).toBe('a');
    for (const step of ['', 'Infinity', 'five']) expect(settingOf({ kindWords: { step } }, STEP)).toBeNull();
  });
});

describe('the asked step', () => {
  test('is the bar’s own while nothing is linked', () => {
    const view = { ...defaultView(), selected: { from: 7, to: null } };
    expect(askedStep(view)).toBeNull();
    askForStep(view, 0);
    expect(askedStep(view)).toBe(0);
    expect(view.selected).toEqual({ from: 7, to: null });
    askForStep(view, null);
    expect(view.kindWords).toEqual({});
  });

  test('is that of the charts’ selector when linked, and moves it', () => {
    const view = {
      ...defaultView(),
      selected: { from: 7, to: 9 } as { from: number; to: number | null } | null,
    };
    setSetting(view, IS_LINKED, true);
    expect(askedStep(view)).toBe(7);
    askForStep(view, 8);
    expect(view.selected).toEqual({ from: 8, to: 9 });
    askForStep(view, null);
    expect(view.selected).toBeNull();
    expect(askedStep(view)).toBeNull();
    askForStep(view, 3);
    expect(view.selected).toEqual({ from: 3, to: null });
  });

  test.each([
    { name: 'the selector is somewhere', selected: 50, step: 20, after: 50, selector: 50 },
    {
      name: 'the selector is somewhere, the bar at the end',
      selected: 50,
      step: null,
      after: 50,
      selector: 50,
    },
    { name: 'there is no selector', selected: null, step: 20, after: 20, selector: 20 },
    {
      name: 'there is none, and the bar is at the end',
      selected: null,
      step: null,
      after: null,
      selector: null,
    },
  ])('becomes the charts’ when they are linked: $name', ({ selected, step, after, selector }) => {
    const view = {
      ...defaultView(),
      selected:
        selected === null ? null : ({ from: selected, to: null } as { from: number; to: number | null }),
    };
    askForStep(view, step);
    linkSteps(view, true);
    expect(askedStep(view)).toBe(after);
    expect(view.selected?.from ?? null).toBe(selector);
  });

  test('stays when they part, and so does the charts’ selector', () => {
    const view = { ...defaultView(), selected: { from: 50, to: null } };
    askForStep(view, 20);
    linkSteps(view, true);
    linkSteps(view, false);
    expect(askedStep(view)).toBe(50);
    askForStep(view, 30);
    expect(view.selected).toEqual({ from: 50, to: null });
  });

  test('has nothing to do with a selector over times', () => {
    const view = { ...defaultView(), xAxis: 'wall' as const, selected: { from: 1.7e9, to: null } };
    setSetting(view, IS_LINKED, true);
    expect(askedStep(view)).toBeNull();
    askForStep(view, 5);
    expect(askedStep(view)).toBe(5);
    expect(view.selected).toEqual({ from: 1.7e9, to: null });
  });
});

test('a reset takes the words of some settings away, and leaves the others', () => {
  const view = { ...defaultView(), kindWords: { size: '7', step: '3', look: 'dark' } };
  resetSettings(view, [numberSetting('size', 5, 1, 9), STEP]);
  expect(view.kindWords).toEqual({ look: 'dark' });
});

test('addresses name a value by run, tag, index and step, large steps with every digit', () => {
  const series = {
    ...{ run: 3, kind: 'image' as const, tag: 'a&b/ü', samples: 1, supersededCount: 0 },
    ...{ steps: Float64Array.of(0, 2 ** 62), wallS: new Float64Array(2) },
  };
  const path = itemPath('images/thumbnail', addressIn(series, 1), { size: 256, download: true });
  const [route, query] = path.split('?');
  expect(route).toBe('images/thumbnail');
  expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
    ...{ run: '3', tag: 'a&b/ü', index: '1', step: '4611686018427387904', size: '256', download: 'true' },
  });
});
