// The way into the viewer, small enough for everyone who shows pictures.
export { closeViewer, hostViewer, openViewer } from './open.svelte';
