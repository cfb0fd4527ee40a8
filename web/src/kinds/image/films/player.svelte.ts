// The player: films side by side and what drives them. It moves the clock at every animation frame, sends each film where the
// clock is, and mirrors what people see (place, frame, speed) for the components. The clock waits while a film is on its way, so that
// none is left behind.
import type { FrameClock } from '../../../base/scheduler';
import { problemOf } from '../../../state/feeds/answer-cache';
import type { PictureItem } from '../picture-item';
import { FilmClock } from './clock';
import type { Film } from './film';
import { MOST_FILMS, type FrameRegion } from './film-words';
import type { Loaded } from './load-film';
import { leaderOf, targetOf, type Sync } from './sync';
import type { Timeline } from './timeline';
import type { FilmProblem } from './unplayable';

/** A film that does not come back from a jump must not stop the others for ever. */
const LONGEST_WAIT_MS = 1500;

/** `sharing`: how many films there are at the moment. */
export type LoadFilm = (item: PictureItem, sharing: () => number, signal: AbortSignal) => Promise<Loaded>;

/** Where a link wants the films to be. */
export interface FilmPlace {
  /** One for all, or one for each where each goes its own way; null: where they are. */
  readonly frames: readonly number[] | null;
  readonly region: FrameRegion | null;
}

/** One film's place in the player. It stays when another step of the series is chosen. */
export class FilmPane {
  readonly id: number;
  /** For when each film goes its own way. */
  readonly clock = new FilmClock();
  item = $state.raw() as PictureItem;
  film = $state.raw<Film | null>(null);
  loaded = $state.raw<Extract<Loaded, { film: Film }> | null>(null);
  problem = $state.raw<FilmProblem | null>(null);
  isLoading = $state(true);
  /** −1: none yet. */
  shownFrame = $state(-1);
  loading: AbortController | null = null;
  /** In which its address means this film (SeriesFeed.generation): the numbers of runs may mean other ones later. */
  generation = 0;

  constructor(id: number, item: PictureItem) {
    this.id = id;
    this.item = item;
  }
}

export class FilmPlayer {
  readonly #load: LoadFilm;
  readonly #frames: FrameClock;
  readonly #shared = new FilmClock();
  #requested: number | null = null;
  #lastMs: number | null = null;
  #waitingMs = 0;
  #nextId = 0;
  #isClosed = false;
  /** To be gone to as soon as its films are there, unless somebody goes elsewhere before. */
  #wished = $state.raw<FilmPlace | null>(null);

  #panes = $state.raw<readonly FilmPane[]>([]);
  #sync = $state<Sync>('time');
  #activeId = $state(0);
  // What the clock of the controls says.
  #timeS = $state(0);
  #isPlaying = $state(false);
  #isBackwards = $state(false);
  #isLooping = $state(true);
  #speed = $state(1);
  #region = $state.raw<FrameRegion | null>(null);

  constructor(load: LoadFilm, frames: FrameClock) {
    this.#load = load;
    this.#frames = frames;
  }

  get panes(): readonly FilmPane[] {
    return this.#panes;
  }

  get sync(): Sync {
    return this.#sync;
  }

  /** The one that the controls are about while each goes its own way. */
  get active(): FilmPane | undefined {
    return this.#panes.find(({ id }) => id === this.#activeId) ?? this.#panes[0];
  }

