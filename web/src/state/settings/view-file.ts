// Views and charts as files: what the server keeps beside the logs, and what people download, check in and pass on.
//
//   {
//     "format": "sightline-view",
//     "version": 1,
//     "name": "paper",
//     "view": {
//       "dashboard": "scalars",
//       "words": { "runFilter": "^baseline", "smoothing": "0.8", "pins": "train/loss,val/loss" },
//       "sections": [{ "name": "Losses", "cards": ["train/loss", "chart:k3x9"] }],
//       "charts": [{ "id": "k3x9", "title": "Gap", "lines": [{ "formula": "val/loss - train/loss" }] }],
//       "yRules": [{ "pattern": "*accuracy", "limits": "0..1" }]
//     }
//   }
//
// The server writes the same around `view`, so a file that was downloaded may also be put into its folder by hand.
// Only what differs from the default is there, one thing per line, so that changes can be read in a diff. `words` are those of a
// link (link.ts), without its escapes but for % and the comma in a list (%25, %2C); a word that may come several
// times has a list. Files come from anywhere: what cannot be read is left out and told, nothing ever throws.
import type { ChartSpec } from '../types';
import { parseWords, wordsOf } from './link';
import type { Pair } from './link-text';
import { DEFAULT_DASHBOARD, settingOfField, VIEW_FIELDS, type ViewField, type ViewState } from './view';
import { isRecord, readCharts, writeChart, type WrittenChart } from './view-parts';

export const VIEW_FORMAT = 'sightline-view';
export const CHART_FORMAT = 'sightline-chart';
export const FILE_VERSION = 1;
/** Of a file that people choose; ours have a few thousand. */
export const MOST_FILE_BYTES = 5_000_000;

const SETTINGS = VIEW_FIELDS.map((field) => ({ field, ...settingOfField(field) }));
/** In places of their own, or no part of an arrangement. */
const NOT_IN_WORDS: ReadonlySet<string> = new Set(
  SETTINGS.flatMap(({ inFile, isLeftOutOfFiles, words }) => (inFile || isLeftOutOfFiles ? words : [])),
);

/** What the server is given to keep. */
export type ViewContent = {
  readonly dashboard?: string;
  readonly words?: Readonly<Record<string, string | readonly string[]>>;
  /** Settings that have a place of their own. */
  readonly [key: string]: unknown;
};

export interface ViewFile {
  readonly format: typeof VIEW_FORMAT;
  readonly version: number;
  readonly name: string;
  readonly view: ViewContent;
}

export interface ReadView {
  /** null: nothing can be made of it. */
  readonly view: ViewState | null;
  /** What was left out, or why, one sentence each. */
  readonly problems: readonly string[];
}

export interface ChartFile extends WrittenChart {
  readonly format: typeof CHART_FORMAT;
  readonly version: number;
}

export function viewFileOf(view: ViewState, name: string): ViewFile {
  return { format: VIEW_FORMAT, version: FILE_VERSION, name, view: viewContentOf(view) };
}

export function viewContentOf(view: ViewState): ViewContent {
  const words: Record<string, string | string[]> = {};
  for (const { word, text } of wordsOf(view)) {
    if (NOT_IN_WORDS.has(word)) continue;
    const plain = readable(text);
    const before = words[word];
    words[word] = before === undefined ? plain : [...(Array.isArray(before) ? before : [before]), plain];
  }
  const parts = SETTINGS.flatMap(({ field, inFile }): [string, unknown][] => {
    const list = inFile ? (view[field] as readonly unknown[]) : [];
    return inFile && list.length > 0 ? [[inFile.key, list.map((part) => inFile.write(part))]] : [];
  });
  return {
    ...(view.dashboard !== DEFAULT_DASHBOARD && { dashboard: view.dashboard }),
    ...(Object.keys(words).length > 0 && { words }),
    ...Object.fromEntries(parts),
  };
}

