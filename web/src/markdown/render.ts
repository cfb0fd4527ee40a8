// Logged Markdown → elements that are safe to put into the page: parsed (parse.ts), cleaned (clean.ts), made anew from what is
// left (rebuild.ts). Formulas and colours of code are put in afterwards, when their packages are there (enhance.ts). A text of
// which nothing would be seen, or not all, is shown as it was typed.
import { cleaned } from './clean';
import { markupOf, NestedTooDeeply } from './parse';
import { rebuild, type Rebuilt } from './rebuild';

export function renderMarkdown(text: string): Rebuilt {
  try {
    const rebuilt = rebuild(cleaned(markupOf(text)));
    if (isSeen(rebuilt.fragment) || text.trim() === '') return rebuilt;
    return asTyped(text, 'Shown as it was typed: as Markdown nothing of it is to be seen');
  } catch (error) {
    if (!(error instanceof NestedTooDeeply)) throw error;
    return asTyped(text, 'Shown as it was typed: it is nested too deeply for Markdown');
  }
}

function isSeen(fragment: DocumentFragment): boolean {
  return fragment.textContent.trim() !== '' || fragment.querySelector('img, hr') !== null;
}

function asTyped(text: string, why: string): Rebuilt {
  const fragment = document.createDocumentFragment();
  const note = document.createElement('p');
  note.className = 'note';
  note.textContent = why;
  const words = document.createElement('div');
  words.className = 'typed';
  words.textContent = text;
  fragment.append(note, words);
  return { fragment, formulas: [], codeBlocks: [] };
}