  get timeS(): number {
    return this.#timeS;
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  get isBackwards(): boolean {
    return this.#isBackwards;
  }

  get isLooping(): boolean {
    return this.#isLooping;
  }

  get speed(): number {
    return this.#speed;
  }

  get region(): FrameRegion | null {
    return this.#region;
  }

  /** Of what the controls are about: the film that leads, or the active one. null: no film is there that could be led. */
  get timeline(): Timeline | null {
    if (this.#sync === 'off') return this.active?.film?.timeline ?? null;
    const timelines = this.#panes.flatMap(({ film }) => film?.timeline ?? []);
    return timelines[leaderOf(timelines, this.#sync)] ?? null;
  }

  get frame(): number {
    return this.timeline?.frameAt(this.#timeS) ?? 0;
  }

  /** Where they stand, as a link says it; null: they play. */
  get frames(): readonly number[] | null {
    if (this.#sync !== 'off') return this.#isPlaying ? null : [this.frame];
    if (this.#isPlaying || this.#led().some(({ clock }) => clock.isPlaying)) return null;
    const { active } = this;
    return this.#panes.map((pane) => {
      // Only the controls can move one, and they mean the active one.
      return pane.film?.timeline?.frameAt(pane === active ? this.#timeS : pane.clock.timeS) ?? 0;
    });
  }

  // ---- films ----

  /** null: there are enough. */
  add(item: PictureItem): FilmPane | null {
    if (this.#panes.length >= MOST_FILMS) return null;
    const pane = new FilmPane(this.#nextId++, item);
    copyClock(this.#clock, pane.clock);
    this.#panes = [...this.#panes, pane];
    void this.#fill(pane);
    return pane;
  }

  remove(pane: FilmPane): void {
    this.#panes = this.#panes.filter((one) => one !== pane);
    pane.loading?.abort();
    pane.film?.close();
    this.#refit();
  }

  /** The same ones in another order: the first leads the others while there is no better reason. */
  arrange(panes: readonly FilmPane[]): void {
    this.#panes = panes;
  }

  /** Another step of its series, at the same position. */
  change(pane: FilmPane, item: PictureItem): void {
    pane.item = item;
    void this.#fill(pane);
  }

  reload(pane: FilmPane): void {
    void this.#fill(pane);
  }

  activate(pane: FilmPane): void {
    this.#activeId = pane.id;
    this.#refit();
  }

  setSync(sync: Sync): void {
    if (sync === this.#sync) return;
    if (sync === 'off') {
      for (const pane of this.#panes) copyClock(this.#shared, pane.clock);
    } else if (this.#sync === 'off' && this.active !== undefined) {
      copyClock(this.active.clock, this.#shared);
    }
    this.#sync = sync;
    this.#refit();
  }

  /** Goes there, now and again with every film that comes: which one leads is known with the last of them. */
  restore(place: FilmPlace): void {
    this.#wished = place;
    this.#goToWished();
  }

  /** All films are there. */
  endRestoring(): void {
    this.#wished = null;
  }

  get isRestoring(): boolean {
    return this.#wished !== null;
  }

  // ---- controls ----

  toggle(): void {
    if (this.#clock.isPlaying) this.pause();
    else this.play();
  }

  play(isBackwards = false): void {
    this.#wished = null;
    this.#clock.play(isBackwards);
    this.#mirror();
  }

  pause(): void {
    this.#wished = null;
    this.#clock.pause();
    this.#mirror();
  }

  /** j and l: play in this direction; again: twice as fast. */
  shuttle(isBackwards: boolean): void {
    this.#wished = null;
    const clock = this.#clock;
    if (clock.isPlaying && clock.isBackwards === isBackwards) clock.speed *= 2;
    clock.play(isBackwards);
    this.#mirror();
  }

  seekFrame(frame: number): void {
    const { timeline } = this;
    if (timeline === null) return;
    this.#wished = null;
    this.#clock.seek(timeline.startOf(frame));
    this.#mirror();
  }

  /** Stands at the next (1) or previous (−1) frame; at an end, goes round if it repeats. */
  stepFrame(by: 1 | -1): void {
    const { timeline } = this;
    if (timeline === null) return;
    this.#clock.pause();
    const first = this.#region?.first ?? 0;
    const last = Math.min(this.#region?.last ?? Infinity, timeline.count - 1);
    const from = timeline.frameAt(this.#clock.timeS);
    const next = from + by;
    const isOut = by > 0 ? from === last : from === first;
    this.seekFrame(isOut && this.#isLooping ? (by > 0 ? first : last) : next);
  }

  toEnd(isLast: boolean): void {
    const { timeline } = this;
    if (timeline === null) return;
    const { first, last } = this.#region ?? { first: 0, last: timeline.count - 1 };
    this.seekFrame(isLast ? last : first);
  }

  setSpeed(speed: number): void {
    for (const clock of this.#allClocks()) clock.speed = speed;
    this.#mirror();
  }

  setLooping(isLooping: boolean): void {
    for (const clock of this.#allClocks()) clock.isLooping = isLooping;
    this.#mirror();
  }

  /** null: all of it. Ends in the wrong order are put right. */
  setRegion(region: FrameRegion | null): void {
    this.#wished = null;
    this.#fitRegion(region);
  }

  /** A is where the region begins, B where it ends: here. */
  markRegion(end: 'A' | 'B'): void {
    const { timeline, frame } = this;
    if (timeline === null) return;
    const { first, last } = this.#region ?? { first: 0, last: timeline.count - 1 };
    if (end === 'A') this.setRegion({ first: frame, last: frame > last ? timeline.count - 1 : last });
    else this.setRegion({ first: frame < first ? 0 : first, last: frame });
  }

  close(): void {
    this.#isClosed = true;
    if (this.#requested !== null) this.#frames.cancelFrame(this.#requested);
    for (const pane of this.#panes) {
      pane.loading?.abort();
      pane.film?.close();
    }
    this.#panes = [];
  }

  // ---- inside ----

  get #clock(): FilmClock {
    return this.#sync === 'off' ? (this.active?.clock ?? this.#shared) : this.#shared;
  }

  #allClocks(): FilmClock[] {
    return this.#sync === 'off' ? [this.#clock] : [this.#shared, ...this.#panes.map(({ clock }) => clock)];
  }

  /** The films that follow a clock. */
  #led(): { clock: FilmClock; film: Film; timeline: Timeline }[] {
    return this.#panes.flatMap(({ clock, film }) => {
      const timeline = film?.timeline ?? null;
      return film === null || timeline === null ? [] : [{ clock, film, timeline }];
    });
  }

  async #fill(pane: FilmPane): Promise<void> {
    pane.loading?.abort();
    const abort = new AbortController();
    pane.loading = abort;
    pane.isLoading = true;
    const sharing = (): number => Math.max(1, this.#panes.length);
    const loaded = await this.#load(pane.item, sharing, abort.signal).catch(failedBy);
    if (abort.signal.aborted) {
      loaded.film?.close();
      return;
    }
    // The one before stays in sight until now.
    pane.film?.close();
    pane.film = loaded.film;
    pane.shownFrame = -1;
    pane.loaded = loaded.film === null ? null : loaded;
    pane.problem = loaded.film === null ? loaded.problem : null;
    if (loaded.film !== null) loaded.film.onchange = () => this.#hear(pane);
    pane.isLoading = false;
    this.#refit();
    this.#goToWished();
  }

  #hear(pane: FilmPane): void {
    if (pane.film === null || this.#isClosed) return;
    mirrorFilm(pane, pane.film);
    this.#request();
  }

  /** Other films, or another one leads: how long they take, and which frames the region has, is other than before. */
  #refit(): void {
    if (this.#sync === 'off') {
      for (const { clock, timeline } of this.#led()) clock.endS = timeline.endS;
    } else {
      this.#shared.endS = this.timeline?.endS ?? this.#shared.endS;
    }
    const { region } = this.#clock;
    const { timeline } = this;
    if (region === null || timeline === null || region.toS > timeline.endS + 1e-3) this.#fitRegion(null);
    else {
      const first = timeline.frameAt(region.fromS);
      this.#fitRegion({ first, last: timeline.frameAt(Math.max(region.fromS, region.toS - 1e-3)) });
    }
    this.#mirror();
  }

  #goToWished(): void {
    const { timeline } = this;
    if (this.#wished === null || timeline === null) return;
    const { frames, region } = this.#wished;
    if (this.#sync !== 'off') this.#seekOn(this.#shared, timeline, frames?.[0]);
    else
      for (const [i, { clock, film }] of this.#panes.entries())
        this.#seekOn(clock, film?.timeline ?? null, frames?.[i]);
    this.#fitRegion(region);
    this.#mirror();
  }

  #seekOn(clock: FilmClock, timeline: Timeline | null, frame: number | undefined): void {
    if (timeline !== null && frame !== undefined) clock.seek(timeline.startOf(frame));
  }

  #fitRegion(region: FrameRegion | null): void {
    const { timeline } = this;
    if (timeline === null || region === null) {
      this.#region = null;
      this.#clock.region = null;
    } else {
      const first = timeline.clamped(Math.min(region.first, region.last));
      const last = timeline.clamped(Math.max(region.first, region.last));
      this.#region = { first, last };
      this.#clock.region = timeline.stretchOf(first, last);
    }
    this.#request();
  }

  #mirror(): void {
    const clock = this.#clock;
    this.#timeS = clock.timeS;
    this.#isPlaying = clock.isPlaying;
    this.#isBackwards = clock.isBackwards;
    this.#isLooping = clock.isLooping;
    this.#speed = clock.speed;
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
    const led = this.#led();
    const films = led.filter(({ film }) => film.problem === '');
    const isWaiting = films.some(({ film }) => !film.isReady);
    this.#waitingMs = isWaiting ? this.#waitingMs + passedMs : 0;
    const mayMove = !isWaiting || this.#waitingMs > LONGEST_WAIT_MS;

    let isPlaying: boolean;
    if (this.#sync === 'off') {
      for (const { clock, film } of led) {
        if (film.isReady) clock.advance(passedMs / 1000);
        film.follow({ timeS: clock.timeS, rate: rateOf(clock) });
      }
      isPlaying = led.some(({ clock }) => clock.isPlaying);
    } else {
      if (mayMove) this.#shared.advance(passedMs / 1000);
      this.#followShared();
      isPlaying = this.#shared.isPlaying && films.length > 0;
    }
    for (const pane of this.#panes) if (pane.film !== null) mirrorFilm(pane, pane.film);
    this.#timeS = this.#clock.timeS;
    this.#isPlaying = this.#clock.isPlaying;
    // A film that stands and is on its way tells when it has arrived.
    this.#lastMs = isPlaying ? nowMs : null;
    if (isPlaying) this.#request();
  }

  #followShared(): void {
    const leader = this.timeline;
    if (leader === null) return;
    const rate = rateOf(this.#shared);
    for (const { film, timeline } of this.#led()) {
      const { timeS, pace } = targetOf(timeline, leader, this.#shared.timeS, this.#sync);
      film.follow({ timeS, rate: rate * pace });
    }
  }
}

/** Whatever went wrong: a film that nobody waits for any more is of no interest, all others have a sentence. */
function failedBy(error: unknown): Loaded {
  const problem = problemOf(error) ?? { message: 'The film was not loaded to its end.', isTemporary: true };
  return { film: null, problem: { ...problem, detail: '' } };
}

/** What people see of it. One bad frame is a problem until the next one is shown. */
function mirrorFilm(pane: FilmPane, { shownFrame, problem }: Film): void {
  pane.shownFrame = shownFrame;
  if ((pane.problem?.message ?? '') === problem) return;
  pane.problem = problem === '' ? null : { message: problem, detail: '', isTemporary: false };
}

function rateOf({ isPlaying, isBackwards, speed }: FilmClock): number {
  if (!isPlaying) return 0;
  return isBackwards ? -speed : speed;
}

function copyClock(from: FilmClock, to: FilmClock): void {
  to.endS = from.endS;
  to.seek(from.timeS);
  to.speed = from.speed;
  to.region = from.region;
  to.isLooping = from.isLooping;
  to.isBackwards = from.isBackwards;
  to.isPlaying = from.isPlaying;
}
