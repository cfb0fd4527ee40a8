// The table of values below a chart, written by hand: it changes with every move of the mouse in every visible card,
// and setting the text of cells that are there already is several times cheaper than any framework's way. Rows are
// made once and used again. A click on a number copies every digit of it.
import { formatExact, formatInteger, formatValue } from '../../base/format';
import { formatMoment, formatSpan } from '../../base/time';
import { alignedNumbers } from './aligned-numbers';
import { fittedLabel, widthIn, type WidthOf } from './short-label';
import {
  bandText,
  lineValue,
  membersText,
  type RowColumn,
  type ValueRow,
  type ValueRows,
} from './value-rows';

/** Digits shown; the clipboard gets all of them. */
const SHOWN_DIGITS = 5;
const BAND_DIGITS = 3;
const bandNumber = (value: number, leastDigits = 0) => formatValue(value, Math.max(BAND_DIGITS, leastDigits));
/** Of the first column, what is no name: the swatch and its distance. */
const SWATCH_PX = 20;

export interface ValueTableOptions {
  /** Some rows are groups of runs. */
  readonly hasGroups: boolean;
  /** Some rows are lines between two others. */
  readonly hasBounds?: boolean;
  /** What the values of groups are called: “Mean”. */
  readonly centerName: string;
  /** What a column of x is called, and its numbers in words. */
  readonly xName: string;
  readonly xText: (x: number) => string;
}

export interface ValueTableCallbacks {
  /** A number was clicked: `text` is all of it. */
  onCopy(text: string): void;
  /** The pointer is on a row, or has left them. */
  onRow(row: ValueRow | null): void;
  /** Given: headings are buttons that sort. */
  onSort?(column: RowColumn): void;
}

interface RowElements {
  readonly row: HTMLTableRowElement;
  readonly swatch: HTMLElement;
  readonly name: Text;
  /** Of all columns but the first. */
  readonly cells: ReadonlyMap<RowColumn, Text>;
  shown: ValueRow | null;
}

export class ValueTable {
  readonly element: HTMLTableElement;
  readonly #options: ValueTableOptions | null;
  readonly #columns: ReadonlyMap<RowColumn, Column>;
  readonly #place: Text;
  readonly #body: HTMLTableSectionElement;
  readonly #rows: RowElements[] = [];
  readonly #headings = new Map<RowColumn, HTMLTableCellElement>();
  #hasSmoothed: boolean | null = null;
  /** Characters of the longest text in the column of members. */
  #membersLength = 0;
  /** Names as they were cut for the width that holds now. */
  readonly #names = new Map<string, string>();
  #widthOf: WidthOf = () => 0;
  /** Of the first column without its padding; not known before it was measured. */
  #roomPx = Infinity;

