// What a board gets beside its first charts, which do not wait for it. One file, as all of it is wanted at the same time.
export { summaryOf } from './chart-summary';
export { default as ChartBoardDialogs } from './ChartBoardDialogs.svelte';
export { chartCommands } from './chart-commands';
export { ChartMaker } from './charts/chart-maker.svelte';
export { Reading } from './reading/reading.svelte';
