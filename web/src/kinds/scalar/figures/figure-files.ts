// Figures as files: one, or all charts of a view as an archive. Making many gives way to the page between any two of them, tells
// how far it is and can be stopped.
import { Zip, ZipDeflate } from 'fflate';
import { messageOf } from '../../../base/format';
import { PX_PER_INCH, pngOf, svgOf, svgRatio, type FigureContent } from '../../../chart/figure/figure';
import type { XKind } from '../../../chart/types';
import { safeStem } from '../../../widgets/save-file';
import {
  figureOptions,
  sizePx,
  type FigureChoice,
  type FigureFormat,
  type FigureWords,
} from './figure-choice';

export const MIME_TYPES: Readonly<Record<FigureFormat, string>> = { svg: 'image/svg+xml', png: 'image/png' };

/** How many points next to each other the figure can show: as many as it has pixels, or steps of its lines. */
export function columnsOf(choice: FigureChoice): number {
  const { widthPx } = sizePx(choice);
  return Math.ceil(widthPx * (choice.format === 'svg' ? svgRatio(widthPx) : choice.dpi / PX_PER_INCH));
}

export async function figureBytes(
  content: FigureContent,
  choice: FigureChoice,
  words: FigureWords,
): Promise<Uint8Array> {
  const figure = figureOptions(choice, words);
  if (choice.format === 'png') return pngOf(content, figure, choice.dpi);
  const { unit, width, height } = choice;
  const size = { width: `${width}${unit}`, height: `${height}${unit}` };
  // The title names the file even where it is not drawn.
  return new TextEncoder().encode(svgOf(content, figure, { size, name: words.title }));
}

const X_NAMES: Readonly<Record<XKind, string>> = {
  step: 'Step',
  relative: 'Time',
  wall: 'Wall time',
  active: 'Active time',
  metric: '',
};

export function xName(kind: XKind, metric: string): string {
  return kind === 'metric' ? metric : X_NAMES[kind];
}

/** A name that every file system takes; `taken` gets it, and a number is added when it is there already. */
export function fileName(title: string, extension: string, taken = new Set<string>()): string {
  const stem = safeStem(title, 'chart');
  let name = `${stem}.${extension}`;
  // Names that differ in capitals only are one name to half of the world's computers.
  for (let n = 2; taken.has(name.toLowerCase()); n++) name = `${stem}-${n}.${extension}`;
  taken.add(name.toLowerCase());
  return name;
}

/** Where the figures of an archive come from, one after the other. */
export interface FigureJob {
  readonly title: string;
  /** null: there is nothing to draw. */
  bytes(signal: AbortSignal): Promise<Uint8Array | null>;
}

export interface ArchiveProgress {
  readonly done: number;
  readonly total: number;
  readonly title: string;
}

export interface FigureArchive {
  readonly blob: Blob;
  readonly count: number;
  /** What went wrong with those that are missing because of it, for people. */
  readonly problems: readonly string[];
}

/** One chart that cannot be drawn costs nobody the others. */
export async function figureArchive(
  jobs: readonly FigureJob[],
  format: FigureFormat,
  signal: AbortSignal,
  onProgress: (progress: ArchiveProgress) => void,
): Promise<FigureArchive> {
  const pieces: BlobPart[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
  });
  const taken = new Set<string>();
  const problems: string[] = [];
  let count = 0;
  for (const [done, job] of jobs.entries()) {
    onProgress({ done, total: jobs.length, title: job.title });
    await nextFrame();
    signal.throwIfAborted();
    try {
      const bytes = await job.bytes(signal);
      if (!bytes) continue;
      const file = new ZipDeflate(fileName(job.title, format, taken));
      zip.add(file);
      file.push(bytes, true);
      count += 1;
    } catch (error) {
      signal.throwIfAborted();
      problems.push(messageOf(error));
    }
  }
  signal.throwIfAborted();
  zip.end();
  return { blob: new Blob(pieces, { type: 'application/zip' }), count, problems };
}

/** A page in the background has no frames, but goes on. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(resolve, 0);
    });
  });
}
