// Which words of kinds' settings say what is looked at, so that Back restores them. Fetched beside the first view: nobody goes
// back before.
import { SHOWN_KINDS } from '../board/shown-kinds';
import * as steps from '../board/steps/asked-step';
import { KINDS } from '../kinds/all-kinds';
import { lookedAtIn } from '../state/settings/setting';

export async function loadLookedAt(): Promise<(word: string) => boolean> {
  const modules = await Promise.all(KINDS.map(({ loadSettings }) => loadSettings?.() ?? Promise.resolve([])));
  const settings = [SHOWN_KINDS, ...[steps, ...modules.flat()].flatMap(lookedAtIn)];
  const words: ReadonlySet<string> = new Set(settings.map(({ word }) => word));
  return (word) => words.has(word);
}
