// Which words of kinds' settings say what is looked at, so that Back restores them. Known from the start: an entry of the
// history may have words of a kind whose code is not there yet.
import { SHOWN_KINDS } from '../board/shown-kinds';
import * as steps from '../board/steps/asked-step';
import { KINDS } from '../kinds/all-kinds';
import { lookedAtIn } from '../state/settings/setting';

const WORDS: ReadonlySet<string> = new Set(
  [SHOWN_KINDS, ...lookedAtIn(steps), ...KINDS.flatMap(({ lookedAt }) => lookedAt ?? [])].map(
    ({ word }) => word,
  ),
);

export function isLookedAt(word: string): boolean {
  return WORDS.has(word);
}
