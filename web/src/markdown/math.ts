// A formula as MathML, by KaTeX. What KaTeX writes is made anew like everything else (see rebuild.ts), with a list of its own.
import katex from 'katex';
import type { Formula } from './rebuild';

const MATHML = 'http://www.w3.org/1998/Math/MathML';

export const MATH_TAGS: ReadonlySet<string> = new Set(
  (
    'math mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom msub msup msubsup munder mover munderover ' +
    'mmultiscripts mprescripts menclose mtable mtr mtd mlabeledtr'
  ).split(' '),
);
export const MATH_ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'accent accentunder columnalign columnlines columnspacing depth display displaystyle fence height largeop linethickness ' +
    'lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowalign rowlines rowspacing ' +
    'rspace scriptlevel separator stretchy symmetric voffset width'
  ).split(' '),
);
const MOST_DEPTH = 200;

/** Shows the formula in its element; one that makes no sense stays as it was typed, and its title says why. */
export function fillFormula({ element, tex, isDisplay }: Formula): void {
  try {
    const markup = katex.renderToString(tex, {
      displayMode: isDisplay,
      output: 'mathml',
      trust: false,
      throwOnError: true,
      strict: 'ignore',
      maxExpand: 500,
      maxSize: 20,
    });
    // The policy of the page refuses style attributes, and complains of them even where nobody sees them.
    const parsed = new DOMParser().parseFromString(markup.replace(/ style="[^"]*"/g, ''), 'text/html');
    const math = parsed.querySelector('math');
    if (math === null) return;
    const made = mathElement(math, 0);
    if (made === null) return;
    if (isDisplay) element.className = 'math display';
    element.replaceChildren(made);
    element.title = tex;
  } catch (error) {
    element.title = error instanceof Error ? error.message.replace('KaTeX parse error: ', '') : 'No formula';
  }
}

function mathElement(from: Element, depth: number): Element | null {
  const tag = from.localName;
  if (depth > MOST_DEPTH || tag === 'annotation') return null;
  // semantics holds the formula and, beside it, what was typed.
  const made = MATH_TAGS.has(tag)
    ? document.createElementNS(MATHML, tag)
    : document.createElementNS(MATHML, 'mrow');
  for (const { name, value } of from.attributes)
    if (MATH_ATTRIBUTES.has(name)) made.setAttribute(name, value);
  for (const child of from.childNodes) {
    if (child.nodeType === 3) made.append(child.nodeValue ?? '');
    else if (child.nodeType === 1) {
      const inner = mathElement(child as Element, depth + 1);
      if (inner !== null) made.append(inner);
    }
  }
  return made;
}
