// What the Time Series page gets when the log has pictures, sounds, texts or tables: their cards, the switches between kinds,
// and the bar of steps. One file, as all of it is wanted at the same time.
export { default as FullScreenMedia } from '../../board/cards/FullScreenMedia.svelte';
export { default as KindChips } from './KindChips.svelte';
export { default as MediaCard } from '../../board/cards/MediaCard.svelte';
export { default as MediaFacts } from './MediaFacts.svelte';
export { default as MediaSettings } from './MediaSettings.svelte';
export { default as MediaSteps } from './MediaSteps.svelte';
