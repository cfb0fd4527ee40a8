// Encoded sounds → samples, at the rate at which they were recorded. What was decoded last is kept, because people listen twice.
import { formatInteger } from '../../base/format';

/** Beyond these a sound is played without being decoded as a whole, and its spectrogram is made on request only. */
const MOST_DECODED_BYTES = 64 * 1024 * 1024;
const MOST_DURATION_S = 600;
/** About ten minutes at a usual rate of bits. */
const MOST_ENCODED_BYTES = 8 * 1024 * 1024;
/** Beyond these not even on request: the page would run out of memory. */
const MOST_EVER_DECODED_BYTES = 512 * 1024 * 1024;
const MOST_EVER_ENCODED_BYTES = 64 * 1024 * 1024;
const KEPT_BYTES = 128 * 1024 * 1024;

/** For sounds whose rate only the decoder knows. */
const USUAL_RATE_HZ = 48_000;

/** What browsers take, decoded or not. */
const MOST_CHANNELS = 32;
const LEAST_RATE_HZ = 3000;
const GREATEST_RATE_HZ = 768_000;

interface Measures {
  readonly is_decoded: boolean;
  readonly size_bytes: number;
  readonly duration_s: number;
  readonly rate_hz: number;
  readonly channels: number;
}

/** Is it too long to be decoded unasked? */
export function isLong(sound: Measures): boolean {
  if (!sound.is_decoded) return sound.size_bytes > MOST_ENCODED_BYTES;
  return sound.duration_s > MOST_DURATION_S || decodedBytes(sound) > MOST_DECODED_BYTES;
}

/** Is it too long to be decoded at all? */
export function isTooLong(sound: Measures): boolean {
  if (!sound.is_decoded) return sound.size_bytes > MOST_EVER_ENCODED_BYTES;
  return decodedBytes(sound) > MOST_EVER_DECODED_BYTES;
}

/** Why no browser plays it, as far as its header tells; null: one may. */
export function whyNeverPlayed({ is_decoded, channels, rate_hz }: Measures): string | null {
  if (!is_decoded) return null;
  if (channels > MOST_CHANNELS) {
    return `The sound has ${formatInteger(channels)} channels, and browsers play ${MOST_CHANNELS} at most`;
  }
  if (rate_hz >= LEAST_RATE_HZ && rate_hz <= GREATEST_RATE_HZ) return null;
  return `The sound has ${formatInteger(rate_hz)} samples a second, and browsers play ${formatInteger(LEAST_RATE_HZ)} to ${formatInteger(GREATEST_RATE_HZ)}`;
}

function decodedBytes({ duration_s, rate_hz, channels }: Measures): number {
  return duration_s * rate_hz * channels * 4;
}

export type Decode = (blob: Blob, rateHz: number) => Promise<AudioBuffer>;

/** Rejects with a sentence when the browser cannot. */
export const decodeSound: Decode = async (blob, rateHz) => {
  const bytes = await blob.arrayBuffer();
  try {
    return await contextOf(rateHz).decodeAudioData(bytes);
  } catch {
    throw new UnplayableError(`This browser cannot play the sound (${blob.type || 'unknown type'})`);
  }
};

/** The browser's fault, as far as it says. */
export class UnplayableError extends Error {}

/** A context only for its rate: what it decodes is brought to it, and to no other. */
function contextOf(rateHz: number): OfflineAudioContext {
  try {
    return new OfflineAudioContext(1, 1, rateHz > 0 ? rateHz : USUAL_RATE_HZ);
  } catch {
    return new OfflineAudioContext(1, 1, USUAL_RATE_HZ);
  }
}

export class DecodedSounds {
  readonly #decode: Decode;
  readonly #mostBytes: number;
  /** Least recently used first. */
  readonly #kept = new Map<string, Promise<AudioBuffer>>();
  readonly #bytes = new Map<string, number>();

  constructor(decode: Decode = decodeSound, mostBytes = KEPT_BYTES) {
    this.#decode = decode;
    this.#mostBytes = mostBytes;
  }

  get(key: string, rateHz: number, load: () => Promise<Blob>): Promise<AudioBuffer> {
    let kept = this.#kept.get(key);
    if (kept === undefined) kept = this.#begin(key, rateHz, load);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept;
  }

  #begin(key: string, rateHz: number, load: () => Promise<Blob>): Promise<AudioBuffer> {
    const begun = load().then((blob) => this.#decode(blob, rateHz));
    begun.then(
      (buffer) => {
        if (this.#kept.get(key) === begun) this.#weigh(key, buffer);
      },
      () => {
        // It may work the next time.
        if (this.#kept.get(key) === begun) this.#kept.delete(key);
      },
    );
    return begun;
  }

  #weigh(key: string, { length, numberOfChannels }: AudioBuffer): void {
    this.#bytes.set(key, length * numberOfChannels * 4);
    let sum = [...this.#bytes.values()].reduce((total, bytes) => total + bytes, 0);
    for (const oldest of [...this.#kept.keys()]) {
      if (sum <= this.#mostBytes) break;
      if (oldest === key || !this.#bytes.has(oldest)) continue;
      sum -= this.#bytes.get(oldest)!;
      this.#kept.delete(oldest);
      this.#bytes.delete(oldest);
    }
  }
}
