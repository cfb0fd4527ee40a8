// Everything of the run table that nobody needs before the first charts are drawn: menus, keys, dialogs, commands. One
// chunk, fetched when the first view stands, so that it is there when it is asked for.
export { default as RenameField } from './RenameField.svelte';
export { default as RunDialogs } from './RunDialogs.svelte';
export { runCommands } from './run-commands';
export { RunManager } from './run-manager.svelte';
export { pressOnRow, rowItems, tableItems } from './run-menus';
