// Everything of the run table that nobody needs before the first charts are drawn: menus, keys, dialogs, commands. One
// chunk, fetched when the first view stands, so that it is there when it is asked for.
export { default as RenameField } from './RenameField.svelte';
export { default as RunDetails } from './RunDetails.svelte';
export { default as RunDialogs } from './RunDialogs.svelte';
export { pressOnRow, rowItems, runCommands, tableItems } from './run-actions';
export { RunManager } from './run-manager.svelte';
