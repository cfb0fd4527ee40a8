// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { copyPictureTold, copyTold } from './copy-told';

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

it('says that a picture was copied, or why it was not', async () => {
  const announce = vi.fn();
  const png = (): Promise<Blob> => Promise.resolve(new Blob(['…'], { type: 'image/png' }));
  const write = vi.spyOn(navigator.clipboard, 'write').mockResolvedValueOnce();
  await copyPictureTold({ announce }, png);
  write.mockRejectedValueOnce(new Error('Write permission denied'));
  await copyPictureTold({ announce }, png);
  expect(announce.mock.calls).toEqual([
    ['Picture copied'],
    ['Picture could not be copied: Write permission denied'],
  ]);
});
