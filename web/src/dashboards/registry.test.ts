import { howToLog } from './how-to';
import { expect, test } from 'vitest';
import { KINDS } from '../kinds/all-kinds';
import { dashboardOf, DASHBOARDS } from './registry';

test('names are unique, since URLs name dashboards by them', () => {
  const names = DASHBOARDS.map((entry) => entry.name);
  expect(new Set(names).size).toBe(names.length);
});

test('time series comes first, and has cards of every kind that has some', () => {
  expect(DASHBOARDS[0]?.name).toBe('timeseries');
  expect(DASHBOARDS[0]?.kinds).toEqual(KINDS.map(({ name }) => name));
});

test('each kind says which dashboard shows it, as the list has it', () => {
  for (const { name, dashboard } of KINDS) {
    const { label, kinds, load } = dashboardOf(dashboard.name);
    expect([label, kinds, load]).toEqual([
      dashboard.label,
      expect.arrayContaining([name]),
      expect.any(Function),
    ]);
  }
});

test('an unknown name opens the first dashboard', () => {
  expect(dashboardOf('no-such-thing')).toBe(DASHBOARDS[0]);
});

test('every dashboard says how to log its data', () => {
  for (const entry of DASHBOARDS) {
    const howTo = howToLog(entry);
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
