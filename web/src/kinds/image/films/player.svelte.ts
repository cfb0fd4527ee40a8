// The player: films side by side on one clock. It moves the clock at every animation frame and sends each film where the clock
// is. The longest film says how long it takes; a shorter one holds its last frame until all begin again. The clock waits while a
// film is on its way, so that none is left behind.
import { clamp } from '../../../base/arrays';
import type { FrameClock } from '../../../base/scheduler';
import { problemOf } from '../../../state/feeds/answer-cache';
import type { PictureItem } from '../picture-item';
import type { Film, FilmProblem } from './film';
import type { Loaded, LoadedFilm } from './load-film';
import type { Timeline } from './timeline';

/** A film that does not come back from a jump must not stop the others for ever. */
const LONGEST_WAIT_MS = 1500;
/** A page in the background draws nothing; what passed meanwhile is not made up for. */
const LONGEST_TICK_S = 0.25;
/** The last moment that still belongs to the film. */
const BEFORE_END_S = 1e-6;
const SLOWEST = 0.1;
const FASTEST = 4;

/** `sharing`: how many films there are at the moment. */
export type LoadFilm = (item: PictureItem, sharing: () => number, signal: AbortSignal) => Promise<Loaded>;

/** One film's place in the player. It stays when another step of the series is chosen. */
export class FilmPane {
  readonly id: number;
  item = $state.raw<PictureItem | null>(null);
  loaded = $state.raw<LoadedFilm | null>(null);
  problem = $state.raw<FilmProblem | null>(null);
  isLoading = $state(false);
  /** −1: none yet. */
  shownFrame = $state(-1);
  loading: AbortController | null = null;
  /** In which its address means this film (SeriesFeed.generation): the numbers of runs may mean other ones later. */
  generation = 0;

  constructor(id: number) {
    this.id = id;
  }

  get film(): Film | null {
    return this.loaded?.film ?? null;
  }

  close(): void {
    this.loading?.abort();
    this.film?.close();
    this.loaded = null;
    this.item = null;
  }

  /** What people see of its film. One bad frame is a problem until the next one is shown. */
  mirror(): void {
    if (this.film === null) return;
    const { shownFrame, problem } = this.film;
    this.shownFrame = shownFrame;
    if ((this.problem?.message ?? '') === problem) return;
    this.problem = problem === '' ? null : { message: problem, detail: '', isTemporary: false };
  }
}

export class FilmPlayer {
  readonly #load: LoadFilm;
  readonly #frames: FrameClock;
  #requested: number | null = null;
  #lastMs: number | null = null;
  #waitingMs = 0;
  #nextId = 0;
  #isClosed = false;
  /** To be gone to as soon as its films are there, unless somebody goes elsewhere before. */
  #wishedFrame = $state.raw<number | null>(null);

  panes = $state.raw<readonly FilmPane[]>([]);
  timeS = $state(0);
  isPlaying = $state(false);
  isLooping = $state(true);
  #speed = $state(1);

  constructor(load: LoadFilm, frames: FrameClock) {
    this.#load = load;
    this.#frames = frames;
  }

  /** Of the longest film; null: none is there. */
  get timeline(): Timeline | null {
    let longest: Timeline | null = null;
    for (const { timeline } of this.#films) if (timeline.endS > (longest?.endS ?? 0)) longest = timeline;
    return longest;
  }

  get frame(): number {
    return this.timeline?.frameAt(this.timeS) ?? 0;
  }

  /** Seconds of film in a second. */
  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    this.#speed = clamp(speed, SLOWEST, FASTEST);
    this.#request();
  }

  // ---- films ----

