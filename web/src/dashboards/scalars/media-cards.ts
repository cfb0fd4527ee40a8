// What the Time Series page gets when the log has pictures, sounds, texts or tables: their cards, the switches between kinds,
// and the bar of steps. One file, as all of it is wanted at the same time.
export { default as FullScreenMedia } from './media/FullScreenMedia.svelte';
export { default as KindChips } from './media/KindChips.svelte';
export { default as MediaCard } from './media/MediaCard.svelte';
export { default as MediaFacts } from './media/MediaFacts.svelte';
export { default as MediaSettings } from './media/MediaSettings.svelte';
export { default as MediaSteps } from './media/MediaSteps.svelte';
