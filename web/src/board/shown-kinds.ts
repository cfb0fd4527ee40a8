// Which kinds of cards are shown, with commas; '': all of them.
import { lookedAt, textSetting } from '../state/settings/setting';

export const SHOWN_KINDS = lookedAt(textSetting('kinds'));
