import { describe, expect, it } from 'vitest';
import { parseView } from '../../state/view-url';
import { pictureLink } from './picture-link';
import { OPEN, VIEWER_PLACE } from './viewer/viewer-words';
import { settingOf } from '../media-view';

describe('a link to a picture', () => {
  const slot = { run: 'a,b & c', tag: 'samples/x;y', sample: 2, step: 1200 };

  it('opens the viewer on it, whatever the names hold', () => {
    const link = pictureLink('http://host/#images&media=gamma:2', slot);
    const { view } = parseView(new URL(link).hash);
    expect(view.dashboard).toBe('images');
    expect(view.fullScreenCard).toBe(VIEWER_PLACE);
    expect(settingOf(view, OPEN)).toEqual([slot]);
    expect(view.media['gamma']).toBe('2');
  });

  it('takes the place of what the viewer shows', () => {
    const first = pictureLink('http://host/#images', { ...slot, run: 'other' });
    const link = pictureLink(first, slot);
    expect(settingOf(parseView(new URL(link).hash).view, OPEN)).toEqual([slot]);
    expect(link.match(/full=/g)).toHaveLength(1);
  });
});
