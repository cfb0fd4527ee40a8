// Writes into a PNG how many of its pixels are an inch: programs that place the picture then give it its size. Browsers leave
// that out, so the chunk (pHYs, pixels per metre) is put in behind the first one.
import { crc32 } from '../../base/crc32';

const METRES_PER_INCH = 0.0254;
/** Of the signature and of the header's chunk, which is always the first. */
const HEADER_END = 8 + 25;
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The same picture with this density; anything that is no PNG stays as it is. */
export function withDensity(png: Uint8Array, dpi: number): Uint8Array {
  if (png.length < HEADER_END || SIGNATURE.some((byte, i) => png[i] !== byte)) return png;
  const chunk = new Uint8Array(4 + 4 + 9 + 4);
  const view = new DataView(chunk.buffer);
  const perMetre = Math.round(dpi / METRES_PER_INCH);
  view.setUint32(0, 9);
  chunk.set(new TextEncoder().encode('pHYs'), 4);
  view.setUint32(8, perMetre);
  view.setUint32(12, perMetre);
  // The unit is the metre.
  chunk[16] = 1;
  view.setUint32(17, crc32(chunk.subarray(4, 17)));
  const result = new Uint8Array(png.length + chunk.length);
  result.set(png.subarray(0, HEADER_END));
  result.set(chunk, HEADER_END);
  result.set(png.subarray(HEADER_END), HEADER_END + chunk.length);
  return result;
}
