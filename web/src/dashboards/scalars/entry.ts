// The dashboard's door: the bundle's first script holds what is behind it, and finds it by this file (vite.config.ts).
import { loadInteraction } from '../../chart/line-chart';

// On its way before there is a chart, while the page waits for the names of runs and tags.
void loadInteraction();

export { default } from './Scalars.svelte';
