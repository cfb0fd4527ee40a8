// Whether a card of sounds stands on the dashboard of sounds, which has one comparison for all of them, or among charts.
import { getContext, setContext } from 'svelte';
import { NearViewport } from '../../widgets/near-viewport';

const KEY = Symbol('audio page');

/** Who of some sounds is near the viewport. A few that have left it are kept, because people scroll back. */
export function nearSounds(): NearViewport {
  return new NearViewport((element) => element.closest('[data-scroller]'), { maxParked: 12 });
}

/** The page's own, to be destroyed with it. */
export function markAudioPage(): NearViewport {
  return setContext(KEY, nearSounds());
}

/** undefined: among charts. */
export function nearOfAudioPage(): NearViewport | undefined {
  return getContext<NearViewport | undefined>(KEY);
}
