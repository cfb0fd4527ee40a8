// @vitest-environment happy-dom
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { choiceError, choiceFrom, defaultChoice, figureOptions, inUnit } from './figure-choice';
import { columnsOf, figureArchive, fileName, type FigureJob } from './figure-files';

const screen = { widthPx: 500.4, heightPx: 300 };

describe('what was remembered', () => {
  test.each([undefined, null, 'text', 5, [], { preset: 'unheard of', width: 'wide' }])(
    '%j is no harm',
    (saved) => {
      expect(choiceFrom(saved, screen)).toEqual(defaultChoice(screen));
    },
  );

  test('an own choice comes back, and what is out of bounds does not', () => {
    const own = { ...defaultChoice(), preset: 'own', unit: 'mm', width: 120, height: 80, fontPt: 900 };
    expect(choiceFrom(JSON.parse(JSON.stringify(own)))).toEqual({ ...own, fontPt: defaultChoice().fontPt });
  });

  test('as on screen follows the screen', () => {
    const choice = choiceFrom({ preset: 'screen', format: 'png', width: 5 }, screen);
    expect(choice).toMatchObject({ width: 500, height: 300, unit: 'px', format: 'png' });
  });
});

test('sizes are the same in every unit', () => {
  const inches = { ...defaultChoice(), width: 3.5, height: 2.4 };
  expect(inUnit(inches, 'mm')).toMatchObject({ width: 88.9, height: 61 });
  expect(inUnit(inches, 'px')).toMatchObject({ width: 336, height: 230 });
  const words = { title: 'T', xLabel: '', yLabel: '', rightLabel: '' };
  expect(figureOptions(inches, words)).toMatchObject({ widthPx: 336, title: 'T' });
  expect(figureOptions({ ...inches, hasTitle: false }, words).title).toBe('');
});

test('what cannot be drawn is said in words', () => {
  const choice = defaultChoice();
  expect(choiceError(choice)).toBeNull();
  expect(choiceError({ ...choice, width: NaN })).toMatch(/^Width and height can be from 0.625 to 83.3 in$/);
  expect(choiceError({ ...choice, fontPt: 2 })).toMatch(/font/);
  expect(choiceError({ ...choice, unit: 'px', width: 8000, height: 8000, format: 'png', dpi: 600 })).toMatch(
    /pixels/,
  );
});

test('a figure asks for as many columns as it can show', () => {
  expect(columnsOf({ ...defaultChoice(), format: 'svg' })).toBe(1344);
  expect(columnsOf({ ...defaultChoice(), format: 'png', dpi: 600 })).toBe(2100);
});

test('names of files are safe, and differ also where capitals do not count', () => {
  const taken = new Set<string>();
  expect(fileName('train/loss: "a" ', 'svg', taken)).toBe('train-loss-a.svg');
  expect(fileName('Train/Loss "A"', 'svg', taken)).toBe('Train-Loss-A-2.svg');
  expect(fileName('../..', 'svg', taken)).toBe('chart.svg');
  expect(fileName('x'.repeat(500), 'png')).toHaveLength(104);
});

describe('an archive', () => {
  const job = (title: string, bytes: Uint8Array | null = new Uint8Array([1])): FigureJob => ({
    title,
    bytes: () => Promise.resolve(bytes),
  });

  test('has what there was to draw, and tells how far it is', async () => {
    const told: string[] = [];
    const jobs = [job('a'), job('empty', null), job('b')];
    const { count, blob } = await figureArchive(
      jobs,
      'svg',
      new AbortController().signal,
      ({ done, total, title }) => told.push(`${done}/${total} ${title}`),
    );
    expect(count).toBe(2);
    expect(blob.type).toBe('application/zip');
    const files = unzipSync(new Uint8Array(await new Response(blob).arrayBuffer()));
    expect(files).toEqual({ 'a.svg': new Uint8Array([1]), 'b.svg': new Uint8Array([1]) });
    expect(told).toEqual(['0/3 a', '1/3 empty', '2/3 b']);
  });

  test('can be stopped', async () => {
    const abort = new AbortController();
    const jobs = [job('a'), { title: 'b', bytes: () => Promise.reject(new Error('never asked')) }];
    await expect(
      figureArchive(jobs, 'svg', abort.signal, ({ done }) => done === 1 && abort.abort()),
    ).rejects.toThrow(/abort/i);
  });
});
