// A link that opens one card in full screen, with everything else as it is shown now.
import { linkWith } from '../../state/settings/link';

/** `link` is the page's own; another card that it shows in full screen gives way. */
export function cardLink(link: string, id: string): string {
  return linkWith(link, () => ({ fullScreenCard: id }));
}
