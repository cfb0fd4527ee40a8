// What a board gets when the log has tags whose kinds have no cards of their own. One file, as all of it is wanted at the same time.
export { default as CardSteps } from './CardSteps.svelte';
export { default as FullScreenTag } from './FullScreenTag.svelte';
export { default as TagCard } from './TagCard.svelte';
