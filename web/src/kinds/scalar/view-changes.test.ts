import { expect, test } from 'vitest';
import { defaultView } from '../../state/settings/view';
import { cycleXAxis, resetChartSettings } from './view-changes';
import { setXAxis } from '../../state/settings/x-axis';

test('a range of steps does not survive as a range of seconds', () => {
  const view = { ...defaultView(), xRange: [0, 100] as const };
  setXAxis(view, 'wall');
  expect(view.xRange).toBeNull();
});

test('choosing the axis that is there keeps the zoom', () => {
  const view = { ...defaultView(), xRange: [0, 100] as const };
  setXAxis(view, 'step');
  expect(view.xRange).toEqual([0, 100]);
});

test('the axes come round', () => {
  const view = defaultView();
  const next = () => {
    cycleXAxis(view);
    return view.xAxis;
  };
  expect([next(), next(), next(), next()]).toEqual(['relative', 'wall', 'active', 'step']);
  setXAxis(view, 'metric', 'tokens');
  expect([next(), next(), next(), next(), next()]).toEqual(['step', 'relative', 'wall', 'active', 'metric']);
  expect(view.xTag).toBe('tokens');
});

test('resetting settings leaves filters, runs and pins alone', () => {
  const view = { ...defaultView(), tagFilter: 'loss', pins: ['a'], yScale: 'log' as const, tooltipRows: 3 };
  resetChartSettings(view);
  expect(view).toEqual({ ...defaultView(), tagFilter: 'loss', pins: ['a'] });
});
