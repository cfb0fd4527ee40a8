// The dashboard's door; see registry.ts.
export { default } from './Text.svelte';
