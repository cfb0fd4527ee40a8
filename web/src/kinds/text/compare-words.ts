// What the comparison of texts shows, in words of view.media: a link brings the same two, compared in the same way.
import { choiceSetting } from '../../board/media-view';
import { slotsSetting } from '../../board/tiles/slots';
import type { DiffLevel } from './diff-texts';

/** Before and after. */
export const TEXT_SLOTS = slotsSetting('texts', 2);
export const LAYOUT = choiceSetting('texts.layout', 'inline', ['inline', 'sides'] as const);
export const LEVEL = choiceSetting<DiffLevel>('texts.by', 'words', ['words', 'lines']);
