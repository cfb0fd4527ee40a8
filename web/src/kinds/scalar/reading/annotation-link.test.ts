import { expect, test } from 'vitest';
import { parseView } from '../../../state/settings/link';
import { annotationLink } from './annotation-link';

test('the link opens the chart with the selector at the note, and replaces what it said before', () => {
  const link = annotationLink('http://h/p#scalars&select=3..5&full=a', 'train/loss', 120);
  const { view } = parseView(link.slice(link.indexOf('#') + 1));
  expect(view.fullScreenCard).toBe('train/loss');
  expect(view.selected).toEqual({ from: 120, to: null });
  expect(view.dashboard).toBe('scalars');
});

test('without a place it opens the chart', () => {
  const link = annotationLink('http://h/#scalars', 'loss', null);
  expect(parseView(link.slice(link.indexOf('#') + 1)).view.selected).toBeNull();
});
