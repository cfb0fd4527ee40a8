// Puts formulas and colours of code into rendered Markdown. Their packages are large and few texts need them, so they are
// fetched when the first one does. Long work is cut into turns, so that the page answers meanwhile.
import { Turns } from '../base/turns';
import type { Rebuilt } from './rebuild';

/** Of one piece of text. What comes after stays as it was typed. */
const MOST_FORMULAS = 1000;
const MOST_CODE_CHARS = 100_000;

/** Resolves when all is in place. A failed download leaves the text as it was typed. */
export async function enhance({ formulas, codeBlocks }: Rebuilt, signal?: AbortSignal): Promise<void> {
  const turns = new Turns();
  const rest = async (): Promise<boolean> => {
    await turns.rest();
    return signal?.aborted !== true;
  };
  if (formulas.length > 0) {
    const { fillFormula } = await import('./math');
    for (const formula of formulas.slice(0, MOST_FORMULAS)) {
      if (!(await rest())) return;
      fillFormula(formula);
    }
  }
  if (codeBlocks.length > 0) {
    const { fillCode } = await import('./highlight');
    let left = MOST_CODE_CHARS;
    for (const block of codeBlocks) {
      left -= block.text.length;
      if (left < 0 || !(await rest())) return;
      fillCode(block);
    }
  }
}
