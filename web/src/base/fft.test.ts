import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fft } from './fft';

/** By the definition, in quadratic time. */
function naivePowers(samples: readonly number[]): number[] {
  const size = samples.length;
  return Array.from({ length: size / 2 + 1 }, (_, frequency) => {
    let real = 0;
    let imaginary = 0;
    samples.forEach((sample, i) => {
      real += sample * Math.cos((2 * Math.PI * frequency * i) / size);
      imaginary -= sample * Math.sin((2 * Math.PI * frequency * i) / size);
    });
    return real ** 2 + imaginary ** 2;
  });
}

describe('Fft', () => {
  test('is the discrete Fourier transform', () => {
    const finite = fc.double({ min: -1, max: 1, noNaN: true });
    const samples = fc
      .constantFrom(2, 4, 8, 64, 256)
      .chain((size) => fc.array(finite, { minLength: size, maxLength: size }));
    fc.assert(
      fc.property(samples, (values) => {
        const out = new Float64Array(values.length / 2 + 1);
        new Fft(values.length).powers(values, out);
        const expected = naivePowers(values);
        out.forEach((power, i) => expect(power).toBeCloseTo(expected[i]!, 6));
      }),
      { numRuns: 50 },
    );
  });

  test('gives the same twice: nothing is left over from the last time', () => {
    const fft = new Fft(8);
    const first = new Float64Array(5);
    const second = new Float64Array(5);
    fft.powers([1, 2, 3, 4, 5, 6, 7, 8], first);
    fft.powers([0, 0, 1, 0, 0, 0, 0, 0], second);
    fft.powers([1, 2, 3, 4, 5, 6, 7, 8], second);
    expect(second).toEqual(first);
  });

  test('has no other sizes than powers of two', () => {
    for (const size of [0, 1, 3, 100]) expect(() => new Fft(size)).toThrow('power of two');
  });
});
