// What ends the menu of every card.
import type { Page } from '../../state/page.svelte';
import type { MenuItem } from '../../widgets/menu-item';
import type { CardHandle } from '../board.svelte';
import { copyTold } from '../copy-told';
import { cardLink } from './card-link';

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
