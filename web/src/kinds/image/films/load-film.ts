// From a picture's address to a film that can be played, or to a sentence about why it cannot be.
import { answersOf, problemOf, type LoadedAnswer, type AnswerCache } from '../../../state/feeds/answer-cache';
import type { Page } from '../../../state/page.svelte';
import { itemPath } from '../../../board/tiles/addresses';
import { factsIn, isFilm, originalPath, type PictureItem } from '../picture-item';
import { MOST_PIXELS } from './bitmap-cache';
import { readContainer } from './container';
import type { Film } from './film';
import type { FilmIndex } from './film-index';
import { readFrames, type StillFrames } from './frames-answer';
import { StillFilm } from './still-film';
import { Timeline } from './timeline';
import { formatOf, unplayable, type FilmProblem } from './unplayable';
import { VideoError, VideoFilm } from './video-film';
import { firstFrameOf, WholeFilm } from './whole-film';

/** Frames a second where a file does not tell: what most films have. */
const ASSUMED_RATE = 30;
const CALM_WORDS =
  'Your system asks for less motion: this is its first frame. It plays in the grid while you point at it';

export type Loaded =
  | {
      readonly film: Film;
      /** "GIF", "H.264 in MP4". */
      readonly format: string;
      readonly sizeBytes: number;
      /** False: the file does not tell its frames; they are counted by an assumed rate. */
      readonly areFramesKnown: boolean;
      /** Something is wrong with it, though it plays; '' when nothing is. */
      readonly note: string;
    }
  | { readonly film: null; readonly problem: FilmProblem };

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
    if (type.startsWith('video/')) return await loadVideo(blob, type, signal);
    if (facts !== null && !isFilm(facts)) {
      return failed('This is a still picture, not a film.', 'Open it in the viewer of pictures.');
    }
    const format = type === 'image/webp' ? 'WebP' : type.replace(/^image\//, '').toUpperCase();
    const told = { format, sizeBytes: blob.size, areFramesKnown: true };
    const stills = await framesOfPicture(answers, item, signal);
    signal.throwIfAborted();
    if (typeof stills !== 'string') {
      const note = stills.isCut ? 'The file is damaged: frames at its end are missing.' : '';
      return { ...told, film: new StillFilm(stills, () => MOST_PIXELS / sharing()), note };
    }
    if (facts === null) return failed(stills, '');
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
      return { ...told, film: new WholeFilm(blob, facts), note: stills };
    }
    const still = await firstFrameOf(blob);
    signal.throwIfAborted();
    return { ...told, film: new WholeFilm(still, facts), note: `${stills}. ${CALM_WORDS}` };
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    return { film: null, problem: { ...problem, detail: '' } };
  }
}

/** The frames, or the server's sentence about why it does not take the picture apart, which may still be played as it is. */
async function framesOfPicture(
  answers: AnswerCache,
  item: PictureItem,
  signal: AbortSignal,
): Promise<StillFrames | string> {
  let frames: LoadedAnswer;
  try {
    frames = await answers.load(itemPath('images/frames', item, { sample: item.sample }), signal);
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null || problem.isTemporary) throw error;
    return problem.message;
  }
  return await readFrames(frames);
}

async function loadVideo(blob: Blob, type: string, signal: AbortSignal): Promise<Loaded> {
  const index = readContainer(new Uint8Array(await blob.arrayBuffer()), type);
  signal.throwIfAborted();
  try {
    const known = (durationS: number) => framesOf(index, durationS);
    const film = await VideoFilm.open(new Blob([blob], { type }), known, signal);
    return {
      film,
      format: formatOf(index),
      sizeBytes: blob.size,
      areFramesKnown: index.timeline !== null,
      note: index.problem,
    };
  } catch (error) {
    if (!(error instanceof VideoError)) throw error;
    return { film: null, problem: unplayable(index) };
  }
}

function framesOf(
  { timeline, offsetS }: FilmIndex,
  durationS: number,
): { timeline: Timeline; offsetS: number } {
  if (timeline !== null) return { timeline, offsetS };
  return {
    timeline: Timeline.even(durationS * ASSUMED_RATE, Math.max(durationS, 1 / ASSUMED_RATE)),
    offsetS: 0,
  };
}

function failed(message: string, detail: string): Loaded {
  return { film: null, problem: { message, detail, isTemporary: false } };
}
