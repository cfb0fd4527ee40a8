// Names cut to a number of characters, here and not by CSS: every element that clips its text is a boundary for the
// compositor, and with a few hundred of them (all rows of all visible cards) a frame of scrolling cost 30 ms more.
// What is left out stands before the last part of the path, since that is where runs differ.

export function shortLabel(label: string, mostChars: number): string {
  const most = Math.max(2, mostChars);
  if (label.length <= most) return label;
  const end = label.slice(label.lastIndexOf('/') + 1);
  const startChars = most - 1 - end.length;
  // The beginning only helps when there is enough of it to be recognised.
  if (startChars >= 3) return `${label.slice(0, startChars)}…${end}`;
  return `…${label.slice(label.length - (most - 1))}`;
}

/** Widths differ by letter; a line of wide ones must not run into the next column. */
const SAFETY = 1.08;
const SAMPLE = 'abcdefghijklmnopqrstuvwxyz0123456789-_/';

/** How many characters of this element's font fit into a width. */
export function charsIn(widthPx: number, element: Element): number {
  const context = document.createElement('canvas').getContext('2d');
  const style = getComputedStyle(element);
  const sizePx = Number.parseFloat(style.fontSize) || 11;
  let charPx = 0.56 * sizePx;
  if (context !== null) {
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    charPx = context.measureText(SAMPLE).width / SAMPLE.length || charPx;
  }
  return Math.floor(widthPx / (charPx * SAFETY));
}
