// What makes sounds. Decoded ones are played by the sample: regions repeat without a gap, and of several sounds that run
// together, one is heard at a time. A sound that is too long to be decoded as a whole is played by the browser's own player.
import { problemOf } from '../../state/feeds/answer-cache';
import { unplayable } from './decoding';
import type { Output } from './output';
import { positionAt, type Region, type Started } from './playback-clock';

export interface Engine {
  readonly durationS: number;
  /** What is repeated; null: it ends at the end. Takes effect with the next start. */
  region: Region | null;
  /** 1 is normal. Takes effect with the next start. */
  rate: number;
  /** Called when the end was reached. */
  onend: () => void;
  start(fromS: number): void;
  stop(): void;
  positionS(): number;
  /** Which of the sounds is heard, and how loud each is (as an amplitude). At once. */
  mix(heard: number, gains: readonly number[]): void;
  destroy(): void;
}

/** Sounds that begin together begin at the same sample, so there has to be time to prepare them. */
const LEAD_S = 0.02;
/** Of the change from one sound to another: too short to hear, long enough not to click. */
const FADE_S = 0.004;

interface Voice {
  readonly buffer: AudioBuffer;
  readonly gain: GainNode;
  source: AudioBufferSourceNode | null;
}

export class BufferEngine implements Engine {
  region: Region | null = null;
  rate = 1;
  onend: () => void = () => undefined;
  readonly durationS: number;
  readonly #output: Output;
  readonly #voices: readonly Voice[];
  #started: Started | null = null;
  #restingS = 0;

  constructor(output: Output, buffers: readonly AudioBuffer[]) {
    this.#output = output;
    this.durationS = Math.max(...buffers.map(({ duration }) => duration));
    this.#voices = buffers.map((buffer) => {
      const gain = output.context.createGain();
      gain.connect(output.master);
      return { buffer: lengthened(buffer, this.durationS), gain, source: null };
    });
  }

  start(fromS: number): void {
    this.stop();
    const { context } = this.#output;
    const atS = context.currentTime + LEAD_S;
    const { rate, region, durationS } = this;
    for (const voice of this.#voices) {
      const source = context.createBufferSource();
      source.buffer = voice.buffer;
      source.playbackRate.value = rate;
      if (region !== null) {
        source.loop = true;
        source.loopStart = region.fromS;
        source.loopEnd = region.toS;
      }
      source.connect(voice.gain);
      source.start(atS, fromS);
      voice.source = source;
    }
    this.#voices[0]!.source!.onended = () => {
      this.stop();
      this.#restingS = durationS;
      this.onend();
    };
    this.#started = { atS, fromS, rate, region, durationS };
  }

  stop(): void {
    this.#restingS = this.positionS();
    this.#started = null;
    for (const voice of this.#voices) {
      if (voice.source === null) continue;
      voice.source.onended = null;
      voice.source.stop();
      voice.source.disconnect();
      voice.source = null;
    }
  }

  positionS(): number {
    return this.#started === null
      ? this.#restingS
      : positionAt(this.#output.context.currentTime, this.#started);
  }

  mix(heard: number, gains: readonly number[]): void {
    const { currentTime } = this.#output.context;
    for (const [i, { gain }] of this.#voices.entries()) {
      const wanted = i === heard ? (gains[i] ?? 1) : 0;
      gain.gain.cancelScheduledValues(currentTime);
      if (this.#started === null) gain.gain.setValueAtTime(wanted, currentTime);
      else gain.gain.setTargetAtTime(wanted, currentTime, FADE_S);
    }
  }

  destroy(): void {
    this.stop();
    for (const { gain } of this.#voices) gain.disconnect();
  }
}

/** Sounds that run together are equally long, with silence at the end: else they would repeat at different moments. */
function lengthened(buffer: AudioBuffer, durationS: number): AudioBuffer {
  const length = Math.ceil(durationS * buffer.sampleRate - 1e-6);
  if (length <= buffer.length) return buffer;
  const { numberOfChannels, sampleRate } = buffer;
  const longer = new AudioBuffer({ length, numberOfChannels, sampleRate });
  for (let channel = 0; channel < numberOfChannels; channel++) {
    longer.copyToChannel(buffer.getChannelData(channel), channel);
  }
  return longer;
}

export class ElementEngine implements Engine {
  region: Region | null = null;
  rate = 1;
  onend: () => void = () => undefined;
  readonly durationS: number;
  readonly #element: HTMLAudioElement;
  readonly #source: MediaElementAudioSourceNode;
  readonly #gain: GainNode;

  private constructor(output: Output, element: HTMLAudioElement, durationS: number) {
    this.durationS = durationS;
    this.#element = element;
    this.#source = output.context.createMediaElementSource(element);
    this.#gain = output.context.createGain();
    this.#source.connect(this.#gain).connect(output.master);
    element.onended = () => {
      // A region that reaches to the end.
      if (this.region !== null) this.start(this.region.fromS);
      else this.onend();
    };
    // In a page that is not in sight nobody asks for the position.
    element.ontimeupdate = () => this.positionS();
  }

  /**
   * `durationS`: null when only the browser can tell. Resolves with null when it cannot, either; rejects with a sentence when it
   * cannot play the sound.
   */
  static async open(output: Output, blob: Blob, durationS: number | null): Promise<ElementEngine | null> {
    const element = new Audio(URL.createObjectURL(blob));
    try {
      const knownS = durationS ?? (await durationOf(element, blob));
      if (Number.isFinite(knownS)) return new ElementEngine(output, element, knownS);
      discard(element);
      return null;
    } catch (error) {
      discard(element);
      throw error;
    }
  }

  start(fromS: number): void {
    this.#element.currentTime = fromS;
    this.#element.playbackRate = this.rate;
    this.#element.play().catch((error: unknown) => {
      // Paused before it had begun is no end.
      if (problemOf(error) !== null) this.onend();
    });
  }

  stop(): void {
    this.#element.pause();
  }

  /** Asked in every frame that is drawn; the end of a region is found here. */
  positionS(): number {
    const { region } = this;
    if (region !== null && !this.#element.paused && this.#element.currentTime >= region.toS) {
      this.#element.currentTime = region.fromS;
    }
    return this.#element.currentTime;
  }

  mix(_heard: number, gains: readonly number[]): void {
    this.#gain.gain.value = gains[0] ?? 1;
  }

  destroy(): void {
    this.#element.onended = null;
    this.#element.ontimeupdate = null;
    this.#source.disconnect();
    this.#gain.disconnect();
    discard(this.#element);
  }
}

function durationOf(element: HTMLAudioElement, blob: Blob): Promise<number> {
  return new Promise((resolve, reject) => {
    element.onloadedmetadata = () => resolve(element.duration);
    element.onerror = () => reject(unplayable(blob));
  });
}

/** Pauses it for good and gives back what it reads. */
function discard(element: HTMLAudioElement): void {
  const { src } = element;
  element.pause();
  element.onerror = null;
  element.removeAttribute('src');
  element.load();
  URL.revokeObjectURL(src);
}
