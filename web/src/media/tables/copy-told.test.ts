import { expect, it, vi } from 'vitest';
import { copyTold } from './copy-told';

it('says that something was copied, or why it was not', async () => {
  const announce = vi.fn();
  vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await copyTold({ announce }, 'Cell', () => Promise.resolve('text'));
  await copyTold({ announce }, 'Row', () => Promise.reject(new Error('The server does not answer')));
  expect(announce.mock.calls).toEqual([
    ['Cell copied'],
    ['Row could not be copied: The server does not answer'],
  ]);
});
