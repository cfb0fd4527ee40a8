// Frames as the server writes them, for tests.
import type { Column } from './generated';

/** Columns of float64, one after the other, as they are added. */
export class FrameBuilder {
  readonly #numbers: number[] = [];

  column(numbers: Iterable<number>): Column {
    const offset = this.#numbers.length * 8;
    this.#numbers.push(...numbers);
    return { type: 'f64', offset, base: 0, scale: 1 };
  }

  frame(header: object): ArrayBuffer {
    const json = new TextEncoder().encode(JSON.stringify(header));
    const headerBytes = Math.ceil(json.length / 8) * 8;
    const buffer = new ArrayBuffer(8 + headerBytes + this.#numbers.length * 8);
    new Uint8Array(buffer).fill(0x20, 0, 8 + headerBytes);
    new Uint8Array(buffer).set(new TextEncoder().encode('SLF1'));
    new DataView(buffer).setUint32(4, headerBytes, true);
    new Uint8Array(buffer).set(json, 8);
    new Float64Array(buffer, 8 + headerBytes).set(this.#numbers);
    return buffer;
  }
}
