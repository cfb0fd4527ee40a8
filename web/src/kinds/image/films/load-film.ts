// From a picture's address to a film that can be played, or to a sentence about why it cannot be.
import { answersOf, problemOf, type AnswerCache } from '../../../state/feeds/answer-cache';
import type { Page } from '../../../state/page.svelte';
import { itemPath } from '../../../board/tiles/addresses';
import { factsIn, isFilm, originalPath, type PictureItem } from '../picture-item';
import { MOST_PIXELS } from './bitmap-cache';
import { readContainer } from './container';
import { UNPLAYABLE, type Film, type FilmProblem } from './film';
import { readFrames, StillFilm, type StillFrames } from './still-film';
import { Timeline } from './timeline';
import { VideoError, VideoFilm } from './video-film';

/** Frames a second where a file does not tell: what most films have. */
const ASSUMED_RATE = 30;

export interface LoadedFilm {
  readonly film: Film;
  /** "GIF", "MP4". */
  readonly format: string;
  readonly sizeBytes: number;
  /** False: the file does not tell its frames; they are counted by an assumed rate. */
  readonly areFramesKnown: boolean;
  /** Something is wrong with it, though it plays; '' when nothing is. */
  readonly note: string;
}

export type Loaded = LoadedFilm | { readonly film: null; readonly problem: FilmProblem };

/** Rejects only with an AbortError. `sharing`: how many films share the memory for decoded frames, at the moment. */
export async function loadFilm(
  page: Page,
  item: PictureItem,
  sharing: () => number,
  signal: AbortSignal,
): Promise<Loaded> {
  try {
    const answers = answersOf(page.client);
    const { blob, headers } = await answers.load(originalPath(item), signal);
    const facts = factsIn(headers);
    const type = facts?.mime_type ?? blob.type;
    const subtype = type.slice(type.indexOf('/') + 1);
    const format = { webm: 'WebM', webp: 'WebP' }[subtype] ?? subtype.toUpperCase();
    const told = { format, sizeBytes: blob.size };
    if (type.startsWith('video/')) return { ...told, ...(await loadVideo(blob, type, signal)), note: '' };
    if (facts !== null && !isFilm(facts)) {
      return failed('This is a still picture, not a film.', 'Open it in the viewer of pictures.');
    }
    const stills = await framesOfPicture(answers, item, signal);
    signal.throwIfAborted();
    if (typeof stills === 'string') return failed(stills, 'It plays in the grid while you point at it.');
    const film = new StillFilm(stills, () => MOST_PIXELS / sharing());
    const note = stills.isCut ? 'The file is damaged: frames at its end are missing.' : '';
    return { ...told, film, areFramesKnown: true, note };
  } catch (error) {
    if (error instanceof VideoError) return { film: null, problem: UNPLAYABLE };
    const problem = problemOf(error);
    if (problem === null) throw error;
    return { film: null, problem: { ...problem, detail: '' } };
  }
}

/** The frames, or the server's sentence about why it does not take the picture apart. */
async function framesOfPicture(
  answers: AnswerCache,
  item: PictureItem,
  signal: AbortSignal,
): Promise<StillFrames | string> {
  try {
    const path = itemPath('images/frames', item, { sample: item.sample });
    return await readFrames((await answers.load(path, signal)).blob);
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null || problem.isTemporary) throw error;
    return problem.message;
  }
}

async function loadVideo(
  blob: Blob,
  type: string,
  signal: AbortSignal,
): Promise<Pick<LoadedFilm, 'film' | 'areFramesKnown'>> {
  const known = readContainer(new Uint8Array(await blob.arrayBuffer()), type);
  signal.throwIfAborted();
  const assumed = (durationS: number) => ({
    timeline: Timeline.even(durationS * ASSUMED_RATE, Math.max(durationS, 1 / ASSUMED_RATE)),
    offsetS: 0,
  });
  const film = await VideoFilm.open(
    new Blob([blob], { type }),
    (durationS) => known ?? assumed(durationS),
    signal,
  );
  return { film, areFramesKnown: known !== null };
}

function failed(message: string, detail: string): Loaded {
  return { film: null, problem: { message, detail, isTemporary: false } };
}
