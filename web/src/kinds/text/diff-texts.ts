// How one text became another, by words or by lines. Bounded: of texts that are too different to compare in time, only the
// common beginning and end are told apart from the rest.
import { diffLines, diffWordsWithSpace } from 'diff';

export type DiffLevel = 'words' | 'lines';

export interface DiffPart {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

export interface TextDiff {
  readonly parts: readonly DiffPart[];
  /** What is told apart, and counted: lines if it is coarse, whatever was asked for. */
  readonly level: DiffLevel;
  readonly added: number;
  readonly removed: number;
  /** They were too different: parts are larger than they would have to be. */
  readonly isCoarse: boolean;
}

/** Steps from one text to the other, and time; each bounds the work that the other does not. */
const MOST_EDITS = 20_000;
const MOST_MS = 3000;

export function diffTexts(before: string, after: string, level: DiffLevel, mostEdits = MOST_EDITS): TextDiff {
  const options = { maxEditLength: mostEdits, timeout: MOST_MS };
  const exact =
    level === 'words' ? diffWordsWithSpace(before, after, options) : diffLines(before, after, options);
  // Words of large texts may be too many where lines are not.
  const changes = exact ?? (level === 'words' ? diffLines(before, after, options) : undefined);
  const parts =
    changes?.map(({ added, removed, value }): DiffPart => {
      return { kind: added ? 'added' : removed ? 'removed' : 'same', text: value };
    }) ?? endsOf(before, after);
  const isCoarse = exact === undefined;
  const used = isCoarse ? 'lines' : level;
  const count = (kind: DiffPart['kind']): number =>
    parts.reduce((total, part) => total + (part.kind === kind ? unitsIn(part.text, used) : 0), 0);
  return { parts, level: used, added: count('added'), removed: count('removed'), isCoarse };
}

function unitsIn(text: string, level: DiffLevel): number {
  if (level === 'words') return text.match(/\S+/g)?.length ?? 0;
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** Whole lines in common at both ends; all between them was replaced. */
function endsOf(before: string, after: string): DiffPart[] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  start = start === 0 ? 0 : before.lastIndexOf('\n', start - 1) + 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const line = before.indexOf('\n', before.length - end);
  end = line < 0 ? 0 : before.length - line - 1;
  const parts: DiffPart[] = [
    { kind: 'same', text: before.slice(0, start) },
    { kind: 'removed', text: before.slice(start, before.length - end) },
    { kind: 'added', text: after.slice(start, after.length - end) },
    { kind: 'same', text: before.slice(before.length - end) },
  ];
  return parts.filter(({ text }) => text !== '');
}
