// One sound: what is known about it at a glance, and its samples when somebody wants to hear or see more.
import { answersOf, problemOf, type LoadProblem, type AnswerCache } from '../../state/feeds/answer-cache';
import { seriesFeedOf } from '../../state/feeds/tag-series.svelte';
import { onePerPage } from '../../state/one-per-page.svelte';
import type { Page } from '../../state/page.svelte';
import type { SoundPeaks } from '../../wire/client';
import { DecodedSounds, isLong, isTooLong, UnplayableError, whyNeverPlayed } from './decoding';
import { SoundEngine } from './sound-engine';
import { measured } from './measure';
import { theOutput } from './output';
import { BUCKETS, peaksPath, soundPath, type SoundItem } from './sound-item';
import type { TransportNeeds } from './transport.svelte';

export interface SoundFacts {
  readonly durationS: number;
  readonly least: readonly number[];
  readonly greatest: readonly number[];
}

/** Sounds that the server does not decode are fetched for their waveform if they are no larger. */
const MOST_UNASKED_BYTES = 2 * 1024 * 1024;

export class Sound {
  readonly item: SoundItem;
  readonly #answers: AnswerCache;
  readonly #decoded: DecodedSounds;
  /** Of what was decoded: the same address means another sound after a new start of the server. */
  readonly #key: string;
  /** What the server says; null: not here yet. */
  peaks = $state.raw<SoundPeaks | null>(null);
  /** null: only decoding can tell. */
  facts = $state.raw<SoundFacts | null>(null);
  problem = $state.raw<LoadProblem | null>(null);

  constructor(page: Page, item: SoundItem) {
    this.item = item;
    this.#answers = answersOf(page.client);
    this.#decoded = decodedOf(page);
    this.#key = `${seriesFeedOf(page).generation} ${soundPath(item)}`;
  }

  /** Too long to be decoded unasked: the browser's own player plays it. */
  get isLong(): boolean {
    return this.peaks !== null && isLong(this.peaks);
  }

  async load(signal: AbortSignal): Promise<void> {
    try {
      const { blob } = await this.#answers.load(peaksPath(this.item), signal);
      const peaks = JSON.parse(await blob.text()) as SoundPeaks;
      if (peaks.is_decoded) {
        const { least, greatest, duration_s: durationS } = peaks;
        this.facts = { least, greatest, durationS };
      }
      this.peaks = peaks;
      const hasNothing = peaks.is_decoded && peaks.duration_s === 0;
      const message = hasNothing ? peaks.note || 'The sound has no samples' : whyNeverPlayed(peaks);
      this.problem = message === null ? null : { message, isTemporary: false };
      if (!peaks.is_decoded && peaks.size_bytes <= MOST_UNASKED_BYTES) await this.buffer(signal);
    } catch (error) {
      this.problem = signal.aborted ? null : problemOf(error);
    }
  }

  /** The samples. Rejects with a sentence when they cannot be had. */
  async buffer(signal?: AbortSignal): Promise<AudioBuffer> {
    if (this.peaks !== null && isTooLong(this.peaks)) {
      throw new Error('This sound is too long to be decoded in a browser. It can be played on its own');
    }
    const load = async (): Promise<Blob> => (await this.#answers.load(soundPath(this.item), signal)).blob;
    const decode = (): Promise<AudioBuffer> => this.#decoded.get(this.#key, this.peaks?.rate_hz ?? 0, load);
    const buffer = await decode().catch((error: unknown) => {
      // Somebody else had asked first, and has given up.
      if (problemOf(error) === null && signal?.aborted !== true) return decode();
      throw this.#explained(error);
    });
    if (this.facts === null) {
      this.facts = { ...(await measured(buffer, BUCKETS)), durationS: buffer.duration };
    }
    return buffer;
  }

  /** When the file is known to be damaged, that is why it cannot be played. */
  #explained(error: unknown): unknown {
    const note = this.peaks?.note ?? '';
    return error instanceof UnplayableError && note !== '' ? new Error(note) : error;
  }
}

/** Loudspeakers that were asleep take a moment. */
const LONGEST_WAKING_MS = 2000;

/** Without a sound device Firefox never answers, and the clock of what plays stands still. */
async function wakeUp(): Promise<void> {
  const { context } = theOutput();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    const error = new Error('Nothing can be heard: this browser has no sound device, or may not use it');
    timer = setTimeout(() => reject(error), LONGEST_WAKING_MS);
  });
  await Promise.race([context.resume(), tooLong]).finally(() => clearTimeout(timer));
}

/** For a transport: what it asks when it is to play these. */
export function playing(sounds: readonly Sound[]): TransportNeeds {
  const prepare = async (): Promise<SoundEngine> =>
    new SoundEngine(theOutput(), await Promise.all(sounds.map((sound) => sound.buffer())));
  return { prepare, wakeUp };
}

/** For a transport that has no sound yet: pressed early, it plays as soon as one takes this place. */
export const WAITING: TransportNeeds = { prepare: () => new Promise(() => undefined), wakeUp };

const decodedOf = onePerPage(() => new DecodedSounds());
