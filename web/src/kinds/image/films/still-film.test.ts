import { describe, expect, it } from 'vitest';
import { readFrames } from './still-film';

function answerOf(header: object, body: string): Blob {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const prefix = new Uint8Array(4);
  new DataView(prefix.buffer).setUint32(0, json.length, true);
  return new Blob([prefix, json, body]);
}

const HEADER = {
  mime_type: 'image/png',
  width: 4,
  height: 3,
  durations_ms: [250, 40],
  sizes: [3, 2],
  is_cut: false,
};

describe('readFrames', () => {
  it('cuts the frames out of the body', async () => {
    const { stills, durationsS, widthPx, heightPx } = await readFrames(answerOf(HEADER, 'abcde'));
    expect(await Promise.all(stills.map((still) => still.text()))).toEqual(['abc', 'de']);
    expect(stills[0]!.type).toBe('image/png');
    expect({ durationsS, widthPx, heightPx }).toEqual({ durationsS: [0.25, 0.04], widthPx: 4, heightPx: 3 });
  });

  it.each([
    ['nothing', new Blob([])],
    ['no frames', answerOf({ ...HEADER, sizes: [] }, '')],
    ['less than it says', answerOf(HEADER, 'abc')],
    ['a header that goes beyond the end', new Blob([new Uint8Array([255, 255, 0, 0, 1])])],
  ])('says that an answer is cut off: %s', async (_name, blob) => {
    await expect(readFrames(blob)).rejects.toThrow('cut off');
  });
});
