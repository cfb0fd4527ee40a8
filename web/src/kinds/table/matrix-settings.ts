// How confusion matrices are shown; the same for all, and part of links.
import { choiceSetting } from '../../state/settings/setting';
import { NORMALISATIONS, ORDERS } from './matrix';

export const NORMALISE = choiceSetting('matrixnormalise', 'none', NORMALISATIONS);
export const ORDER = choiceSetting('classorder', 'logged', ORDERS);

export const NORMALISE_LABELS = {
  none: 'Counts',
  row: 'By true class',
  column: 'By predicted class',
  all: 'By total',
} as const;
export const ORDER_LABELS = {
  logged: 'As logged',
  name: 'By name',
  error: 'Least recognised first',
} as const;
