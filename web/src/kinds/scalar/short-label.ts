// Names cut to a width, here and not by CSS: every element that clips its text is a boundary for the compositor, and
// with a few hundred of them (all rows of all visible cards) a frame of scrolling cost 30 ms more. What is left out
// stands before the last part of the path, since that is where runs differ.

export function shortLabel(label: string, mostChars: number): string {
  const most = Math.max(2, mostChars);
  if (label.length <= most) return label;
  const end = label.slice(label.lastIndexOf('/') + 1);
  const startChars = most - 1 - end.length;
  // The beginning only helps when there is enough of it to be recognised.
  if (startChars >= 3) return `${label.slice(0, startChars)}…${end}`;
  return `…${label.slice(label.length - (most - 1))}`;
}

export type WidthOf = (text: string) => number;

/** The longest form of the name that is not wider than this, by the width of its own letters. */
export function fittedLabel(label: string, widthPx: number, widthOf: WidthOf): string {
  const wholePx = widthOf(label);
  if (wholePx <= widthPx) return label;
  let chars = Math.ceil((label.length * widthPx) / wholePx) + 1;
  while (chars > 2 && widthOf(shortLabel(label, chars)) > widthPx) chars -= 1;
  return shortLabel(label, chars);
}

/** Measures in this element's font. */
export function widthIn({ fontSize, fontWeight, fontFamily }: CSSStyleDeclaration): WidthOf {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return (text) => text.length * 0.56 * (Number.parseFloat(fontSize) || 11);
  context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  // The page's figures are all as wide as a zero; the canvas does not know.
  return (text) => context.measureText(text.replace(/\d/g, '0')).width;
}
