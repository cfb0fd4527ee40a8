// Logged Markdown → elements that are safe to put into the page: parsed (parse.ts), cleaned (clean.ts), made anew from what is
// left (rebuild.ts). Formulas and colours of code are put in afterwards, when their packages are there (enhance.ts).
import { cleaned } from './clean';
import { markupOf, type ParseOptions } from './parse';
import { rebuild, type Rebuilt } from './rebuild';

export function renderMarkdown(text: string, options: ParseOptions = {}): Rebuilt {
  return rebuild(cleaned(markupOf(text, options)), options);
}
