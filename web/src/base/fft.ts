// The discrete Fourier transform of real samples, for sizes that are powers of two. Tables are made once per size and buffers
// are used again: a spectrogram takes thousands of transforms of the same size.

export class Fft {
  readonly size: number;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  readonly #reversed: Uint32Array;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;

  constructor(size: number) {
    if (size < 2 || (size & (size - 1)) !== 0) throw new Error(`${size} is not a power of two`);
    this.size = size;
    this.#cos = Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size));
    this.#sin = Float64Array.from({ length: size / 2 }, (_, i) => -Math.sin((2 * Math.PI * i) / size));
    this.#reversed = new Uint32Array(size);
    for (let i = 1; i < size; i++) {
      this.#reversed[i] = (this.#reversed[i >> 1]! >> 1) | (i & 1 ? size >> 1 : 0);
    }
    this.#real = new Float64Array(size);
    this.#imaginary = new Float64Array(size);
  }

  /** Squared magnitudes of the frequencies 0 to half the rate, into `out` (size / 2 + 1 of them). */
  powers(samples: ArrayLike<number>, out: Float64Array): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    for (let i = 0; i < this.size; i++) real[this.#reversed[i]!] = samples[i]!;
    imaginary.fill(0);
    this.#transform();
    for (let i = 0; i <= this.size / 2; i++) out[i] = real[i]! ** 2 + imaginary[i]! ** 2;
  }

  /** Butterflies in place, from pairs up to the whole; the samples lie in bit-reversed order. */
  #transform(): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    for (let half = 1; half < this.size; half *= 2) {
      const stride = this.size / (2 * half);
      for (let begin = 0; begin < this.size; begin += 2 * half) {
        for (let i = 0; i < half; i++) {
          const upper = begin + i;
          const lower = upper + half;
          const cos = this.#cos[i * stride]!;
          const sin = this.#sin[i * stride]!;
          const turnedReal = real[lower]! * cos - imaginary[lower]! * sin;
          const turnedImaginary = real[lower]! * sin + imaginary[lower]! * cos;
          real[lower] = real[upper]! - turnedReal;
          imaginary[lower] = imaginary[upper]! - turnedImaginary;
          real[upper] = real[upper]! + turnedReal;
          imaginary[upper] = imaginary[upper]! + turnedImaginary;
        }
      }
    }
  }
}
