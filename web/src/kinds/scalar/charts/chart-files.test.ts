import { lineOfTag } from '../../../board/cards/card-spec';
import { expect, test } from 'vitest';
import { chartFileOf, fileText, viewFileOf } from '../../../state/settings/view-file';
import { defaultView } from '../../../state/settings/view';
import { emptyChart } from '../../../board/cards/own-charts';
import { chartFrom } from './chart-files';

const chart = {
  ...emptyChart('k3x9aa'),
  title: 'Gap',
  lines: [{ ...lineOfTag(''), formula: 'val/loss - train/loss', axis: 'right' as const }],
};
const fileOf = (text: string) => new File([text], 'x.json');

test('a chart comes back as it was', async () => {
  expect(await chartFrom(fileOf(fileText(chartFileOf(chart))))).toEqual({ chart, problems: [] });
});

test('what is no chart is refused in words', async () => {
  const whyNot = async (text: string) => {
    const { chart: read, problems } = await chartFrom(fileOf(text));
    expect(read).toBeNull();
    return problems.join();
  };
  expect(await whyNot('{"format": "sightline-ch')).toContain('damaged');
  expect(await whyNot(JSON.stringify({ ...chartFileOf(chart), version: 99 }))).toContain('newer version');
  expect(await whyNot(JSON.stringify({ ...chartFileOf(chart), lines: [1, {}] }))).toContain('no line');
  expect(await whyNot(JSON.stringify(viewFileOf(defaultView(), 'paper')))).toContain('whole view');
  expect(await whyNot(' '.repeat(5_000_001))).toContain('too large');
});

test('what cannot be read of a chart is left out and counted', async () => {
  const raw = { ...chartFileOf(chart), lines: ['loss', 7] };
  const { chart: read, problems } = await chartFrom(fileOf(JSON.stringify(raw)));
  expect(read?.lines).toEqual([lineOfTag('loss')]);
  expect(problems).toEqual(['1 unreadable line was left out']);
});

test('a file that was written by hand needs no id', async () => {
  const raw = { format: 'sightline-chart', version: 1, lines: ['loss'] };
  for (const id of [undefined, '', 7]) {
    const { chart: read, problems } = await chartFrom(fileOf(JSON.stringify({ ...raw, id })));
    expect(read?.id).toMatch(/^[a-z0-9]{6}$/);
    expect(read?.lines).toEqual([lineOfTag('loss')]);
    expect(problems).toEqual([]);
  }
});
