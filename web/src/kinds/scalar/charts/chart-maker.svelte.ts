// What people do with charts of their own: put cards together, edit, copy, delete, pass on as files. Dragging, menus, the
// palette and files all end here, and here it becomes a change of the view. Loaded after the first charts. See
// chart-edits.ts for the edits themselves.
import { tick } from 'svelte';
import type { Page } from '../../../state/page.svelte';
import type { CardId, ChartSpec, LineSpec } from '../../../state/types';
import { chartFileOf, fileText } from '../../../state/settings/view-file';
import type { MenuItem } from '../../../widgets/menu-item';
import {
  isInMiddle,
  setDropFinder,
  type Dragged,
  type Drop,
  type Point,
} from '../../../board/cards/card-drag';
import { focusSlot, slotOf } from '../../../board/cards/card-focus';
import { chartCardId } from '../../../board/cards/card-spec';
import { emptyChart, hasRoomFor, MOST_LINES, newChartId } from '../../../board/cards/own-charts';
import { cardSpecOf, specOfChart, type ChartCard } from '../card-spec';
import { addLoggedCharts } from '../layout/add-charts';
import { LAYOUT_KIND } from '../layout/layout-feed.svelte';
import { safeStem, saveBlob } from '../../../widgets/save-file';
import type { CardHandle } from '../../../board/board.svelte';
import { arrange, arrangementOf } from '../../../board/cards/section-edits';
import {
  copyTitle,
  isSameChart,
  namesOf,
  newLines,
  restored,
  withChart,
  withLines,
  withNewChart,
  withoutChart,
} from './chart-edits';
import { chartFrom } from './chart-files';

/** What the editor is open for. */
export interface ChartQuestion {
  /** What it begins with. */
  readonly draft: ChartSpec;
  /** It is not in the view yet. */
  readonly isNew: boolean;
  /** The card that a new one is put behind. */
  readonly beside: CardId | null;
}

/** Where a chart is put: behind this card, and among the pins if it was seen there. */
interface Place {
  readonly beside: CardId | null;
  readonly isPinned: boolean;
}

const NOWHERE: Place = { beside: null, isPinned: false };

export class ChartMaker {
  readonly #page: Page;
  readonly #endings: (() => void)[];
  question = $state.raw<ChartQuestion | null>(null);

  /** `currentCard`: the one that commands are about. */
  constructor(
    page: Page,
    currentCard: () => (Pick<CardHandle, 'id'> & { readonly spec?: ChartCard }) | null = () => null,
  ) {
    this.#page = page;
    const command = (id: string, title: string, run: () => void, isAvailable = () => true): (() => void) =>
      page.commands.register({ id: `scalar.${id}`, title, group: 'Charts', run, isAvailable });
    const current = () => currentCard()?.id ?? null;
    const currentChart = () => this.chartOf(current() ?? '');
    this.#endings = [
      setDropFinder('onto', (dragged, over, point) => this.#dropAt(dragged, over, point)),
      command('new-chart', 'New chart…', () => this.create()),
      command('open-chart', 'Open a chart file…', () => this.chooseFiles()),
      command(
        'combine',
        'Combine this chart with…',
        () => this.combineInEditor(current(), currentCard()?.spec),
        () => current() !== null,
      ),
      command(
        'edit-chart',
        'Edit this chart…',
        () => this.edit(currentChart()),
        () => currentChart() !== undefined,
      ),
    ];
  }

