// Plays decoded sounds by the sample: they repeat without a gap, and of several that run together one is heard at a time.
import type { Output } from './output';

/** Sounds that begin together begin at the same sample, so there has to be time to prepare them. */
const LEAD_S = 0.02;
/** Of the change from one sound to another: too short to hear, long enough not to click. */
const FADE_S = 0.004;

interface Voice {
  readonly buffer: AudioBuffer;
  readonly gain: GainNode;
  source: AudioBufferSourceNode | null;
}

export class SoundEngine {
  /** It begins anew at its end. Takes effect with the next start. */
  isLooping = false;
  /** 1 is normal. Takes effect with the next start. */
  rate = 1;
  /** Called when the end was reached. */
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
    const { rate, isLooping, durationS } = this;
    for (const voice of this.#voices) {
      const source = context.createBufferSource();
      source.buffer = voice.buffer;
      source.playbackRate.value = rate;
      source.loop = isLooping;
      source.connect(voice.gain);
      source.start(atS, fromS);
      voice.source = source;
    }
    this.#voices[0]!.source!.onended = () => {
      this.stop();
      this.#restingS = durationS;
      this.onend();
    };
    this.#started = { atS, fromS, rate, isLooping, durationS };
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

  /** Which of the sounds is heard. At once. */
  hear(heard: number): void {
    const { currentTime } = this.#output.context;
    for (const [i, { gain }] of this.#voices.entries()) {
      const wanted = i === heard ? 1 : 0;
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

export interface Started {
  /** By the player's clock. */
  readonly atS: number;
  /** Where in the sound. */
  readonly fromS: number;
  readonly rate: number;
  readonly isLooping: boolean;
  readonly durationS: number;
}

/** Where a sound is that was started some time ago: browsers do not say, but follow this rule exactly. */
export function positionAt(nowS: number, { atS, fromS, rate, isLooping, durationS }: Started): number {
  const position = fromS + Math.max(0, nowS - atS) * rate;
  return isLooping ? position % durationS : Math.min(position, durationS);
}

/** What a transport needs of it. */
export type Engine = Pick<SoundEngine, keyof SoundEngine>;
