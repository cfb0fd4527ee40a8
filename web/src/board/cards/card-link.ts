// A link that opens one card in full screen, with everything else as it is shown now.
import { encodeText } from '../../state/url-text';

/** `link` is the page's own; another card that it shows in full screen gives way. */
export function cardLink(link: string, tag: string): string {
  const [place = '', hash = ''] = link.split('#', 2);
  const parts = hash.split('&').filter((part) => part !== '' && !part.startsWith('full='));
  return `${place}#${[...parts, `full=${encodeText(tag)}`].join('&')}`;
}
