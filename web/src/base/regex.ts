// Filters as people type them. A regular expression is JavaScript's, as in TensorBoard, but upper and lower case are the
// same: who looks for "Loss" wants "loss" too. What cannot be read becomes a sentence, not an exception. Running an
// expression over many names belongs into workers/filter.worker.ts, because some expressions take forever.

export type Compiled =
  { readonly regex: RegExp; readonly error: null } | { readonly regex: null; readonly error: string };

/** An empty source matches everything. */
export function compileRegex(source: string, flags = 'i'): Compiled {
  try {
    return { regex: new RegExp(source, flags), error: null };
  } catch (error) {
    return { regex: null, error: `Not a regular expression: ${reasonOf(error)}` };
  }
}

/** Browsers say "Invalid regular expression: /…/i: Unterminated group"; only the end of that tells something new. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const colon = text.lastIndexOf(': ');
  const reason = colon < 0 ? text : text.slice(colon + 2);
  return reason.charAt(0).toLowerCase() + reason.slice(1);
}

/** Matches names that contain every word of the text, in any order and case. */
export function textMatcher(text: string): (name: string) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return () => true;
  return (name) => {
    const lower = name.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
}

/** Whether the expression is only letters that mean themselves: then a search for the text gives the same, at once. */
export function isPlainText(source: string): boolean {
  return !/[\\^$.*+?()[\]{}|]/.test(source);
}