  destroy(): void {
    for (const end of this.#endings) end();
  }

  /** What the page's menu for new things offers. */
  get addItems(): MenuItem[] {
    const page = this.#page;
    return [
      ...(page.tags.ofKind(LAYOUT_KIND).length > 0
        ? [{ label: 'Add custom scalars', run: () => void addLoggedCharts(page) }]
        : []),
      { label: 'New chart…', run: () => this.create() },
      { label: 'Open chart file…', run: () => this.chooseFiles() },
    ];
  }

  /** What a card's menu offers. */
  items(id: CardId, spec?: ChartCard): MenuItem[] {
    const chart = this.chartOf(id);
    if (spec?.isFixed) {
      return [
        { kind: 'heading', label: 'Chart' },
        { label: 'Edit as a chart of your own…', icon: 'edit', run: () => this.combineInEditor(id, spec) },
        { kind: 'separator' },
      ];
    }
    if (chart === undefined) {
      return [
        { kind: 'heading', label: 'Chart' },
        { label: 'Combine with…', icon: 'plus', run: () => this.combineInEditor(id) },
        { kind: 'separator' },
      ];
    }
    return [
      { kind: 'heading', label: 'Chart' },
      { label: 'Edit chart…', icon: 'edit', run: () => this.edit(chart) },
      { label: 'Duplicate', icon: 'copy', run: () => this.duplicate(chart) },
      { label: 'Save as chart file', icon: 'download', run: () => this.saveFile(chart) },
      { label: 'Delete chart', icon: 'trash', run: () => this.remove(chart) },
      { kind: 'separator' },
    ];
  }

  chartOf(id: CardId): ChartSpec | undefined {
    return this.#view.charts.find((chart) => chartCardId(chart.id) === id);
  }

  create(): void {
    this.#begin([], null);
  }

  /** A chart of one's own gets more lines, anything else becomes a new chart that begins with its lines. */
  combineInEditor(card: CardId | null, spec = card === null ? null : cardSpecOf(this.#page, card)): void {
    const chart = this.chartOf(card ?? '');
    if (chart !== undefined) this.edit(chart);
    else if (spec?.isFixed) this.#begin(spec.lines, null, spec.title);
    else if (spec) this.#begin(spec.lines, card);
  }

  #begin(lines: readonly LineSpec[], beside: CardId | null, title = ''): void {
    if (!hasRoomFor(this.#page, 1)) return;
    const draft = { ...emptyChart(newChartId(this.#view.charts)), title, lines };
    this.question = { draft, isNew: true, beside };
  }

  /** Nothing happens without one. */
  edit(chart: ChartSpec | undefined): void {
    if (chart !== undefined) this.question = { draft: chart, isNew: false, beside: null };
  }

  /** What the editor was told: a chart of the view, or a new one. */
  save(chart: ChartSpec): void {
    const view = this.#view;
    const before = view.charts.find(({ id }) => id === chart.id);
    if (before === undefined) {
      this.#add(chart, { beside: this.question?.beside ?? null, isPinned: false });
      return;
    }
    if (isSameChart(before, chart)) return;
    view.charts = withChart(view.charts, chart);
    this.#page.announce(`Changed ${specOfChart(chart).title}`, {
      label: 'Undo',
      run: () => (view.charts = withChart(view.charts, before)),
    });
  }

  /** The editor was closed without saving. */
  discard(draft: ChartSpec): void {
    const { question } = this;
    this.#page.announce('The changes of the chart were not saved', {
      label: 'Back to them',
      run: () => (this.question = question && { ...question, draft }),
    });
  }

  duplicate(chart: ChartSpec): void {
    if (!hasRoomFor(this.#page, 1)) return;
    const { charts } = this.#view;
    const copy = { ...chart, id: newChartId(charts), title: copyTitle(chart.title, charts) };
    this.#add(copy, { beside: chartCardId(chart.id), isPinned: false });
    this.#announceNew(copy, `Copied ${specOfChart(chart).title}`);
  }

  remove(chart: ChartSpec): void {
    const view = this.#view;
    const card = chartCardId(chart.id);
    const without = withoutChart(arrangementOf(this.#view), chart.id);
    if (without === null) return;
    if (view.fullScreenCard === card) view.fullScreenCard = null;
    arrange(this.#view, without.arrangement);
    this.#page.announce(`Deleted the chart ${specOfChart(chart).title}`, {
      label: 'Undo',
      run: () => {
        arrange(this.#view, restored(arrangementOf(this.#view), without.removed));
        showSoon(card);
      },
    });
  }

  saveFile(chart: ChartSpec): void {
    const text = fileText(chartFileOf(chart));
    const name = `${safeStem(specOfChart(chart).title, 'chart')}.chart.json`;
    saveBlob(new Blob([text], { type: 'application/json' }), name);
  }

  chooseFiles(): void {
    const input = document.createElement('input');
    Object.assign(input, { type: 'file', accept: '.json,application/json', multiple: true });
    input.addEventListener('change', () => void this.openFiles([...(input.files ?? [])]));
    input.click();
  }

  async openFiles(files: readonly File[]): Promise<void> {
    for (const file of files) {
      const { chart, problems } = await chartFrom(file);
      if (chart === null) {
        this.#page.announce(`${file.name} was not opened. ${problems.join('. ')}`);
        continue;
      }
      if (!hasRoomFor(this.#page, 1)) return;
      // What has the same id here may be another chart by now: nothing is written over.
      const isTaken = this.#view.charts.some(({ id }) => id === chart.id);
      const own = isTaken ? { ...chart, id: newChartId(this.#view.charts) } : chart;
      this.#add(own, NOWHERE);
      const more = problems.length > 0 ? `. ${problems.join('. ')}` : '';
      this.#announceNew(own, `Opened ${file.name}${more}`);
    }
  }

  get #view(): Page['view'] {
    return this.#page.view;
  }

  #add(chart: ChartSpec, place: Place): void {
    arrange(this.#view, withNewChart(arrangementOf(this.#view), chart, place));
    showSoon(chartCardId(chart.id));
  }

  #announceNew(chart: ChartSpec, text: string): void {
    this.#page.announce(text, {
      label: 'Undo',
      run: () => {
        const without = withoutChart(arrangementOf(this.#view), chart.id);
        if (without !== null) arrange(this.#view, without.arrangement);
      },
    });
  }

  /** Lines are added to a chart of one's own; anything else becomes a new chart, and stays what it is. */
  combine(target: CardId, more: readonly LineSpec[], place: Place): void {
    const page = this.#page;
    const spec = cardSpecOf(page, target);
    if (spec === null) return;
    const added = newLines(spec.lines, more);
    if (added.length === 0) {
      page.announce(`${spec.title} has ${namesOf(more)} already`);
      return;
    }
    if (spec.lines.length + added.length > MOST_LINES) {
      page.announce(`A chart has ${MOST_LINES} lines at most`);
      return;
    }
    const chart = this.chartOf(target);
    if (chart !== undefined) {
      const view = this.#view;
      view.charts = withChart(view.charts, withLines(chart, added));
      page.announce(`Added ${namesOf(added)} to ${spec.title}`, {
        label: 'Undo',
        run: () => (view.charts = withChart(view.charts, chart)),
      });
      return;
    }
    if (!hasRoomFor(this.#page, 1)) return;
    const made = withLines({ ...emptyChart(newChartId(this.#view.charts)), lines: spec.lines }, added);
    this.#add(made, place);
    this.#announceNew(made, `Combined ${namesOf(made.lines)}`);
  }

  #dropAt({ id, slot }: Dragged, over: Element, point: Point): Drop | null {
    const target = over.closest<HTMLElement>('[data-card]');
    const targetId = target?.dataset['card'];
    if (!target || targetId === undefined || target === slot || targetId === id) return null;
    // At its sides a card is put before or behind the other one.
    if (!isInMiddle(target, point)) return null;
    const own = cardSpecOf(this.#page, id);
    const other = cardSpecOf(this.#page, targetId);
    if (own === null || other === null) return null;
    return {
      words: other.tag === null ? `Add to ${other.title}` : `Combine with ${other.title}`,
      mark: target.getBoundingClientRect(),
      drop: () => this.combine(targetId, own.lines, { beside: targetId, isPinned: this.#isInPins(target) }),
    };
  }

  #isInPins(element: Element | null): boolean {
    return element?.closest('[data-container]')?.getAttribute('data-container') === 'pins';
  }
}

/** Its place is there after the next change of the page. */
function showSoon(card: CardId): void {
  void tick().then(() => focusSlot(slotOf(card)));
}
