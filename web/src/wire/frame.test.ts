import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeFrame, FrameError } from './frame';
import type { Column, FrameHeader, SeriesFrame } from './generated';

/** A frame as the server writes it. `bodies` are the columns' bytes, in the order of the header's offsets. */
function encode(header: unknown, bodies: readonly Uint8Array[] = [], magic = 'SLF1'): ArrayBuffer {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const headerBytes = Math.ceil(json.length / 8) * 8;
  const bodyBytes = bodies.reduce((sum, body) => sum + Math.ceil(body.length / 8) * 8, 0);
  const bytes = new Uint8Array(8 + headerBytes + bodyBytes).fill(0x20);
  bytes.set(new TextEncoder().encode(magic));
  new DataView(bytes.buffer).setUint32(4, headerBytes, true);
  bytes.set(json, 8);
  let offset = 8 + headerBytes;
  for (const body of bodies) {
    bytes.set(body, offset);
    offset += Math.ceil(body.length / 8) * 8;
  }
  return bytes.buffer;
}

class Builder {
  readonly bodies: Uint8Array[] = [];
  #offset = 0;

  column(type: Column['type'], elements: readonly number[], base = 0, scale = 1): Column {
    const offset = this.#offset;
    if (type !== 'range') {
      const array =
        type === 'f64'
          ? new Float64Array(elements)
          : type === 'f32'
            ? new Float32Array(elements)
            : new Uint32Array(elements);
      const body = new Uint8Array(array.buffer);
      this.bodies.push(body);
      this.#offset += Math.ceil(body.length / 8) * 8;
    }
    return { type, offset, base, scale };
  }

  series(count: number, columns: Pick<SeriesFrame, 'step' | 'wall' | 'value' | 'smoothed'>): SeriesFrame {
    return {
      query: 0,
      run: 7,
      is_superseded: false,
      count,
      total: count,
      superseded_count: 3,
      is_exact: true,
      first_wall_s: 1.5,
      y_range: [0, 1],
      y_core: null,
      ...columns,
    };
  }

  encode(series: SeriesFrame[]): ArrayBuffer {
    const header: FrameHeader = { server_id: 's', revision: 3, series };
    return encode(header, this.bodies);
  }
}

function oneSeries(values: readonly number[], smoothed: readonly number[] | null = null): ArrayBuffer {
  const builder = new Builder();
  const series = builder.series(values.length, {
    step: builder.column('range', [], 10, 5),
    wall: builder.column(
      'u32',
      values.map((_, i) => i * 250),
      1e9,
      0.001,
    ),
    value: builder.column('f64', values),
    smoothed: smoothed && builder.column('f32', smoothed),
  });
  return builder.encode([series]);
}

describe('decodeFrame', () => {
  test('gives back what was encoded, for all column types', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double(), { maxLength: 20 }),
        fc.array(fc.array(fc.float({ noNaN: false }), { maxLength: 5 }), { maxLength: 3 }),
        fc.integer({ min: -1000, max: 1000 }),
        (values, more, base) => {
          const builder = new Builder();
          const all = [values, ...more].map((numbers) =>
            builder.series(numbers.length, {
              step: builder.column(
                'u32',
                numbers.map((_, i) => i * i),
                base,
                2,
              ),
              wall: builder.column('range', [], base, 0.5),
              value: builder.column('f64', numbers),
              smoothed: builder.column('f32', numbers),
            }),
          );
          const { series, serverId, revision } = decodeFrame(builder.encode(all));
          expect({ serverId, revision }).toEqual({ serverId: 's', revision: 3 });
          [values, ...more].forEach((numbers, n) => {
            expect([...series[n]!.value]).toEqual(numbers);
            expect([...series[n]!.smoothed!]).toEqual(numbers.map(Math.fround));
            expect([...series[n]!.step]).toEqual(numbers.map((_, i) => base + 2 * (i * i)));
            expect([...series[n]!.wall]).toEqual(numbers.map((_, i) => base + 0.5 * i));
          });
        },
      ),
    );
  });

  test('keeps the facts about a series', () => {
    const [series] = decodeFrame(oneSeries([1, 2])).series;
    expect(series).toMatchObject({
      query: 0,
      run: 7,
      isSuperseded: false,
      supersededCount: 3,
      isExact: true,
      firstWallS: 1.5,
      yRange: [0, 1],
    });
    expect(series!.yCore).toBeNull();
    expect(series!.smoothed).toBeNull();
    expect([...series!.step]).toEqual([10, 15]);
    expect([...series!.wall]).toEqual([1e9, 1e9 + 0.25]);
  });

  test('does not copy float64 columns', () => {
    const buffer = oneSeries([1, 2, 3]);
    expect(decodeFrame(buffer).series[0]!.value.buffer).toBe(buffer);
  });

  test('refuses other magic', () => {
    expect(() => decodeFrame(encode({ series: [] }, [], 'SLF2'))).toThrow('does not begin with SLF1');
  });

  test('refuses a header that is no JSON, or lists no series', () => {
    const bytes = new Uint8Array(16);
    bytes.set(new TextEncoder().encode('SLF1\u0008\0\0\0nonsense'));
    expect(() => decodeFrame(bytes.buffer)).toThrow('no JSON');
    expect(() => decodeFrame(encode({}))).toThrow('lists no series');
    expect(() => decodeFrame(encode(null))).toThrow('lists no series');
  });

  test('a frame cut off anywhere is one clear error', () => {
    const whole = oneSeries([1, 2, 3], [1, 2, 3]);
    for (let length = 0; length < whole.byteLength; length += 4) {
      // The last column has 12 bytes and 4 of padding: those may be missing.
      if (length >= whole.byteLength - 4) continue;
      expect(() => decodeFrame(whole.slice(0, length)), `${length} bytes`).toThrow(FrameError);
    }
  });

  test('never reads outside of the buffer, whatever the header says', () => {
    const column = fc.record({
      type: fc.constantFrom('f64', 'f32', 'u32', 'range', 'i8'),
      offset: fc.oneof(fc.integer({ min: -16, max: 64 }), fc.double()),
      base: fc.constant(0),
      scale: fc.constant(1),
    });
    fc.assert(
      fc.property(column, fc.integer({ min: -2, max: 40 }), (any, count) => {
        const header = { series: [{ count, step: any, wall: any, value: any, smoothed: null }] };
        try {
          const [series] = decodeFrame(encode(header, [new Uint8Array(64)])).series;
          expect(series!.value.length).toBe(count);
        } catch (error) {
          expect(error).toBeInstanceOf(FrameError);
        }
      }),
    );
  });
});
