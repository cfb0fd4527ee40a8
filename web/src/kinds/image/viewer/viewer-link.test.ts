import { describe, expect, it } from 'vitest';
import { parseView } from '../../../state/settings/link';
import { fullViewLink } from '../../../board/full-view/full-view-link';
import { settingOf } from '../../../state/settings/setting';
import { FILMS, VIEWER } from '../open-pictures';

describe.each([
  { name: 'a picture', full: VIEWER },
  { name: 'a film', full: FILMS },
])('a link to $name', ({ full }) => {
  const slot = { run: 'a,b & c', tag: 'samples/x;y', sample: 2, step: 1200 };

  it('opens it, whatever the names hold', () => {
    const link = fullViewLink('http://host/#images&media=gamma:2', full, slot);
    const { view } = parseView(new URL(link).hash);
    expect(view.dashboard).toBe('images');
    expect(view.fullScreenCard).toBe(full.place);
    expect(settingOf(view, full.slots)).toEqual([slot]);
    expect(view.kindWords['gamma']).toBe('2');
  });

  it('takes the place of what is open', () => {
    const first = fullViewLink('http://host/#images', full, { ...slot, run: 'other' });
    const link = fullViewLink(first.replace('media=', `media=${full.words[0]!}:1,`), full, slot);
    const { view } = parseView(new URL(link).hash);
    expect(settingOf(view, full.slots)).toEqual([slot]);
    expect(Object.keys(view.kindWords)).toEqual([full.slots.word]);
    expect(link.match(/full=/g)).toHaveLength(1);
  });
});
