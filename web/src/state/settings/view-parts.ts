// The parts of a view that people make and pass on – charts, sections, rules for limits – as plain data: written short,
// read from whatever a link, a file or another program says. One reader for all of them: what makes no sense is left out
// and counted, nothing ever throws, and nothing grows without bound.
import type { Range } from '../../chart/types';
import type { XAxis } from '../../wire/client';
import type { Baseline, ChartSpec, LineSpec, Section, YRule } from '../types';
import { numberIn, oneOf, type Parts } from './setting';
import { readSmoothing, writeSmoothing } from './smoothing';

const MOST_CHARTS = 300;
const MOST_LINES = 50;
const MOST_SECTIONS = 300;
const MOST_CARDS = 10_000;
const MOST_RULES = 300;
/** Names of sections and titles. */
const MOST_NAME_CHARS = 500;
/** As the server has it (dashboards/scalars/schemas.py). */
const MOST_TAG_CHARS = 65_536;
const MOST_FORMULA_CHARS = 4096;

export const X_AXES: readonly XAxis[] = ['step', 'relative', 'wall', 'active', 'metric'];
const MODES: readonly Baseline['mode'][] = ['difference', 'ratio', 'percent'];
const AXES: readonly LineSpec['axis'][] = ['left', 'right'];
const DASHES: readonly LineSpec['dash'][] = ['auto', 'solid', 'dashed', 'dotted'];

/** Of anything at all: a list of charts, if it is one. */
export function readCharts(raw: unknown): Parts<ChartSpec> {
  const ids = new Set<string>();
  let lostLines = 0;
  const { parts, leftOut } = readList<ChartSpec>(raw, MOST_CHARTS, (one) => {
    if (!isRecord(one)) return null;
    const id = textIn(one['id'], 64);
    const { parts: lines, leftOut: lost } = readList(one['lines'], MOST_LINES, readLine);
    if (!id || ids.has(id) || lines.length === 0) return null;
    ids.add(id);
    lostLines += lost;
    return {
      id,
      title: textIn(one['title'], MOST_NAME_CHARS) ?? '',
      lines,
      baseline: readBaseline(textIn(one['baseline'], MOST_TAG_CHARS) ?? '') ?? null,
      x: readX(textIn(one['x'], MOST_TAG_CHARS) ?? '') ?? null,
    };
  });
  return { parts, leftOut: leftOut + lostLines };
}

function readLine(raw: unknown): LineSpec | null {
  const line = typeof raw === 'string' ? { tag: raw } : raw;
  if (!isRecord(line)) return null;
  const formula = textIn(line['formula'], MOST_FORMULA_CHARS) ?? '';
  const tag = formula === '' ? textIn(line['tag'], MOST_TAG_CHARS) : '';
  if (formula === '' && !tag) return null;
  const color = textIn(line['color'], 7) ?? '';
  const lower = textIn(line['lower'], MOST_TAG_CHARS);
  const upper = textIn(line['upper'], MOST_TAG_CHARS);
  return {
    tag: tag ?? '',
    formula,
    label: textIn(line['label'], MOST_NAME_CHARS) ?? '',
    axis: oneOf(AXES, line['axis']) ?? 'left',
    color: /^#[\da-f]{6}$/i.test(color) ? color.toLowerCase() : '',
    dash: oneOf(DASHES, line['dash']) ?? 'auto',
    widthPx: oneOf([1, 2, 3] as const, line['width']) ?? 1,
    smoothing: readSmoothing(textIn(line['smoothing'], 64) ?? '') ?? null,
    ...((lower || upper) && { bounds: { lower: lower ?? '', upper: upper ?? '' } }),
  };
}

/** A chart as it is written: what is as usual is not mentioned, a line that is only a tag is its name. */
export interface WrittenChart {
  readonly id: string;
  readonly title?: string;
  readonly lines: readonly (string | WrittenLine)[];
  /** "ratio:name of the run". */
  readonly baseline?: string;
  /** "wall", "metric:tokens". */
  readonly x?: string;
}

export interface WrittenLine {
  readonly tag?: string;
  readonly formula?: string;
  readonly label?: string;
  readonly axis?: LineSpec['axis'];
  readonly color?: string;
  readonly dash?: LineSpec['dash'];
  readonly width?: number;
  /** "0.8", "gaussian:12". */
  readonly smoothing?: string;
  /** Tags of a band around it. */
  readonly lower?: string;
  readonly upper?: string;
}