  constructor(host: HTMLElement, callbacks: ValueTableCallbacks, options: ValueTableOptions | null = null) {
    this.#options = options;
    this.#columns = options?.hasGroups ? groupColumns(options) : runColumns(options?.hasBounds);
    this.element = document.createElement('table');
    this.element.className = options?.hasGroups ? 'value-table has-groups' : 'value-table';
    const head = this.element.createTHead().insertRow();
    this.#place = document.createTextNode('');
    for (const [column, { heading }] of this.#columns) {
      const cell = document.createElement('th');
      cell.scope = 'col';
      cell.className = column;
      const words = column === 'run' ? this.#place : document.createTextNode(heading);
      cell.append(
        callbacks.onSort === undefined ? words : sortButton(words, () => callbacks.onSort?.(column)),
      );
      head.append(cell);
      this.#headings.set(column, cell);
    }
    this.#body = this.element.createTBody();
    this.#body.addEventListener('click', (event) => {
      const cell = this.#cellAt(event);
      const text = cell && this.#columns.get(cell.column)!.exact(cell.row);
      if (text !== null) callbacks.onCopy(text);
    });
    this.#body.addEventListener('pointerover', (event) => callbacks.onRow(this.#cellAt(event)?.row ?? null));
    this.#body.addEventListener('pointerleave', () => callbacks.onRow(null));
    host.append(this.element);
  }

  /** `place` says where the values are from: "Step 1,200", "Last values". */
  show(
    { rows, count }: ValueRows,
    place: string,
    isHighlighted: (row: ValueRow) => boolean = () => false,
  ): void {
    const hasSmoothed = !this.#options?.hasGroups && rows.some((row) => row.smoothed !== null);
    if (hasSmoothed !== this.#hasSmoothed && rows.length > 0) {
      this.#hasSmoothed = hasSmoothed;
      this.element.classList.toggle('has-smoothed', hasSmoothed);
      // A column more or less: names have another width.
      this.measure();
    }
    const texts = new Map([...this.#columns].map(([column, { texts: of }]) => [column, of(rows)]));
    this.#makeRoomForMembers(texts.get('members') ?? []);
    setText(this.#place, this.#heading(place, count - rows.length));
    for (const [index, row] of rows.entries()) {
      const elements = (this.#rows[index] ??= this.#makeRow());
      elements.row.hidden = false;
      fill(elements, row, this.#nameOf(row.label));
      for (const [column, text] of elements.cells) setText(text, texts.get(column)![index]!);
      elements.row.classList.toggle('is-highlighted', isHighlighted(row));
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

  /** "3,333 of 10,000" is no cell of usual width. */
  #makeRoomForMembers(texts: readonly string[]): void {
    const length = texts.reduce((most, text) => Math.max(most, text.length), 0);
    if (length === this.#membersLength) return;
    this.#membersLength = length;
    this.#headings.get('members')!.style.width = length > 8 ? `calc(${length}ch + var(--space-2))` : '';
    this.measure();
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
    const cells = new Map<RowColumn, Text>();
    for (const column of [...this.#columns.keys()].slice(1)) {
      const cell = row.insertCell();
      cell.className = column;
      const text = document.createTextNode('');
      cell.append(text);
      cells.set(column, text);
    }
    return { row, swatch, name, cells, shown: null };
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

interface Column {
  readonly heading: string;
  /** Of all rows, as numbers of one column look alike. */
  readonly texts: (rows: readonly ValueRow[]) => readonly string[];
  /** With all digits; null: there is nothing to copy. */
  readonly exact: (row: ValueRow) => string | null;
}

const RUN: Column = { heading: '', texts: () => [], exact: ({ label }) => label };

function columnOf(
  heading: string,
  text: (row: ValueRow) => string,
  exact: (row: ValueRow) => string | null,
): Column {
  return { heading, texts: (rows) => rows.map(text), exact };
}

function alignedColumn(heading: string, of: (row: ValueRow) => number | null): Column {
  return {
    heading,
    texts: (rows) => alignedNumbers(rows.map(of), SHOWN_DIGITS),
    exact: (row) => {
      const value = of(row);
      return value === null ? null : formatExact(value);
    },
  };
}

const BAND: Column = columnOf(
  'Band',
  (row) => bandText(row, bandNumber),
  (row) => bandText(row, (value) => formatExact(value)) || null,
);

const runColumns = (hasBounds = false): ReadonlyMap<RowColumn, Column> =>
  new Map<RowColumn, Column>([
    ['run', RUN],
    ['smoothed', alignedColumn('Smoothed', ({ smoothed }) => smoothed)],
    ['value', alignedColumn('Value', ({ value }) => value)],
    ...(hasBounds ? [['band', BAND] as const] : []),
    [
      'step',
      columnOf(
        'Step',
        ({ step }) => formatInteger(step),
        ({ step }) => formatExact(step),
      ),
    ],
    [
      'time',
      columnOf(
        'Time',
        ({ wallS }) => formatMoment(wallS),
        ({ wallS }) => (Number.isFinite(wallS) ? new Date(wallS * 1000).toISOString() : null),
      ),
    ],
    [
      'relative',
      columnOf(
        'Relative',
        ({ relativeS }) => formatSpan(relativeS),
        ({ relativeS }) => formatExact(relativeS),
      ),
    ],
  ]);

/** A group has neither one step nor one time, but a band and members; among groups, the value of a run is that of its line. */
function groupColumns({ centerName, xName, xText }: ValueTableOptions): ReadonlyMap<RowColumn, Column> {
  return new Map<RowColumn, Column>([
    ['run', RUN],
    ['value', alignedColumn(centerName, lineValue)],
    ['band', BAND],
    ['members', columnOf('Runs', membersText, (row) => membersText(row) || null)],
    [
      'x',
      columnOf(
        xName,
        ({ x }) => xText(x),
        ({ x }) => formatExact(x),
      ),
    ],
  ]);
}

function fill(elements: RowElements, row: ValueRow, name: string): void {
  const before = elements.shown;
  elements.shown = row;
  if (before?.color !== row.color) elements.swatch.style.color = row.color;
  if (before?.isDashed !== row.isDashed) elements.swatch.classList.toggle('is-dashed', row.isDashed);
  setText(elements.name, name);
  // The whole name, where it was cut.
  if (before?.label !== row.label) elements.row.title = row.label;
}

function setText(node: Text, text: string): void {
  if (node.data !== text) node.data = text;
}
