// What the viewer shows and what can be done to it. The pictures, how they are compared and where one looks are words of the
// view (viewer-words.ts), so that a link brings them; the rest (cursor, values, which pane has the keys) lives here.
import { untrack } from 'svelte';
import { colourIn, type ColourMap } from '../../../base/colour-maps';
import { valueDifference, type ColourTable } from '../../../base/pixels';
import { WorkQueue } from '../../../base/work-queue';
import { seriesFeedOf, type SeriesFeed } from '../../../state/feeds/tag-series.svelte';
import type { Page } from '../../../state/page.svelte';
import type { RenderedDifference, WishedLook } from '../../../workers/pixels.worker';
import { runsWithTag, wantValues } from '../../../board/tiles/compared-values.svelte';
import { slotValue, whyMissing } from '../../../board/tiles/slot-value';
import { readSlots, type Slot } from '../../../board/tiles/slots';
import { indexAtStep, unionOfSteps } from '../../../board/steps/steps';
import { hasFalseColour, lookOf } from '../picture-settings';
import { closeLater, Picture } from './picture.svelte';
import type { PixelSource } from './pixel-service';
import {
  DIFFERENCE_FACTOR,
  DIFFERENCE_MODE,
  MODE,
  MOST_SLOTS,
  OPEN,
  RANGE,
  setSetting,
  settingOf,
  VIEWPORT,
  type Mode,
} from './viewer-words';
import { clamped, type Point, type Size, type Viewport } from './viewport';

/** Where a link's viewport is written: not with every movement of a finger. */
const WRITE_DELAY_MS = 200;
const NO_STEPS = new Float64Array(0);

