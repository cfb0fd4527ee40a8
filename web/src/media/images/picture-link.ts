// A link that opens one picture in the viewer, with everything else as it is shown now.
import { decodeText, encodeItem } from '../../state/url-text';
import { OPEN, VIEWER_PLACE, writeSlots, type Slot } from './viewer/viewer-words';

/** `link` is the page's own; what its viewer shows gives way. */
export function pictureLink(link: string, slot: Slot): string {
  const [place = '', hash = ''] = link.split('#', 2);
  const parts = hash.split('&').filter((part) => part !== '' && !/^(full|media)=/.test(part));
  const media = /(?:^|&)media=([^&]*)/.exec(hash)?.[1] ?? '';
  const settings = media.split(',').filter((item) => item !== '' && !/^open[:.]/.test(decodeText(item)));
  const words = [...settings, encodeItem(`${OPEN.word}:${writeSlots([slot])}`)];
  return `${place}#${[...parts, `full=${VIEWER_PLACE}`, `media=${words.join(',')}`].join('&')}`;
}
