// The table of values below a chart, written by hand: it changes with every move of the mouse in every visible card,
// and setting the text of cells that are there already is several times cheaper than any framework's way. Rows are
// made once and used again. A click on a number copies every digit of it.
import { formatExact, formatInteger } from '../../base/format';
import { formatMoment, formatSpan } from '../../base/time';
import { alignedNumbers } from './aligned-numbers';
import { fittedLabel, widthIn, type WidthOf } from './short-label';
import type { RowColumn, ValueRow, ValueRows } from './value-rows';

/** Digits shown; the clipboard gets all of them. */
const SHOWN_DIGITS = 5;
/** Of the first column, what is no name: the swatch and its distance. */
const SWATCH_PX = 20;

const COLUMNS: readonly RowColumn[] = ['run', 'smoothed', 'value', 'step', 'time', 'relative'];

const HEADINGS: Readonly<Record<RowColumn, string>> = {
  run: '',
  smoothed: 'Smoothed',
  value: 'Value',
  step: 'Step',
  time: 'Time',
  relative: 'Relative',
};

export interface ValueTableCallbacks {
  /** A number was clicked: `text` is all of it. */
  onCopy(text: string): void;
  /** The pointer is on a run's row, or has left them. */
  onRun(run: number | null): void;
  /** Given: headings are buttons that sort. */
  onSort?(column: RowColumn): void;
}

interface RowElements {
  readonly row: HTMLTableRowElement;
  readonly swatch: HTMLElement;
  readonly name: Text;
  readonly cells: Readonly<Record<Exclude<RowColumn, 'run'>, { cell: HTMLTableCellElement; text: Text }>>;
  shown: ValueRow | null;
}

export class ValueTable {
  readonly element: HTMLTableElement;
  readonly #place: Text;
  readonly #body: HTMLTableSectionElement;
  readonly #rows: RowElements[] = [];
  readonly #headings = new Map<RowColumn, HTMLTableCellElement>();
  #hasSmoothed: boolean | null = null;
  /** Names as they were cut for the width that holds now. */
  readonly #names = new Map<string, string>();
  #widthOf: WidthOf = () => 0;
  /** Of the first column without its padding; not known before it was measured. */
  #roomPx = Infinity;

