import { expect, test } from 'vitest';
import { setSetting, settingOf } from '../../../state/settings/setting';
import { FRAME } from './film-words';

test('the frame comes back from a link, also from an older one; what makes no sense is as if nobody had said it', () => {
  const view: { kindWords: Record<string, string> } = { kindWords: {} };
  setSetting(view, FRAME, 4);
  expect(view.kindWords).toEqual({ 'film.frame': '4' });
  expect(settingOf(view, FRAME)).toBe(4);
  expect(settingOf({ kindWords: { 'film.frame': '12_0_4' } }, FRAME)).toBe(12);
  for (const text of ['', 'x', '-1', '1.5', '3_', '1e400', '9'.repeat(30)])
    expect(settingOf({ kindWords: { 'film.frame': text } }, FRAME)).toBeNull();
});
