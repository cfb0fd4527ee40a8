// Writes a ZIP archive: a local header before each file, the list of all of them at the end. Names are UTF-8, times are local as
// in every archive. Files are deflated where the browser can and where that makes them smaller, else stored. Below 4 GiB and
// 65,535 files, so without the extensions for more; asked for more it refuses instead of writing something broken.
import { crc32 } from './crc32';

export interface ZipFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const STORED = 0;
const DEFLATED = 8;
/** 2.0, the first version that knows deflate. */
const VERSION = 20;
/** The name is UTF-8. */
const FLAGS = 0x0800;
const MOST_FILES = 0xffff;
const MOST_BYTES = 0xffffffff;

interface Entry {
  readonly name: Uint8Array;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
}

/** Adds files one by one, so that only what is packed has to be kept. */
export class ZipWriter {
  readonly #parts: BlobPart[] = [];
  readonly #entries: Entry[] = [];
  readonly #time: number;
  readonly #date: number;
  #size = 0;

  constructor(when: Date = new Date()) {
    // Two seconds are the finest that the format knows, 1980 is its first year.
    this.#time = (when.getHours() << 11) | (when.getMinutes() << 5) | (when.getSeconds() >> 1);
    const year = Math.max(0, when.getFullYear() - 1980);
    this.#date = (year << 9) | ((when.getMonth() + 1) << 5) | when.getDate();
  }

  async add({ name, bytes }: ZipFile): Promise<void> {
    const packed = await deflated(bytes);
    const isPacked = packed !== null && packed.length < bytes.length;
    const content = isPacked ? packed : bytes;
    const entry: Entry = {
      name: new TextEncoder().encode(name),
      method: isPacked ? DEFLATED : STORED,
      crc: crc32(bytes),
      packedSize: content.length,
      size: bytes.length,
      offset: this.#size,
    };
    if (this.#entries.length >= MOST_FILES || this.#size + content.length > MOST_BYTES) {
      throw new Error('That is too much for one archive');
    }
    this.#entries.push(entry);
    this.#write(this.#localHeader(entry));
    this.#write(content);
  }

  finish(): Blob {
    const begin = this.#size;
    for (const entry of this.#entries) this.#write(this.#listEntry(entry));
    const end = fields(22);
    end.u32(0x06054b50);
    // This disk, the disk of the list: there is one.
    end.u16(0);
    end.u16(0);
    end.u16(this.#entries.length);
    end.u16(this.#entries.length);
    end.u32(this.#size - begin);
    end.u32(begin);
    end.u16(0);
    this.#write(end.bytes);
    return new Blob(this.#parts, { type: 'application/zip' });
  }

  #write(bytes: Uint8Array): void {
    this.#parts.push(bytes as Uint8Array<ArrayBuffer>);
    this.#size += bytes.length;
  }

  #localHeader(entry: Entry): Uint8Array {
    const header = fields(30 + entry.name.length);
    header.u32(0x04034b50);
    this.#writeFacts(header, entry);
    header.u16(0);
    header.text(entry.name);
    return header.bytes;
  }

  #listEntry(entry: Entry): Uint8Array {
    const header = fields(46 + entry.name.length);
    header.u32(0x02014b50);
    header.u16(VERSION);
    this.#writeFacts(header, entry);
    // No extra field, no comment, the first disk, no attributes.
    for (let i = 0; i < 4; i++) header.u16(0);
    header.u32(0);
    header.u32(entry.offset);
    header.text(entry.name);
    return header.bytes;
  }

  /** What both headers say, in the same order. */
  #writeFacts(header: Fields, entry: Entry): void {
    header.u16(VERSION);
    header.u16(FLAGS);
    header.u16(entry.method);
    header.u16(this.#time);
    header.u16(this.#date);
    header.u32(entry.crc);
    header.u32(entry.packedSize);
    header.u32(entry.size);
    header.u16(entry.name.length);
  }
}

/** null where the browser does not know how. */
async function deflated(bytes: Uint8Array): Promise<Uint8Array | null> {
  if (typeof CompressionStream === 'undefined') return null;
  try {
    const stream = new Blob([bytes as Uint8Array<ArrayBuffer>])
      .stream()
      .pipeThrough(new CompressionStream('deflate-raw'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    return null;
  }
}

type Fields = ReturnType<typeof fields>;

/** Little-endian numbers one after the other. */
function fields(size: number) {
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  return {
    bytes,
    u16(value: number): void {
      view.setUint16(at, value, true);
      at += 2;
    },
    u32(value: number): void {
      view.setUint32(at, value, true);
      at += 4;
    },
    text(value: Uint8Array): void {
      bytes.set(value, at);
      at += value.length;
    },
  };
}
