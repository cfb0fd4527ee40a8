import { expect, test } from 'vitest';
import { withDensity } from './png-density';

/** The smallest PNG there is: one grey pixel. */
const PIXEL = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='),
  (letter) => letter.charCodeAt(0),
);

test('the density stands behind the header, in pixels per metre, with a checksum', () => {
  const png = withDensity(PIXEL, 300);
  const chunk = png.subarray(33, 33 + 21);
  expect(new TextDecoder().decode(chunk.subarray(4, 8))).toBe('pHYs');
  const view = new DataView(chunk.buffer, chunk.byteOffset);
  expect(view.getUint32(8)).toBe(11_811);
  expect(view.getUint32(12)).toBe(11_811);
  expect(chunk[16]).toBe(1);
  // zlib.crc32(b"pHYs" + struct.pack(">IIB", 11811, 11811, 1))
  expect(view.getUint32(17)).toBe(0x78a53f76);
  expect(png.length).toBe(PIXEL.length + 21);
  expect([...png.subarray(54)]).toEqual([...PIXEL.subarray(33)]);
});

test('what is no PNG stays as it is', () => {
  const text = new TextEncoder().encode('this is a text, and not a short one at that');
  expect(withDensity(text, 300)).toBe(text);
});
