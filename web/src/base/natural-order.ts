// Order of names as people count: "run2" before "run10". Digits that stand together are compared as a number, of any
// length; everything else by its upper-case form, so that "Loss" stands beside "loss". Of equal numbers the one with more
// zeros in front is first, so that what is in "lr0.01" and in "lr0.1" does not mix. Names that only differ in case still
// have one fixed order. Not Intl.Collator: its order depends on the machine's language, and a link must mean the same
// everywhere.

const ZERO = 48;
const NINE = 57;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Lower-case ASCII letters as upper-case ones; everything else as it is. */
function fold(code: number): number {
  return code >= 97 && code <= 122 ? code - 32 : code;
}

function digitsEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length && isDigit(text.charCodeAt(end))) end++;
  return end;
}

function withoutZeros(text: string, start: number, end: number): number {
  let first = start;
  while (first < end - 1 && text.charCodeAt(first) === ZERO) first++;
  return first;
}

/** Negative when a comes first, positive when b does, 0 only when they are the same string. */
export function compareNatural(a: string, b: string): number {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const codeA = a.charCodeAt(i);
    const codeB = b.charCodeAt(j);
    if (isDigit(codeA) && isDigit(codeB)) {
      const endA = digitsEnd(a, i);
      const endB = digitsEnd(b, j);
      const firstA = withoutZeros(a, i, endA);
      const firstB = withoutZeros(b, j, endB);
      if (endA - firstA !== endB - firstB) return endA - firstA - (endB - firstB);
      for (let k = 0; k < endA - firstA; k++) {
        const difference = a.charCodeAt(firstA + k) - b.charCodeAt(firstB + k);
        if (difference !== 0) return difference;
      }
      if (endA - i !== endB - j) return endB - j - (endA - i);
      i = endA;
      j = endB;
      continue;
    }
    const difference = fold(codeA) - fold(codeB);
    if (difference !== 0) return difference;
    i++;
    j++;
  }
  const difference = a.length - i - (b.length - j);
  if (difference !== 0) return difference;
  return a < b ? -1 : a > b ? 1 : 0;
}
