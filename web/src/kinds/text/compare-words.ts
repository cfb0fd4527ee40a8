// What the comparison of texts shows, as settings: a link brings the same two, compared in the same way.
import { choiceSetting, lookedAt } from '../../state/settings/setting';
import { slotsSetting } from '../../board/tiles/slots';
import type { DiffLevel } from './diff-texts';

/** Before and after. */
export const TEXT_SLOTS = slotsSetting('texts', 2);
export const LEVEL = lookedAt(choiceSetting<DiffLevel>('texts.by', 'words', ['words', 'lines']));
