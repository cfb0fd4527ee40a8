import { expect, test } from 'vitest';
import { parseView } from '../../state/settings/link';
import { cardLink } from './card-link';

test('the link opens the card, with the rest of the view as it was', () => {
  const link = cardLink('http://h/p/?q=1#scalars&tagFilter=loss', 'train/a&b=c, #d');
  expect(link.startsWith('http://h/p/?q=1#')).toBe(true);
  const { view } = parseView(new URL(link).hash);
  expect(view.fullScreenCard).toBe('train/a&b=c, #d');
  expect(view.tagFilter).toBe('loss');
});

test('another card that is in full screen gives way', () => {
  const { view } = parseView(new URL(cardLink('http://h/#scalars&full=other', 'mine')).hash);
  expect(view.fullScreenCard).toBe('mine');
});