/** `raw` as JSON gives it, from a file that somebody has chosen. */
export function readViewFile(raw: unknown): ReadView & { name: string } {
  const refusal = refusalOf(raw, VIEW_FORMAT, 'view');
  if (refusal !== null || !isRecord(raw)) return { view: null, problems: [refusal ?? ''], name: '' };
  return { ...readViewContent(raw['view']), name: typeof raw['name'] === 'string' ? raw['name'] : '' };
}

/** `raw` as the server gives it back. */
export function readViewContent(raw: unknown): ReadView {
  if (!isRecord(raw)) return { view: null, problems: ['This view is damaged: there is nothing in it'] };
  const problems: string[] = [];
  const pairs = pairsOf(raw['words'], problems);
  const { view, said } = parseWords(pairs);
  const wrong = new Set(pairs.map(({ word }) => word).filter((word) => !said.has(word)));
  if (wrong.size > 0) problems.push(`Could not be read and left out: ${[...wrong].slice(0, 5).join(', ')}`);
  if (typeof raw['dashboard'] === 'string' && raw['dashboard'] !== '') view.dashboard = raw['dashboard'];
  const lists: Partial<Record<ViewField, unknown>> = {};
  for (const { field, inFile } of SETTINGS) {
    if (!inFile) continue;
    const { parts, leftOut } = inFile.read(raw[inFile.key]);
    if (leftOut > 0) problems.push(`Could not be read and left out: ${leftOut} of ${inFile.name}`);
    lists[field] = parts;
  }
  return { view: { ...view, ...(lists as Partial<ViewState>) }, problems };
}

export function chartFileOf(chart: ChartSpec): ChartFile {
  return { format: CHART_FORMAT, version: FILE_VERSION, ...writeChart(chart) };
}

export function readChartFile(raw: unknown): { chart: ChartSpec | null; problems: readonly string[] } {
  const refusal = refusalOf(raw, CHART_FORMAT, 'chart');
  if (refusal !== null) return { chart: null, problems: [refusal] };
  const { parts, leftOut } = readCharts([raw]);
  const chart = parts[0] ?? null;
  if (chart === null) return { chart, problems: ['The file has no line that could be drawn'] };
  if (leftOut === 0) return { chart, problems: [] };
  return { chart, problems: [`${leftOut} unreadable ${leftOut === 1 ? 'line was' : 'lines were'} left out`] };
}

/** With line breaks, for files and diffs. */
export function fileText(file: ViewFile | ChartFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** The JSON of a file that somebody chose; undefined: it is none. */
export function parseFile(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What a file says it is; null: nothing that we know. */
export function formatOf(raw: unknown): 'view' | 'chart' | null {
  const format = isRecord(raw) ? raw['format'] : undefined;
  return format === VIEW_FORMAT ? 'view' : format === CHART_FORMAT ? 'chart' : null;
}

function refusalOf(raw: unknown, format: string, what: string): string | null {
  if (!isRecord(raw)) return `This is no ${what} of Sightline: the file is damaged, or something else`;
  if (raw['format'] !== format) return `This is no ${what} of Sightline`;
  const { version } = raw;
  if (typeof version !== 'number' || version < 1) return `This ${what} is damaged: it has no version`;
  if (version > FILE_VERSION) {
    return `This ${what} was saved by a newer version of Sightline (its format is ${version}, this one reads ${FILE_VERSION})`;
  }
  return null;
}

/** As in a link, but readable: only what divides lists stays escaped. */
function readable(text: string): string {
  return text.replace(/(?:%(?!2C|25)[\dA-F]{2})+/g, decodeURIComponent);
}

function pairsOf(words: unknown, problems: string[]): Pair[] {
  if (words === undefined) return [];
  if (!isRecord(words)) {
    problems.push('The settings were left out: they are damaged');
    return [];
  }
  return Object.entries(words).flatMap(([word, texts]) => {
    if (NOT_IN_WORDS.has(word)) return [];
    return (Array.isArray(texts) ? (texts as unknown[]) : [texts]).map((text) => ({
      word,
      text: typeof text === 'string' || typeof text === 'number' ? String(text) : '',
    }));
  });
}
