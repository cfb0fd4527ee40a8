import { expect, test } from 'vitest';
import { crc32 } from './crc32';
import { ZipWriter } from './zip';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function bytes(blob: Blob): Promise<Uint8Array> {
  return new Uint8Array(await new Response(blob).arrayBuffer());
}

interface Found {
  readonly name: string;
  readonly content: string;
  readonly crc: number;
}

/** Reads an archive by its list, as programs do, and takes what it finds from there. */
async function read(archive: Uint8Array): Promise<Found[]> {
  const view = new DataView(archive.buffer, archive.byteOffset);
  const end = archive.length - 22;
  expect(view.getUint32(end, true)).toBe(0x06054b50);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const found: Found[] = [];
  for (let i = 0; i < count; i++) {
    expect(view.getUint32(at, true)).toBe(0x02014b50);
    const method = view.getUint16(at + 10, true);
    const crc = view.getUint32(at + 16, true);
    const packedSize = view.getUint32(at + 20, true);
    const nameLength = view.getUint16(at + 28, true);
    const offset = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(archive.subarray(at + 46, at + 46 + nameLength));
    expect(view.getUint32(offset, true)).toBe(0x04034b50);
    const from = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
    const packed = archive.slice(from, from + packedSize);
    const stream = new Blob([packed]).stream();
    const plain = method === 0 ? stream : stream.pipeThrough(new DecompressionStream('deflate-raw'));
    found.push({ name, crc, content: await new Response(plain).text() });
    at += 46 + nameLength;
  }
  expect(at).toBe(end);
  return found;
}

test('the checksum is the one that everybody has', () => {
  expect(crc32(bytesOf('123456789'))).toBe(0xcbf43926);
  expect(crc32(new Uint8Array())).toBe(0);
});

test('files come out as they went in, packed where that helps', async () => {
  const zip = new ZipWriter(new Date(2026, 1, 10, 14, 3, 22));
  const files = { 'lösung/a.svg': 'wide '.repeat(1000), 'b.txt': 'x', empty: '' };
  for (const [name, content] of Object.entries(files)) await zip.add({ name, bytes: bytesOf(content) });
  const archive = await bytes(zip.finish());
  expect(archive.length).toBeLessThan(1000);
  const found = await read(archive);
  expect(Object.fromEntries(found.map(({ name, content }) => [name, content]))).toEqual(files);
  expect(found.every(({ content, crc }) => crc32(bytesOf(content)) === crc)).toBe(true);
});

test('an archive without files is one, too', async () => {
  expect(await read(await bytes(new ZipWriter().finish()))).toEqual([]);
});
