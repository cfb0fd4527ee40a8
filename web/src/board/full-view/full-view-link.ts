// A link that opens one value in what covers the page, with everything else as it is shown now.
import { linkWith } from '../../state/settings/link';
import { setSetting, withoutWords } from '../../state/settings/setting';
import type { Slot } from '../tiles/slots';
import { isOfLook, type FullView } from './full-view.svelte';

/** `link` is the page's own; what is open there gives way. */
export function fullViewLink(link: string, full: FullView, slot: Slot): string {
  return linkWith(link, ({ kindWords }) => {
    const change = {
      fullScreenCard: full.place,
      kindWords: withoutWords(kindWords, (word) => isOfLook(full, word)),
    };
    setSetting(change, full.slots, [slot]);
    return change;
  });
}
