// The parts of a view that people make and pass on – charts, sections, rules for limits – as plain data: written short,
// read from whatever a link, a file or another program says. One reader for all of them: what makes no sense is left out
// and counted, nothing ever throws, and nothing grows without bound.
import type { Range } from '../chart/types';
import type { SmoothingKind, XAxis } from '../wire/client';
import type { Baseline, ChartSpec, LineSpec, Section, ViewState, YRule } from './types';

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
const KINDS: readonly SmoothingKind[] = ['none', 'ema', 'time_ema', 'gaussian', 'mean'];
const MODES: readonly Baseline['mode'][] = ['difference', 'ratio', 'percent'];
const AXES: readonly LineSpec['axis'][] = ['left', 'right'];
const DASHES: readonly LineSpec['dash'][] = ['auto', 'solid', 'dashed', 'dotted'];

/** What could be read, and how many things were left out. */
export interface Parts<T> {
  readonly parts: readonly T[];
  readonly leftOut: number;
}

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
  return {
    tag: tag ?? '',
    formula,
    label: textIn(line['label'], MOST_NAME_CHARS) ?? '',
    axis: oneOf(AXES, line['axis']) ?? 'left',
    color: /^#[\da-f]{6}$/i.test(color) ? color.toLowerCase() : '',
    dash: oneOf(DASHES, line['dash']) ?? 'auto',
    widthPx: oneOf([1, 2, 3] as const, line['width']) ?? 1,
    smoothing: readSmoothing(textIn(line['smoothing'], 64) ?? '') ?? null,
  };
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

/** "0.8", "gaussian:12", "none". Amounts that the kind does not allow are moved to the nearest that it does. */
export function readSmoothing(text: string): ViewState['smoothing'] | undefined {
  const [first = '', second] = text.split(':');
  const kind = second === undefined && first !== 'none' ? 'ema' : oneOf(KINDS, first);
  if (kind === undefined) return undefined;
  const amountText = second ?? (first === 'none' ? '0' : first);
  const amount = numberIn(amountText, -Infinity, Infinity);
  if (amount === undefined) return undefined;
  const most = kind === 'ema' || kind === 'time_ema' ? 0.9999 : 100_000;
  return { kind, amount: Math.min(Math.max(amount, 0), most) };
}

/** "wall", "metric:tokens". A metric has to have a name. */
export function readX(text: string): { axis: XAxis; tag: string } | undefined {
  if (text.startsWith('metric:') && text.length > 7) return { axis: 'metric', tag: text.slice(7) };
  const axis = oneOf(X_AXES, text);
  return axis === undefined || axis === 'metric' ? undefined : { axis, tag: '' };
}

/** "ratio:name"; a name alone is the difference to it. */
export function readBaseline(text: string): Baseline | undefined {
  const colon = text.indexOf(':');
  const mode = oneOf(MODES, text.slice(0, Math.max(colon, 0)));
  const run = mode === undefined ? text : text.slice(colon + 1);
  return run === '' ? undefined : { run, mode: mode ?? 'difference' };
}

export function readRange(text: string): Range | undefined {
  const [from, to, more] = text.split('..');
  const low = numberIn(from ?? '', -Infinity, Infinity);
  const high = numberIn(to ?? '', -Infinity, Infinity);
  if (more !== undefined || low === undefined || high === undefined || !(low < high)) return undefined;
  return [low, high];
}

export function numberIn(text: string, least: number, most: number, isWhole = false): number | undefined {
  if (text.trim() === '') return undefined;
  const number = Number(text);
  if (!Number.isFinite(number) || number < least || number > most) return undefined;
  return isWhole && !Number.isInteger(number) ? undefined : number;
}

export function oneOf<T>(words: readonly T[], word: unknown): T | undefined {
  return words.find((one) => one === word);
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
