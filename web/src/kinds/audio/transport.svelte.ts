// Play, pause, place, repeat: what the controls of one tile, or of a comparison, act on. On the whole page one of them plays
// at a time.
import { clamp } from '../../base/arrays';
import { messageOf } from '../../base/format';
import type { Engine } from './sound-engine';

export interface TransportNeeds {
  /** Fetches and decodes what is to be played; asked for by the first play. */
  readonly prepare: () => Promise<Engine>;
  /**
   * Called within the press of a button, which is when browsers allow a page to make sounds. Rejects with a sentence when
   * nothing would be heard.
   */
  readonly wakeUp: () => Promise<void>;
}

let playing: Transport | null = null;

/** Something else is heard now. */
export function silence(): void {
  playing?.pause();
}

export class Transport {
  #needs: TransportNeeds;
  #engine: Engine | null = null;
  /** What `prepare` brings for an earlier sound, or an earlier play, is of no use. */
  #generation = 0;
  #frame = 0;
  #isPlaying = $state(false);
  #isLoading = $state(false);
  #positionS = $state(0);
  #durationS = $state(0);
  #isLooping = $state(false);
  #problem = $state<string | null>(null);
  #heard = $state(0);
  #rate = 1;

  constructor(needs: TransportNeeds) {
    this.#needs = needs;
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  /** It plays as soon as it is here. */
  get isLoading(): boolean {
    return this.#isLoading;
  }

  get positionS(): number {
    return this.#positionS;
  }

  get durationS(): number {
    return this.#durationS;
  }

  get isLooping(): boolean {
    return this.#isLooping;
  }

  /** Why it does not play. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Which of the sounds is heard. */
  get heard(): number {
    return this.#heard;
  }

  play(): void {
    if (this.#isPlaying || this.#isLoading) return;
    this.#needs.wakeUp().catch((error: unknown) => this.#fallSilent(error));
    if (playing !== this) playing?.pause();
    // Long sounds have the browser's own player.
    for (const audio of document.querySelectorAll('audio')) audio.pause();
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the one that plays is a thing, not a scope
    playing = this;
    this.#problem = null;
    void this.#start();
  }

  pause(): void {
    if (this.#isLoading) {
      this.#isLoading = false;
      // What is on its way is of no use: who plays again asks again, and must not get two of them.
      this.#generation += 1;
    }
    if (!this.#isPlaying) return;
    this.#isPlaying = false;
    cancelAnimationFrame(this.#frame);
    this.#engine?.stop();
    this.#positionS = this.#engine?.positionS() ?? this.#positionS;
  }

  toggle(): void {
    if (this.#isPlaying || this.#isLoading) this.pause();
    else this.play();
  }

  seek(positionS: number): void {
    this.#positionS = clamp(positionS, 0, this.#durationS);
    if (!this.#isPlaying) return;
    if (!this.#isLooping && this.#positionS === this.#durationS) {
      this.pause();
      this.#positionS = this.#durationS;
    } else this.#engine?.start(this.#startS());
  }

  seekBy(byS: number): void {
    this.seek(this.#positionS + byS);
  }

  setLooping(isLooping: boolean): void {
    this.#isLooping = isLooping;
    if (this.#engine === null) return;
    this.#engine.isLooping = isLooping;
    if (this.#isPlaying) this.#engine.start(this.#engine.positionS());
  }

  setRate(rate: number): void {
    if (rate === this.#rate) return;
    this.#rate = rate;
    if (this.#engine !== null) this.#engine.rate = rate;
    if (this.#isPlaying) this.#engine?.start(this.#engine.positionS());
  }

  hear(index: number): void {
    this.#heard = index;
    this.#engine?.hear(index);
  }

  /** Another sound takes the place; it goes on where the old one was if that was playing. */
  replace(needs: TransportNeeds, durationS: number): void {
    const wasPlaying = this.#isPlaying || this.#isLoading;
    this.pause();
    this.#drop();
    this.#needs = needs;
    this.#problem = null;
    this.#setDuration(durationS);
    if (wasPlaying) this.play();
  }

  destroy(): void {
    this.pause();
    this.#drop();
    if (playing === this) playing = null;
  }

  #drop(): void {
    this.#generation += 1;
    this.#engine?.destroy();
    this.#engine = null;
  }

  /** A place that stands still while it seems to play would tell nobody why. */
  #fallSilent(error: unknown): void {
    if (!this.#isPlaying && !this.#isLoading) return;
    this.pause();
    this.#problem = messageOf(error);
  }

  async #start(): Promise<void> {
    if (this.#engine === null) {
      const generation = this.#generation;
      this.#isLoading = true;
      try {
        const engine = await this.#needs.prepare();
        if (generation !== this.#generation) {
          engine.destroy();
          return;
        }
        this.#take(engine);
      } catch (error) {
        if (generation !== this.#generation) return;
        this.#isLoading = false;
        this.#problem = messageOf(error);
        return;
      }
      this.#isLoading = false;
    }
    this.#isPlaying = true;
    this.#engine!.start(this.#startS());
    this.#follow();
  }

  #take(engine: Engine): void {
    this.#engine = engine;
    this.#setDuration(engine.durationS);
    engine.rate = this.#rate;
    engine.isLooping = this.#isLooping;
    engine.hear(this.#heard);
    engine.onend = () => {
      this.#isPlaying = false;
      cancelAnimationFrame(this.#frame);
      this.#positionS = this.#durationS;
    };
  }

  readonly #follow = (): void => {
    if (!this.#isPlaying || this.#engine === null) return;
    this.#positionS = this.#engine.positionS();
    this.#frame = requestAnimationFrame(this.#follow);
  };

  /** The beginning when the end was reached. */
  #startS(): number {
    return this.#positionS >= this.#durationS - 0.001 ? 0 : this.#positionS;
  }

  #setDuration(durationS: number): void {
    this.#durationS = durationS;
    this.#positionS = Math.min(this.#positionS, durationS);
  }
}
