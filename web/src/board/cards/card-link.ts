// A link that opens one card in full screen, with everything else as it is shown now.
import type { Page } from '../../state/page.svelte';
import { encodeText } from '../../state/url-text';
import type { MenuItem } from '../../widgets/menu-item';
import type { CardHandle } from '../board.svelte';
import { copyTold } from '../copy-told';

/** `link` is the page's own; another card that it shows in full screen gives way. */
export function cardLink(link: string, tag: string): string {
  const [place = '', hash = ''] = link.split('#', 2);
  const parts = hash.split('&').filter((part) => part !== '' && !part.startsWith('full='));
  return `${place}#${[...parts, `full=${encodeText(tag)}`].join('&')}`;
}

/** What ends the menu of every card. */
export function lastItems(page: Page, card: CardHandle): MenuItem[] {
  return [
    {
      label: 'Copy link to this card',
      icon: 'link',
      run: () => void copyTold(page, 'Link', () => Promise.resolve(cardLink(page.link(), card.id))),
    },
    { kind: 'separator' },
    { label: 'Full screen', icon: 'expand', hint: 'F', run: () => card.toggleFullScreen() },
  ];
}