export class ViewerState {
  readonly page: Page;
  /** Made before anything is derived from it: Svelte does not follow what a derived has made itself. */
  readonly #media: SeriesFeed;
  readonly #pixels: PixelSource;
  readonly #queue = new WorkQueue();
  readonly #openText = $derived.by(() => this.page.view.kindWords[OPEN.word] ?? '');
  readonly slots = $derived.by(() => readSlots(this.#openText, MOST_SLOTS));
  readonly shown = $derived.by(() =>
    this.slots.map((slot) => slotValue(this.page, this.#media, 'image', slot)),
  );
  pictures = $state.raw<readonly Picture[]>([]);
  #viewport = $state.raw<Viewport | null>(null);
  /** Of each picture at the cursor; null: outside of it. */
  values = $state.raw<readonly (readonly number[] | null)[]>([]);
  /** null: it is being computed, or not asked for. */
  difference = $state.raw<RenderedDifference | 'impossible' | null>(null);
  /** Where one looks, as the view says it, and as it was last written or read here. */
  readonly #saidPlace = $derived.by(() => this.page.view.kindWords[VIEWPORT.word] ?? '');
  #knownPlace = '';
  #writeTimer: ReturnType<typeof setTimeout> | undefined;
  #questions = 0;

  /** The pane that keys are about. */
  active = $state(0);
  /** A pixel of the pictures; null: none is pointed at. */
  cursor = $state.raw<Point | null>(null);
  /** Arrow keys move the cursor instead of the step. */
  isCursorByKeys = $state(false);

  constructor(page: Page, pixels: PixelSource) {
    this.page = page;
    this.#media = seriesFeedOf(page);
    this.#pixels = pixels;
    this.#goToSaid();
    $effect(() => this.#goToSaid());
    wantValues(page, 'image', () => this.shown);
    $effect(() => this.#showAll());
    $effect(() => this.#readValues());
    $effect(() => this.#subtract());
    $effect(() => () => {
      clearTimeout(this.#writeTimer);
      for (const picture of this.pictures) picture.destroy();
      this.#questions += 1;
      this.#replaceDifference(null);
    });
  }

  /** None is shown or on its way: they do not exist, or cannot be shown. */
  readonly hasNothing = $derived.by(() =>
    this.shown.every(
      (shown, i) => !!this.pictures[i]?.problem || whyMissing(this.page, shown, 'pictures') !== '',
    ),
  );

  /** What makes the greatest difference as bright as can be; null: there is none, or it is not known yet. */
  readonly fittingFactor = $derived.by(() => {
    const difference = this.difference;
    if (difference === null || difference === 'impossible') return null;
    const { greatest } = difference.statistics;
    return greatest === 0 ? null : Math.floor((100 * difference.common.white) / greatest) / 100;
  });

  /** Of the two at the cursor, as it is shown; null: one of them has no value there. */
  readonly differenceAtCursor = $derived.by(() => {
    const [a, b] = this.pictures.map(({ drawn }, i) => {
      const values = this.values[i];
      return drawn && values ? { values, white: drawn.shape.white } : null;
    });
    if (this.mode !== 'difference' || !a || !b) return null;
    const by = valueDifference(a, b);
    return settingOf(this.page.view, DIFFERENCE_MODE) === 'signed' ? by : by.map(Math.abs);
  });

  // ---- how --------------------------------------------------------------------------------------------------------

  /** Of more or fewer than two there is only the grid. */
  readonly mode: Mode = $derived.by(() =>
    this.slots.length === 2 ? settingOf(this.page.view, MODE) : 'grid',
  );

  /** One slider moves all of them, unless a run is compared with itself at another step. */
  readonly areStepsTogether = $derived.by(() => {
    const places = new Set(this.slots.map(({ run, tag, sample }) => JSON.stringify([run, tag, sample])));
    return this.slots.length > 1 && places.size === this.slots.length;
  });

  setMode(mode: Mode): void {
    setSetting(this.page.view, MODE, mode);
  }

  /** Whether this picture is in false colours. */
  hasFalseColour(position: number): boolean {
    const channels = this.pictures[position]?.drawn?.shape.channels;
    return channels !== undefined && hasFalseColour(lookOf(this.page.view), channels);
  }

  // ---- where ------------------------------------------------------------------------------------------------------

  /** Of all pictures; null: all of them. */
  get viewport(): Viewport | null {
    return this.#viewport;
  }

  look(viewport: Viewport | null, picture: Size | null): void {
    this.#viewport = viewport !== null && picture !== null ? clamped(viewport, picture) : viewport;
    clearTimeout(this.#writeTimer);
    this.#writeTimer = setTimeout(() => {
      setSetting(this.page.view, VIEWPORT, this.#viewport);
      this.#knownPlace = this.#saidPlace;
    }, WRITE_DELAY_MS);
  }

  // ---- which ------------------------------------------------------------------------------------------------------

  readonly allSteps = $derived.by(() =>
    unionOfSteps(this.shown.flatMap(({ series }) => series?.steps ?? [])),
  );

  /** Of the slider for all: the latest step that any of them shows. */
  readonly stepOfAll = $derived.by(() =>
    Math.max(...this.shown.flatMap(({ item, slot }) => slot.step ?? item?.step ?? [])),
  );

  setIndex(position: number, index: number): void {
    const { series } = this.shown[position] ?? {};
    const step = series?.steps[Math.min(Math.max(index, 0), series.steps.length - 1)];
    if (step !== undefined) this.#change(position, { step });
  }

  setStepOfAll(step: number): void {
    this.#set(this.slots.map((slot) => ({ ...slot, step })));
  }

  /** What keys, the slider and playing go through: steps of all together, or of the picture with the keys. */
  readonly steps = $derived.by(() =>
    this.areStepsTogether ? this.allSteps : (this.shown[this.active]?.series?.steps ?? NO_STEPS),
  );
  /** Among these steps; −1: nothing is shown yet. */
  readonly stepIndex = $derived.by(() =>
    this.areStepsTogether
      ? indexAtStep(this.allSteps, this.stepOfAll)
      : (this.shown[this.active]?.index ?? -1),
  );

  showStep(index: number): void {
    if (!this.areStepsTogether) this.setIndex(this.active, index);
    else if (index in this.allSteps) this.setStepOfAll(this.allSteps[index]!);
  }

  moveStep(by: 1 | -1): void {
    this.showStep(this.stepIndex + by);
  }

  /** At a step; one that was looked at may have had more than the ends of its series. */
  samplesOf(run: number, tag: string): number {
    const seen = this.pictures.flatMap(({ drawn, facts }) =>
      drawn?.item.run === run && drawn.item.tag === tag ? (facts?.samples ?? 1) : [],
    );
    return Math.max(1, this.#media.series('image', tag, run)?.samples ?? 1, ...seen);
  }

  /** Every picture of the tag that one could look at instead: visible runs times samples. */
  places(tag: string): { readonly run: number; readonly sample: number }[] {
    return runsWithTag(this.page, 'image', tag).flatMap((run) => {
      const samples = this.samplesOf(run, tag);
      return Array.from({ length: samples }, (_, sample) => ({ run, sample }));
    });
  }

  /** The previous or next sample, then run. */
  movePlace(by: 1 | -1): void {
    const shown = this.shown[this.active];
    if (shown === undefined) return;
    const places = this.places(shown.slot.tag);
    const at = places.findIndex(({ run, sample }) => run === shown.run && sample === shown.slot.sample);
    const next = places[at === -1 ? 0 : at + by];
    if (next === undefined) return;
    this.#change(this.active, { run: this.#nameOf(next.run), sample: next.sample });
  }

  remove(position: number): void {
    if (this.slots.length < 2) return;
    this.#set(this.slots.filter((_, i) => i !== position));
  }

  /** Of two: each takes its pixels and the keys with it. */
  swap(): void {
    this.pictures = [...this.pictures].reverse();
    this.active = this.slots.length - 1 - this.active;
    this.#set([...this.slots].reverse());
  }

  #change(position: number, change: Partial<Slot>): void {
    this.#set(this.slots.map((slot, i) => (i === position ? { ...slot, ...change } : slot)));
  }

  #set(slots: readonly Slot[]): void {
    setSetting(this.page.view, OPEN, slots);
  }

  #nameOf(run: number): string {
    return this.page.runs.byId.get(run)?.name ?? '';
  }

  // ---- effects ----------------------------------------------------------------------------------------------------

  /** By a link: what was written here is known already. */
  #goToSaid(): void {
    const said = this.#saidPlace;
    if (said === this.#knownPlace) return;
    this.#knownPlace = said;
    // A movement on the way to the last link is none in this one.
    clearTimeout(this.#writeTimer);
    this.#viewport = untrack(() => settingOf(this.page.view, VIEWPORT));
  }

  #showAll(): void {
    const { view } = this.page;
    const { brightness, contrast, gamma, channel, colourMap } = lookOf(view);
    const choice = settingOf(view, RANGE);
    const look: WishedLook = {
      ...{ brightness, contrast, gamma, channel },
      range: choice === 'full' ? null : choice,
      colours: colourTable(colourMap),
    };
    const { shown } = this;
    const { generation } = this.#media;
    untrack(() => {
      const pictures = shown.map(
        (_, i) => this.pictures[i] ?? new Picture(this.page, this.#pixels, this.#queue),
      );
      for (const gone of this.pictures.slice(shown.length)) gone.destroy();
      this.active = Math.max(0, Math.min(this.active, shown.length - 1));
      if (pictures.length !== this.pictures.length) this.pictures = pictures;
      for (const [i, { item }] of shown.entries()) pictures[i]!.show(item, look, generation);
    });
  }

  #readValues(): void {
    const { cursor } = this;
    const keys = this.pictures.map(({ drawn }) => drawn?.key ?? '');
    if (cursor === null) {
      this.values = [];
      return;
    }
    void this.#pixels.ask({ type: 'values', keys, x: cursor.x, y: cursor.y }).then((values) => {
      // Of an older place it would be wrong, and a newer one is on its way.
      if (this.cursor === cursor) this.values = values ?? [];
    });
  }

  #subtract(): void {
    const question = ++this.#questions;
    const [a, b] = this.pictures.map(({ drawn }) => drawn?.key);
    if (this.mode !== 'difference' || a === undefined || b === undefined) {
      this.#replaceDifference(null);
      return;
    }
    const { view } = this.page;
    const mode = settingOf(view, DIFFERENCE_MODE);
    const { colourMap, channel } = lookOf(view);
    const colours = colourTable(mode === 'signed' && colourMap === 'none' ? 'coolwarm' : colourMap);
    const look = { channel, mode, colours, factor: settingOf(view, DIFFERENCE_FACTOR) };
    void this.#pixels.ask({ type: 'difference', a, b, look }).then((difference) => {
      if (question === this.#questions) this.#replaceDifference(difference ?? 'impossible');
      else difference?.bitmap.close();
    });
  }

  #replaceDifference(next: RenderedDifference | 'impossible' | null): void {
    const before = untrack(() => this.difference);
    this.difference = next;
    if (before !== null && before !== 'impossible') closeLater(before.bitmap);
  }
}

const tables = new Map<ColourMap, ColourTable>();

/** A colour map as the table that pixels are taken through; null: none. Made once, not to be changed. */
function colourTable(map: ColourMap): ColourTable | null {
  if (map === 'none') return null;
  let table = tables.get(map);
  if (table === undefined) {
    const colours = Array.from({ length: 256 }, (_, i) => colourIn(map, i / 255)).flat();
    table = Uint8Array.from(colours, (channel) => Math.round(255 * channel));
    tables.set(map, table);
  }
  return table;
}
