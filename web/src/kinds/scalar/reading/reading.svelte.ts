// Reading values off the charts: the step selector with its tables, limits of y for several cards, notes on points. Loaded
// after the first charts; cards that are near the viewport say that they are there. What it decides lies in the view (and
// so in links), notes in the workspace.
import { untrack } from 'svelte';
import { nearestIndex } from '../../../base/arrays';
import type { ChartMark, Range } from '../../../chart/types';
import { lineX, xKeyOf } from '../../../state/feeds/line-query';
import { newEditId } from '../../../state/workspace-edits';
import type { Page } from '../../../state/page.svelte';
import type { CardId, Selected, YRule } from '../../../state/types';
import type { MenuItem } from '../../../widgets/menu-item';
import type { Annotation } from '../../../wire/client';
import { seriesKey } from '../card-series';
import { chartCardId } from '../../../board/cards/card-spec';
import type { ChartCard } from '../card-spec';
import { annotatedName, annotationsByName, marksOf } from './annotation-marks';
import AnnotationEditor from './AnnotationEditor.svelte';
import { CardReader } from './card-reader.svelte';
import type { TableKind, TableSort } from './columns';
import type { CardModel } from '../card-model.svelte';
import ReadingTable from './ReadingTable.svelte';
import { inMode, modeOf, nextMode, snapped, type SelectorMode } from './selected-place';
import { StatisticsFeed } from './statistics-feed.svelte';
import { namesOn, ruleFor, union } from './y-rules';

/** A note that is being written. */
export interface OpenNote {
  readonly card: CardModel;
  /** As it was when it was opened; without a text it is new. */
  readonly annotation: Annotation;
  readonly value: number | null;
  /** Where it is on the card's x axis; null: nobody knows. */
  readonly x: number | null;
  readonly anchor: HTMLElement | { readonly x: number; readonly y: number };
}

export interface ReadingOptions {
  readonly page: Page;
  /** The chart that commands are about. */
  currentCard(): CardModel | null;
}

type Axis = 'left' | 'right';
const AXES: readonly Axis[] = ['left', 'right'];

const NO_MARKS: readonly ChartMark[] = [];
/** Before any chart has been drawn. */
const NOWHERE: Range = [0, 1];

export class Reading {
  // With the code that decides when they are there, so that whoever has one has the other.
  readonly Table = ReadingTable;
  readonly Editor = AnnotationEditor;
  readonly page: Page;
  readonly #options: ReadingOptions;
  readonly #feed: StatisticsFeed<CardModel>;
  readonly #endings: (() => void)[];
  /** Texts that were typed and not saved, by the point they are about. */
  readonly #drafts = new Map<string, string>();
  /** Limits that fit a card which was scrolled away; it still counts for those that share them. */
  readonly #left = new Map<string, { readonly condition: readonly unknown[]; readonly range: Range }>();

  #readers = $state.raw<ReadonlyMap<CardModel, CardReader>>(new Map());
  /** What the rows of each kind of table are sorted by. */
  sorts = $state.raw<Readonly<Record<TableKind, TableSort>>>({ step: null, range: null });
  /** A range is about the smoothed lines, not about the values as logged. */
  isRangeSmoothed = $state(false);
  note = $state.raw<OpenNote | null>(null);
  /** A note that is opened as soon as its chart is there, and forgotten when that is left. */
  #awaited = $state.raw<{ readonly id: string; readonly card: CardId; readonly run: number } | null>(null);
  /** That it is left out by the filter was said; once is enough while data come. */
  #isFilterNamed = false;
  dialog = $state.raw<'annotations' | 'y-rules' | null>(null);

  readonly #byName = $derived.by(() => annotationsByName(this.page.workspace.annotations));
  readonly #xKey = $derived.by(() => xKeyOf(lineX(null, this.page.view)));

