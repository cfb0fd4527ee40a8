// All kinds of data that have cards, one line for each folder. Only this list knows them all; all-kinds.ts brings them into order.
export { AUDIO } from './audio/kind';
export { HISTOGRAM } from './histogram/kind';
export { IMAGE } from './image/kind';
export { MESH } from './mesh/kind';
export { PR_CURVE } from './pr_curve/kind';
export { SCALAR } from './scalar/kind';
export { CONFUSION_MATRIX, HTML, PLOTLY, TABLE } from './table/kind';
export { TEXT } from './text/kind';
