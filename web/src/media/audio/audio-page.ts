// Whether a card of sounds stands on the dashboard of sounds, which has one comparison for all of them, or among charts.
import { getContext, setContext } from 'svelte';

const KEY = Symbol('audio page');

export function markAudioPage(): void {
  setContext(KEY, true);
}

export function isOnAudioPage(): boolean {
  return getContext<boolean | undefined>(KEY) ?? false;
}
