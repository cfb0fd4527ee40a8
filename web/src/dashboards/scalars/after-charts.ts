// What the dashboard gets beside its first charts, which do not wait for it: commands, dialogs, and all that arranges
// cards, makes charts and reads values. One file, as all of it is wanted at the same time.
export { Arranger } from './arranger.svelte';
export { moveFocus } from './card-focus';
export { summaryOf } from './chart-summary';
export { ChartMaker } from './charts/chart-maker.svelte';
export { Reading } from './reading/reading.svelte';
export { scalarCommands } from './scalar-commands';
export { default as ScalarDialogs } from './ScalarDialogs.svelte';
export { SmoothingFocus } from './smoothing-focus';