  constructor(host: HTMLElement, callbacks: ValueTableCallbacks) {
    this.element = document.createElement('table');
    this.element.className = 'value-table';
    const head = this.element.createTHead().insertRow();
    this.#place = document.createTextNode('');
    for (const column of COLUMNS) {
      const cell = document.createElement('th');
      cell.scope = 'col';
      cell.className = column;
      const words = column === 'run' ? this.#place : document.createTextNode(HEADINGS[column]);
      cell.append(
        callbacks.onSort === undefined ? words : sortButton(words, () => callbacks.onSort?.(column)),
      );
      head.append(cell);
      this.#headings.set(column, cell);
    }
    this.#body = this.element.createTBody();
    this.#body.addEventListener('click', (event) => {
      const text = exactTextOf(this.#cellAt(event));
      if (text !== null) callbacks.onCopy(text);
    });
    this.#body.addEventListener('pointerover', (event) => callbacks.onRun(this.#rowAt(event)?.run ?? null));
    this.#body.addEventListener('pointerleave', () => callbacks.onRun(null));
    host.append(this.element);
  }

  /** `place` says where the values are from: "Step 1,200", "Last values". */
  show({ rows, count }: ValueRows, place: string, highlightedRun: number | null = null): void {
    const hasSmoothed = rows.some((row) => row.smoothed !== null);
    if (hasSmoothed !== this.#hasSmoothed && rows.length > 0) {
      this.#hasSmoothed = hasSmoothed;
      this.element.classList.toggle('has-smoothed', hasSmoothed);
      // A column more or less: names have another width.
      this.measure();
    }
    setText(this.#place, this.#heading(place, count - rows.length));
    const smoothed = alignedNumbers(
      rows.map((row) => row.smoothed),
      SHOWN_DIGITS,
    );
    const values = alignedNumbers(
      rows.map((row) => row.value),
      SHOWN_DIGITS,
    );
    for (const [index, row] of rows.entries()) {
      const elements = (this.#rows[index] ??= this.#makeRow());
      elements.row.hidden = false;
      fill(elements, row, {
        name: this.#nameOf(row.label),
        smoothed: smoothed[index]!,
        value: values[index]!,
      });
      elements.row.classList.toggle('is-highlighted', row.run === highlightedRun);
    }
    for (const spare of this.#rows.slice(rows.length)) {
      spare.row.hidden = true;
      spare.shown = null;
    }
  }

  /** Names get as wide as the first column is. Call it when the table's width has changed, then show the rows. */
  measure(): void {
    const column = this.#headings.get('run')!;
    const widthPx = column.getBoundingClientRect().width;
    // Not in sight, or not in the document yet: it is called again when it is.
    if (widthPx === 0) return;
    const style = getComputedStyle(column);
    const px = (text: string) => Number.parseFloat(text) || 0;
    this.#roomPx = widthPx - px(style.paddingLeft) - px(style.paddingRight);
    this.#widthOf = widthIn(style);
    this.#names.clear();
  }

  #nameOf(label: string): string {
    let name = this.#names.get(label);
    if (name === undefined) {
      name = fittedLabel(label, this.#roomPx - SWATCH_PX, this.#widthOf);
      this.#names.set(label, name);
    }
    return name;
  }

  #heading(place: string, moreCount: number): string {
    const more = formatInteger(moreCount);
    const forms = moreCount > 0 ? [`${place} · ${more} more`, `${place} +${more}`] : [place];
    const fits = (text: string) => this.#widthOf(text) <= this.#roomPx;
    return forms.find(fits) ?? fittedLabel(forms.at(-1)!, this.#roomPx, this.#widthOf);
  }

  /** Marks the heading that the rows are sorted by; null: none. */
  showSort(sort: { readonly column: RowColumn; readonly isDescending: boolean } | null): void {
    for (const [column, heading] of this.#headings) {
      if (sort?.column !== column) heading.removeAttribute('aria-sort');
      else heading.setAttribute('aria-sort', sort.isDescending ? 'descending' : 'ascending');
    }
  }

  #makeRow(): RowElements {
    const row = this.#body.insertRow();
    const runCell = document.createElement('th');
    runCell.scope = 'row';
    runCell.className = 'run';
    const swatch = document.createElement('i');
    swatch.className = 'swatch';
    const name = document.createTextNode('');
    runCell.append(swatch, name);
    row.append(runCell);
    const cellOf = (column: RowColumn) => {
      const cell = row.insertCell();
      cell.className = column;
      const text = document.createTextNode('');
      cell.append(text);
      return { cell, text };
    };
    return {
      row,
      swatch,
      name,
      cells: {
        smoothed: cellOf('smoothed'),
        value: cellOf('value'),
        step: cellOf('step'),
        time: cellOf('time'),
        relative: cellOf('relative'),
      },
      shown: null,
    };
  }

  #rowAt(event: Event): ValueRow | null {
    return this.#cellAt(event)?.row ?? null;
  }

  #cellAt(event: Event): { row: ValueRow; column: RowColumn } | null {
    const cell = (event.target as Element).closest('td, th');
    const elements = this.#rows.find((candidate) => candidate.row === cell?.parentElement);
    if (cell === null || !elements?.shown) return null;
    return { row: elements.shown, column: cell.className as RowColumn };
  }
}

function sortButton(words: Text, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.append(words);
  button.addEventListener('click', onClick);
  return button;
}

function exactTextOf(place: { row: ValueRow; column: RowColumn } | null): string | null {
  if (place === null) return null;
  const { row, column } = place;
  if (column === 'run') return row.label;
  if (column === 'smoothed') return row.smoothed === null ? null : formatExact(row.smoothed);
  if (column === 'value') return formatExact(row.value);
  if (column === 'step') return formatExact(row.step);
  if (column === 'time') return Number.isFinite(row.wallS) ? new Date(row.wallS * 1000).toISOString() : null;
  return formatExact(row.relativeS);
}

interface RowTexts {
  readonly name: string;
  readonly smoothed: string;
  readonly value: string;
}

function fill(elements: RowElements, row: ValueRow, texts: RowTexts): void {
  const before = elements.shown;
  elements.shown = row;
  if (before?.color !== row.color) elements.swatch.style.color = row.color;
  if (before?.isDashed !== row.isDashed) elements.swatch.classList.toggle('is-dashed', row.isDashed);
  setText(elements.name, texts.name);
  // The whole name, where it was cut.
  if (before?.label !== row.label) elements.row.title = row.label;
  const { cells } = elements;
  setText(cells.smoothed.text, texts.smoothed);
  setText(cells.value.text, texts.value);
  setText(cells.step.text, formatInteger(row.step));
  setText(cells.time.text, formatMoment(row.wallS));
  setText(cells.relative.text, formatSpan(row.relativeS));
}

function setText(node: Text, text: string): void {
  if (node.data !== text) node.data = text;
}
