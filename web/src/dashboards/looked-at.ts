// Which words of kinds' settings say what is looked at, so that Back restores them. Known from the start: an entry of the
// history may have words of a kind whose code is not there yet.
import * as steps from '../board/steps/asked-step';
import * as sounds from '../kinds/audio/audio-settings';
import * as films from '../kinds/image/films/film-words';
import * as viewer from '../kinds/image/viewer/viewer-words';
import * as compare from '../kinds/text/compare-words';
import * as texts from '../kinds/text/text-settings';
import type { Setting } from '../state/settings/setting';
import * as timeSeries from './timeseries/time-series';

type LookedAt = Pick<Setting<unknown>, 'word' | 'isLookedAt'>;

const WORDS: ReadonlySet<string> = new Set(
  [steps, sounds, films, viewer, compare, texts, timeSeries]
    .flatMap((module): unknown[] => Object.values(module))
    .filter((one): one is LookedAt => (one as Partial<LookedAt>).isLookedAt === true)
    .map(({ word }) => word),
);

export function isLookedAt(word: string): boolean {
  return WORDS.has(word);
}