  /**
   * One film for each place; another one takes the place of the film that is there, which stays in sight until then. null: there
   * is none; undefined: not known yet, and what is there stays. In another `generation` the same addresses lead to other films.
   */
  show(items: readonly (PictureItem | null | undefined)[], generation: number): void {
    for (const gone of this.panes.slice(items.length)) gone.close();
    this.panes = items.map((_, i) => this.panes[i] ?? new FilmPane(this.#nextId++));
    for (const [i, pane] of this.panes.entries()) {
      const item = items[i];
      if (item === null) pane.close();
      else if (item !== undefined && !(pane.generation === generation && isSameFilm(pane.item, item))) {
        pane.item = item;
        pane.generation = generation;
        void this.reload(pane);
      }
    }
    this.#refit();
  }

  remove(position: number): void {
    this.panes[position]?.close();
    this.panes = this.panes.filter((_, i) => i !== position);
    this.#refit();
  }

  async reload(pane: FilmPane): Promise<void> {
    if (pane.item === null) return;
    pane.loading?.abort();
    const abort = new AbortController();
    pane.loading = abort;
    pane.isLoading = true;
    const sharing = (): number => Math.max(1, this.panes.length);
    const loaded = await this.#load(pane.item, sharing, abort.signal).catch(failedBy);
    if (abort.signal.aborted) {
      loaded.film?.close();
      return;
    }
    // The one before stays in sight until now.
    pane.film?.close();
    pane.shownFrame = -1;
    pane.loaded = loaded.film === null ? null : loaded;
    pane.problem = loaded.film === null ? loaded.problem : null;
    if (loaded.film !== null) {
      loaded.film.onchange = () => {
        pane.mirror();
        this.#request();
      };
    }
    pane.isLoading = false;
    this.#refit();
  }

  /** Goes there, now and again with every film that comes: which one is longest is known with the last of them. */
  restore(frame: number): void {
    this.#wishedFrame = frame;
    this.#refit();
  }

  /** All films are there. */
  endRestoring(): void {
    this.#wishedFrame = null;
  }

  get isRestoring(): boolean {
    return this.#wishedFrame !== null;
  }

  close(): void {
    this.#isClosed = true;
    if (this.#requested !== null) this.#frames.cancelFrame(this.#requested);
    for (const pane of this.panes) pane.close();
    this.panes = [];
  }

  // ---- controls ----

  toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** From the beginning again at the end. Also before there is a film: it plays as soon as it is there. */
  play(): void {
    this.#wishedFrame = null;
    if (this.timeS >= (this.timeline?.endS ?? Infinity) - 2 * BEFORE_END_S) this.timeS = 0;
    this.isPlaying = true;
    this.#request();
  }

  pause(): void {
    this.#wishedFrame = null;
    this.isPlaying = false;
    this.#request();
  }

  seekFrame(frame: number): void {
    const { timeline } = this;
    if (timeline === null) return;
    this.#wishedFrame = null;
    this.timeS = timeline.startOf(frame);
    this.#request();
  }

  /** Stands at the next (1) or previous (−1) frame; at an end, goes round if it repeats. */
  stepFrame(by: 1 | -1): void {
    const { timeline, frame } = this;
    if (timeline === null) return;
    this.isPlaying = false;
    const next = frame + by;
    this.seekFrame(this.isLooping ? (next + timeline.count) % timeline.count : next);
  }

  toEnd(isLast: boolean): void {
    this.seekFrame(isLast ? Infinity : 0);
  }

  // ---- inside ----

  get #films(): Film[] {
    return this.panes.flatMap(({ film }) => film ?? []);
  }

  /** Other films: the place stays where it is as long as there is such a place. */
  #refit(): void {
    const { timeline } = this;
    if (timeline !== null) {
      if (this.#wishedFrame !== null) this.timeS = timeline.startOf(this.#wishedFrame);
      this.timeS = clamp(this.timeS, 0, timeline.endS - BEFORE_END_S);
    }
    this.#request();
  }

  #request(): void {
    if (this.#isClosed) return;
    this.#requested ??= this.#frames.requestFrame(() => {
      this.#requested = null;
      this.#tick();
    });
  }

  #tick(): void {
    const nowMs = this.#frames.nowMs();
    const passedMs = this.#lastMs === null ? 0 : nowMs - this.#lastMs;
    const films = this.#films;
    const isWaiting = films.some(({ isReady, problem }) => !isReady && problem === '');
    this.#waitingMs = isWaiting ? this.#waitingMs + passedMs : 0;
    if (!isWaiting || this.#waitingMs > LONGEST_WAIT_MS) this.#advance(passedMs / 1000);
    for (const film of films) {
      const { timeline } = film;
      const isOver = this.timeS >= timeline.endS;
      film.follow({
        timeS: isOver ? timeline.middleOf(timeline.count - 1) : this.timeS,
        rate: this.isPlaying && !isOver ? this.speed : 0,
      });
    }
    for (const pane of this.panes) pane.mirror();
    // A film that stands and is on its way tells when it has arrived.
    const isMoving = this.isPlaying && films.some(({ problem }) => problem === '');
    this.#lastMs = isMoving ? nowMs : null;
    if (isMoving) this.#request();
  }

  #advance(passedS: number): void {
    const endS = this.timeline?.endS ?? 0;
    if (!this.isPlaying || endS === 0) return;
    const nextS = this.timeS + Math.min(passedS, LONGEST_TICK_S) * this.speed;
    if (nextS < endS) this.timeS = nextS;
    else if (this.isLooping) this.timeS = nextS % endS;
    else {
      this.timeS = endS - BEFORE_END_S;
      this.isPlaying = false;
    }
  }
}

/** Positions move when a job is restarted, steps stay. */
function isSameFilm(a: PictureItem | null, b: PictureItem): boolean {
  return a?.run === b.run && a.tag === b.tag && a.sample === b.sample && a.step === b.step;
}

/** Whatever went wrong: a film that nobody waits for any more is of no interest, all others have a sentence. */
function failedBy(error: unknown): Loaded {
  const problem = problemOf(error) ?? { message: 'The film was not loaded to its end.', isTemporary: true };
  return { film: null, problem: { ...problem, detail: '' } };
}
