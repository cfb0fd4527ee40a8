import { expect, test } from 'vitest';
import { setSetting, settingOf } from '../../../state/settings/setting';
import { FRAMES, REGION } from './film-words';

test('frames and stretches come back from a link; what makes no sense is as if nobody had said it', () => {
  const view: { kindWords: Record<string, string> } = { kindWords: {} };
  setSetting(view, FRAMES, [4, 0, 12]);
  setSetting(view, REGION, { first: 0, last: 3 });
  expect(view.kindWords).toEqual({ 'film.frame': '4_0_12', 'film.loop': '0..3' });
  expect(settingOf(view, FRAMES)).toEqual([4, 0, 12]);
  expect(settingOf(view, REGION)).toEqual({ first: 0, last: 3 });
  for (const text of ['', 'x', '-1', '1.5', '3_', '1e400', '9'.repeat(30)])
    expect(settingOf({ kindWords: { 'film.frame': text } }, FRAMES)).toBeNull();
  for (const text of ['', '4', '5..2', '1..2..3', '..2', 'a..b'])
    expect(settingOf({ kindWords: { 'film.loop': text } }, REGION)).toBeNull();
});
