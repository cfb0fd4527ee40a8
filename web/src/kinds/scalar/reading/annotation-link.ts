// A link that opens a chart in full screen with the step selector at a note.
import { cardLink } from '../../../board/cards/card-link';

export function annotationLink(link: string, card: string, x: number | null): string {
  const opened = cardLink(link, card);
  if (x === null) return opened;
  const [place = '', hash = ''] = opened.split('#', 2);
  const parts = hash.split('&').filter((part) => part !== '' && !part.startsWith('select='));
  return `${place}#${[...parts, `select=${x}`].join('&')}`;
}
