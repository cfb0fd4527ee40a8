// What the dashboard gets beside its first charts, which do not wait for it: commands, dialogs, and all that arranges
// cards, makes charts and reads values. One file, as all of it is wanted at the same time.
export { Arranger } from '../../board/cards/arranger.svelte';
export { moveFocus } from '../../board/cards/card-focus';
export { summaryOf } from '../../kinds/scalar/chart-summary';
export { ChartMaker } from '../../kinds/scalar/charts/chart-maker.svelte';
export { Reading } from '../../kinds/scalar/reading/reading.svelte';
export { scalarCommands } from './scalar-commands';
export { default as ScalarDialogs } from './ScalarDialogs.svelte';
export { SmoothingFocus } from '../../kinds/scalar/smoothing-focus';