export function writeChart({ id, title, lines, baseline, x }: ChartSpec): WrittenChart {
  return {
    id,
    ...(title && { title }),
    lines: lines.map(writeLine),
    ...(baseline && { baseline: writeBaseline(baseline) }),
    ...(x && { x: writeX(x.axis, x.tag) }),
  };
}

function writeLine(line: LineSpec): string | WrittenLine {
  const { tag, formula, label, axis, color, dash, widthPx, smoothing, bounds } = line;
  const more: WrittenLine = {
    ...(label && { label }),
    ...(axis === 'right' && { axis }),
    ...(color && { color }),
    ...(dash !== 'auto' && { dash }),
    ...(widthPx !== 1 && { width: widthPx }),
    ...(smoothing && { smoothing: writeSmoothing(smoothing) }),
    ...(bounds?.lower && { lower: bounds.lower }),
    ...(bounds?.upper && { upper: bounds.upper }),
  };
  if (formula !== '') return { formula, ...more };
  return Object.keys(more).length === 0 ? tag : { tag, ...more };
}

/** A card has one place: where it is named again, it is left out. Sections of the same name become one. */
export function readSections(raw: unknown): Parts<Section> {
  const byName = new Map<string, string[]>();
  const placed = new Set<string>();
  const { leftOut } = readList(raw, MOST_SECTIONS, (one) => {
    const name = isRecord(one) ? textIn(one['name'], MOST_NAME_CHARS) : null;
    if (!name) return null;
    const { parts } = readList((one as Record<string, unknown>)['cards'] ?? [], MOST_CARDS, (id) => {
      const text = textIn(id, MOST_TAG_CHARS);
      if (!text || placed.has(text) || placed.size >= MOST_CARDS) return null;
      placed.add(text);
      return text;
    });
    const cards = byName.get(name);
    if (cards === undefined) byName.set(name, [...parts]);
    else cards.push(...parts);
    return name;
  });
  return { parts: [...byName].map(([name, cards]) => ({ name, cards })), leftOut };
}

export function readYRules(raw: unknown): Parts<YRule> {
  return readList(raw, MOST_RULES, (one) => {
    if (!isRecord(one)) return null;
    const pattern = textIn(one['pattern'], MOST_NAME_CHARS);
    const limits = textIn(one['limits'], 64) ?? '';
    const range = limits === 'shared' ? null : readRange(limits);
    return pattern && range !== undefined ? { pattern, range } : null;
  });
}

/** `limits`: "0..1", or "shared". */
export function writeYRule({ pattern, range }: YRule): { pattern: string; limits: string } {
  return { pattern, limits: range === null ? 'shared' : writeRange(range) };
}

/** "wall", "metric:tokens". A metric has to have a name. */
export function readX(text: string): { axis: XAxis; tag: string } | undefined {
  if (text.startsWith('metric:') && text.length > 7) return { axis: 'metric', tag: text.slice(7) };
  const axis = oneOf(X_AXES, text);
  return axis === undefined || axis === 'metric' ? undefined : { axis, tag: '' };
}

export function writeX(axis: XAxis, tag: string): string {
  return axis === 'metric' ? `metric:${tag}` : axis;
}

/** "ratio:name"; a name alone is the difference to it. */
export function readBaseline(text: string): Baseline | undefined {
  const colon = text.indexOf(':');
  const mode = oneOf(MODES, text.slice(0, Math.max(colon, 0)));
  const run = mode === undefined ? text : text.slice(colon + 1);
  return run === '' ? undefined : { run, mode: mode ?? 'difference' };
}

export function writeBaseline({ mode, run }: Baseline): string {
  return `${mode}:${run}`;
}

export function readRange(text: string): Range | undefined {
  const [from, to, more] = text.split('..');
  const low = numberIn(from ?? '', -Infinity, Infinity);
  const high = numberIn(to ?? '', -Infinity, Infinity);
  if (more !== undefined || low === undefined || high === undefined || !(low < high)) return undefined;
  return [low, high];
}

export function writeRange(range: Range): string {
  return range.join('..');
}

export function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textIn(value: unknown, mostChars: number): string | null {
  return typeof value === 'string' && value.length <= mostChars ? value : null;
}

function readList<T>(raw: unknown, most: number, read: (one: unknown) => T | null): Parts<T> {
  if (!Array.isArray(raw)) return { parts: [], leftOut: raw === undefined ? 0 : 1 };
  const parts: T[] = [];
  for (const one of raw.slice(0, most) as unknown[]) {
    const part = read(one);
    if (part !== null) parts.push(part);
  }
  return { parts, leftOut: raw.length - parts.length };
}
