import { howToLog } from './how-to';
import { expect, test } from 'vitest';
import { dashboardOf, DASHBOARDS } from './registry';

test('names are unique, since URLs name dashboards by them', () => {
  const names = DASHBOARDS.map((entry) => entry.name);
  expect(new Set(names).size).toBe(names.length);
});

test('time series comes first, and scalars is the same page', () => {
  expect(DASHBOARDS[0]?.name).toBe('timeseries');
  expect(dashboardOf('scalars').load).toBe(dashboardOf('timeseries').load);
});

test('an unknown name opens the first dashboard', () => {
  expect(dashboardOf('no-such-thing')).toBe(DASHBOARDS[0]);
});

test('every dashboard says how to log its data', () => {
  for (const { name } of DASHBOARDS) {
    const howTo = howToLog(name);
    expect(howTo.title).not.toBe('');
    expect(howTo.text).not.toBe('');
    expect(howTo.code).toMatch(/^(from|import) /);
  }
});

test('every kind of data that a page can show belongs to a dashboard', () => {
  const kinds = new Set(DASHBOARDS.flatMap((entry) => entry.kinds));
  // The words of src/sightline/model/kinds.py, without log messages and tensors of unknown plugins.
  for (const kind of [
    ...['scalar', 'image', 'audio', 'text', 'histogram', 'hparams', 'pr_curve', 'mesh'],
    ...['custom_scalars', 'table', 'html', 'plotly', 'confusion_matrix', 'graph'],
  ]) {
    expect(kinds).toContain(kind);
  }
});
