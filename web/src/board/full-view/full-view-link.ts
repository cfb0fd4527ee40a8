// A link that opens one value in what covers the page, with everything else as it is shown now.
import { decodeText, encodeItem } from '../../state/url-text';
import type { FullView } from './full-view.svelte';
import type { Slot } from '../tiles/slots';

/** `link` is the page's own; what is open there gives way. */
export function fullViewLink(link: string, { place, slots, words }: FullView, slot: Slot): string {
  const [page = '', hash = ''] = link.split('#', 2);
  const parts = hash.split('&').filter((part) => part !== '' && !/^(full|media)=/.test(part));
  const media = /(?:^|&)media=([^&]*)/.exec(hash)?.[1] ?? '';
  const wordOf = (item: string): string => decodeText(item).split(':', 1)[0]!;
  const isOfLook = (word: string): boolean => word === slots.word || words.includes(word);
  const settings = media.split(',').filter((item) => item !== '' && !isOfLook(wordOf(item)));
  const said = [...settings, encodeItem(`${slots.word}:${slots.write([slot])}`)];
  return `${page}#${[...parts, `full=${place}`, `media=${said.join(',')}`].join('&')}`;
}
