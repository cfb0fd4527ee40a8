// All kinds of data that have cards, in the order in which these stand below a heading of the Time Series page. Only this list
// knows them all.
import type { Kind } from '../board/kind';
import { AUDIO } from './audio/kind';
import { IMAGE } from './image/kind';
import { SCALAR } from './scalar/kind';
import { CONFUSION_MATRIX, HTML, PLOTLY, TABLE } from './table/kind';
import { TEXT } from './text/kind';

export const KINDS: readonly Kind[] = [SCALAR, IMAGE, AUDIO, TEXT, TABLE, CONFUSION_MATRIX, PLOTLY, HTML];
