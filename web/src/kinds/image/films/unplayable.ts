// Why a film cannot be played, in a sentence: another player may do it, or nothing will.
import { readContainer } from './container';
import type { FilmIndex } from './film-index';

/** What is shown instead of a film. */
export interface FilmProblem {
  readonly message: string;
  readonly detail: string;
  /** It may work later. */
  readonly isTemporary: boolean;
}

export async function whyUnplayable(blob: Blob, mimeType: string): Promise<FilmProblem> {
  return unplayable(readContainer(new Uint8Array(await blob.arrayBuffer()), mimeType));
}

/** A file that says nothing wrong of itself and has a codec is one for another player; all others are damaged. */
export function unplayable(index: FilmIndex): FilmProblem {
  const { codec, container, problem } = index;
  const isTemporary = false;
  if (problem !== '' || codec === '') {
    const why = problem === '' ? 'It is damaged.' : problem;
    return {
      message: `This ${container} film cannot be played. ${why}`,
      detail: 'Another player may show a part of it.',
      isTemporary,
    };
  }
  return {
    message: `This browser cannot play ${formatOf(index)}.`,
    detail:
      'Download it for another player, or log films as H.264 in MP4 or VP9 in WebM, which nearly all browsers play.',
    isTemporary,
  };
}

/** "H.264 in MP4". */
export function formatOf({ codec, container }: FilmIndex): string {
  return codec === '' ? container : `${codec} in ${container}`;
}