  constructor(options: ReadingOptions) {
    this.#options = options;
    this.page = options.page;
    this.#feed = new StatisticsFeed<CardModel>({
      client: this.page.client,
      serverId: () => this.page.runs.serverId,
      wishes: () => {
        const readers = [...this.#readers.values()].filter(({ card }) => this.isReading(card));
        return new Map(readers.map((reader) => [reader.card, reader.wish()]));
      },
    });
    this.#endings = [
      ...this.#commands().map((command) => this.page.commands.register(command)),
      $effect.root(() => {
        $effect(() => this.#openAwaited());
      }),
      () => this.#feed.destroy(),
    ];
  }

  destroy(): void {
    for (const end of this.#endings) end();
  }

  // ---- cards -----------------------------------------------------------------------------------------------------

  /** The card is near the viewport; the answer says that it no longer is. */
  add(card: CardModel): () => void {
    return untrack(() => {
      this.#readers = new Map(this.#readers).set(card, new CardReader(this, card));
      return () => untrack(() => this.#remove(card));
    });
  }

  #remove(card: CardModel): void {
    for (const axis of AXES) {
      const rule = this.#ruleOf(card.spec, axis);
      const range = rule?.range === null ? this.#fitOf(card, axis) : null;
      if (range !== null) {
        this.#left.set(`${axis} ${card.id}`, { condition: this.#condition(rule, card.yScale), range });
      }
    }
    const readers = new Map(this.#readers);
    readers.delete(card);
    this.#readers = readers;
    if (this.note?.card === card) this.closeNote();
  }

  /** null: not near the viewport. */
  readerOf(card: CardModel): CardReader | null {
    return this.#readers.get(card) ?? null;
  }

  numbersOf(card: CardModel) {
    return this.#feed.numbersOf(card);
  }

  // ---- step selector ---------------------------------------------------------------------------------------------

  get mode(): SelectorMode {
    return modeOf(this.page.view.selected);
  }

  /** The card has the axis that the selector is on. */
  isReading(card: CardModel): boolean {
    return this.page.view.selected !== null && xKeyOf(card.x) === this.#xKey;
  }

  selectedIn(card: CardModel): Selected | null {
    return this.isReading(card) ? this.page.view.selected : null;
  }

  select(selected: Selected, card: CardModel): void {
    this.page.view.selected = snapped(selected, card.x.axis);
  }

  setMode(mode: SelectorMode, card: CardModel | null = null): void {
    const { view } = this.page;
    const { axis: kind } = lineX(null, view);
    const cursor = card !== null && xKeyOf(card.x) === this.#xKey ? (card.pointed?.x ?? null) : null;
    view.selected = inMode(mode, view.selected, this.#shownX, { cursor, kind });
  }

  get #shownX(): Range {
    const ranges = [...this.#readers.values()]
      .filter(({ card }) => xKeyOf(card.x) === this.#xKey && card.drawn.all.length > 0)
      .map(({ fit }) => fit.x);
    return union(ranges) ?? NOWHERE;
  }

  /** All rows of the card's table for a spreadsheet; null: there is no such table. */
  tsvOf(card: CardModel): string | null {
    return this.isReading(card) ? (this.readerOf(card)?.tsv() ?? null) : null;
  }

  // ---- what a card's menu offers ---------------------------------------------------------------------------------

  items(card: CardModel): MenuItem[] {
    const { mode } = this;
    const modeItem = (label: string, of: SelectorMode): MenuItem => ({
      label,
      isChecked: mode === of,
      run: () => this.setMode(mode === of ? 'off' : of, card),
    });
    return [
      { kind: 'heading', label: 'Step selector' },
      modeItem('One step', 'step'),
      modeItem('Range', 'range'),
      {
        label: 'Range of the smoothed lines',
        isChecked: this.isRangeSmoothed,
        isDisabled: mode !== 'range',
        run: () => (this.isRangeSmoothed = !this.isRangeSmoothed),
      },
      { kind: 'separator' },
      { label: 'Note at the cursor…', icon: 'edit', hint: 'N', run: () => this.annotateAtCursor(card) },
    ];
  }

  // ---- limits of y -----------------------------------------------------------------------------------------------

  /** What a rule says about the card's axis; null: none does, or nobody knows yet. */
  yRangeOf(card: CardModel, axis: Axis = 'left'): Range | null {
    const rule = this.#ruleOf(card.spec, axis);
    return rule === null ? null : (rule.range ?? this.#sharedRange(rule, card));
  }

  #ruleOf(spec: ChartCard, axis: Axis): YRule | null {
    const { yRules } = this.page.view;
    return yRules.length === 0 ? null : ruleFor(yRules, namesOn(spec, axis));
  }

  /** Limits that fit all cards which follow the rule and are drawn on the same scale. */
  #sharedRange(rule: YRule, { yScale }: CardModel): Range | null {
    const ranges = new Map<string, Range>();
    const condition = this.#condition(rule, yScale);
    for (const [place, left] of this.#left) {
      if (isSame(left.condition, condition)) ranges.set(place, left.range);
    }
    for (const { card } of this.#readers.values()) {
      for (const axis of AXES) {
        const isOne = card.yScale === yScale && this.#ruleOf(card.spec, axis) === rule;
        const range = isOne ? this.#fitOf(card, axis) : null;
        if (range !== null) ranges.set(`${axis} ${card.id}`, range);
      }
    }
    return union([...ranges.values()]);
  }

  #fitOf(card: CardModel, axis: Axis): Range | null {
    const fit = card.drawn.all.length === 0 ? null : this.readerOf(card)?.fit;
    return (axis === 'left' ? fit?.y : fit?.right?.range) ?? null;
  }

  /** What remembered limits depend on: they are forgotten with any change of it. */
  #condition(rule: YRule | null, yScale: string): readonly unknown[] {
    const { view, runs } = this.page;
    const { kind, amount } = view.smoothing;
    const { xRange, baseline, ignoreOutliers } = view;
    return [
      rule,
      yScale,
      runs.visibleIds,
      kind,
      amount,
      xRange?.join(),
      this.#xKey,
      baseline,
      ignoreOutliers,
    ];
  }

  // ---- notes on points -------------------------------------------------------------------------------------------

  marksIn(card: CardModel): readonly ChartMark[] {
    return this.readerOf(card)?.marks ?? NO_MARKS;
  }

  /** For a reader: again when notes, lines or the axis change. */
  marksOf({ spec, x, drawn }: CardModel): readonly ChartMark[] {
    const { view, runs } = this.page;
    if (!view.showAnnotations || this.#byName.size === 0) return NO_MARKS;
    return marksOf(spec, x.axis, drawn, { byName: this.#byName, idOf: (name) => runs.idOf(name) });
  }

  /** What was typed stays until it is saved or thrown away. */
  closeNote(): void {
    this.note = null;
  }

  draftOf({ annotation }: OpenNote): string | null {
    return this.#drafts.get(draftKey(annotation)) ?? null;
  }

  keepDraft({ annotation }: OpenNote, text: string | null): void {
    if (text === null || text === annotation.text) this.#drafts.delete(draftKey(annotation));
    else this.#drafts.set(draftKey(annotation), text);
  }

  openMark(card: CardModel, id: string): void {
    const annotation = this.page.workspace.annotations.find((one) => one.id === id);
    if (annotation) this.#open(card, annotation);
  }

  annotateAtCursor(card: CardModel): void {
    const { pointed } = card;
    if (pointed === null)
      this.page.announce('Point at a line first: the note goes to the point under the cursor');
    else this.annotate(card, pointed.key, pointed.x);
  }

  /** A new note on the line's point nearest to x, or the one that is there already. */
  annotate(card: CardModel, key: string, x: number): void {
    const series = card.drawn.get(key);
    if (series === undefined) return;
    const { run } = series;
    const lines = card.spec.lines;
    const line = run === null ? -1 : lines.findIndex((_, index) => seriesKey(run, false, index) === key);
    if (run === null || line === -1) {
      this.page.announce(
        'A note belongs to a point of one run; this line is made from several, or was abandoned',
      );
      return;
    }
    const { step, value, smoothed } = series.rowAt(nearestIndex(series.chart.x, x));
    const tag = annotatedName(lines[line]!);
    const name = this.page.runs.byId.get(run)?.name ?? '';
    const known = this.#byName.get(tag)?.find((one) => one.run === name && one.step === step);
    this.#open(card, known ?? { id: newEditId(), tag, run: name, step, text: '' }, {
      value: smoothed ?? value,
      x,
    });
  }

  /** Opens its chart in full screen, and then the note. */
  goTo(annotation: Annotation): void {
    const { page } = this;
    const card = this.cardOf(annotation);
    const run = page.runs.idOf(annotation.run);
    if (card === null || run === undefined) return;
    this.#bringToLight(run);
    page.view.showAnnotations = true;
    page.view.fullScreenCard = card;
    this.dialog = null;
    this.#awaited = { id: annotation.id, card, run };
    this.#isFilterNamed = false;
  }

  /** A run can be out of sight in several ways. */
  #bringToLight(run: number): void {
    const { view, runs } = this.page;
    if (runs.isArchived(run)) view.showArchived = true;
    const { grouping } = view;
    if (grouping !== null && !grouping.areMembersShown && runs.groupOf(run) !== undefined) {
      view.grouping = { ...grouping, areMembersShown: true };
    }
    if (!runs.visibleIds.includes(run)) runs.setSelected([run], true);
  }

  /** A filter is somebody's work, so it is not thrown away unasked. */
  #nameFilter(run: number): void {
    const { view, runs } = this.page;
    if (this.#isFilterNamed || view.runFilter === '' || runs.visibleIds.includes(run)) return;
    this.#isFilterNamed = true;
    this.page.announce(`The note is on ${runs.displayName(run)}, which the filter of runs leaves out`, {
      label: 'Clear the filter',
      run: () => (view.runFilter = ''),
    });
  }

  /** The card that shows the line; null: none does. */
  cardOf({ tag }: Annotation): string | null {
    const { tags, view } = this.page;
    if (tags.find('scalar', tag) !== undefined) return tag;
    const chart = view.charts.find(({ lines }) => lines.some((line) => annotatedName(line) === tag));
    return chart === undefined ? null : chartCardId(chart.id);
  }

  #open(
    card: CardModel,
    annotation: Annotation,
    at: { readonly value: number | null; readonly x: number | null } = { value: null, x: null },
  ): void {
    const { host } = card;
    if (host === null) return;
    const x = this.readerOf(card)?.marks.find(({ id }) => id === annotation.id)?.x ?? at.x;
    this.note = { card, annotation, value: at.value, x, anchor: this.#anchorIn(card, host, x) };
  }

  /** Beside the pointer, or else about where the point is: only the engine knows exactly. */
  #anchorIn(card: CardModel, host: HTMLElement, x: number | null): OpenNote['anchor'] {
    const { left, top, width, height } = host.getBoundingClientRect();
    const pointer = card.pointed?.pointerPx ?? null;
    if (pointer !== null) return { x: left + pointer.left, y: top + pointer.top + 10 };
    const [from, to] = this.readerOf(card)?.fit.x ?? NOWHERE;
    const share = x === null || card.fitted.xScale === 'log' ? 0 : (x - from) / (to - from);
    return share > 0 && share <= 1 ? { x: left + share * width, y: top + height / 2 } : host;
  }

  #openAwaited(): void {
    if (this.#awaited === null) return;
    const { id, card: opened, run } = this.#awaited;
    if (this.page.view.fullScreenCard !== opened) {
      this.#awaited = null;
      return;
    }
    for (const { card, marks } of this.#readers.values()) {
      const isFull = card.id === opened && card.host?.closest('dialog');
      if (!isFull) continue;
      if (!marks.some((mark) => mark.id === id)) {
        // Only now: what is said before its dialog opens is behind that.
        untrack(() => this.#nameFilter(run));
        continue;
      }
      untrack(() => {
        this.#awaited = null;
        this.openMark(card, id);
      });
      return;
    }
  }

  #commands() {
    const group = 'Charts';
    const current = () => this.#options.currentCard();
    return [
      {
        id: 'scalar.step-selector',
        title: 'Step selector: step, range, off',
        keys: ['e'],
        group,
        isAvailable: () => this.#readers.size > 0,
        run: () => this.setMode(nextMode(this.mode), current()),
      },
      {
        id: 'scalar.annotate',
        title: 'Note on the point at the cursor…',
        keys: ['n'],
        group,
        isAvailable: () => current() !== null,
        run: () => {
          const card = current();
          if (card !== null) this.annotateAtCursor(card);
        },
      },
      {
        id: 'scalar.annotations',
        title: 'All notes on charts…',
        group,
        isAvailable: () => this.page.workspace.annotations.length > 0,
        run: () => (this.dialog = 'annotations'),
      },
      {
        id: 'scalar.y-rules',
        title: 'Limits of y for several charts…',
        group,
        run: () => (this.dialog = 'y-rules'),
      },
    ];
  }
}

function draftKey({ tag, run, step }: Annotation): string {
  return JSON.stringify([tag, run, step]);
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.every((part, index) => part === b[index]);
}
