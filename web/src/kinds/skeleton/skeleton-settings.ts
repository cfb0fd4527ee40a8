// How tensors are shown. Each setting is a word of the view, which links and saved views carry.
import { numberSetting } from '../../state/settings/setting';

/** Values of one run that are listed, the last ones. */
export const ROWS = numberSetting('skeleton.rows', 5, 1, 100);
