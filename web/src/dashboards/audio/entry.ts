// The dashboard's door; see registry.ts.
export { default } from './Audio.svelte';
