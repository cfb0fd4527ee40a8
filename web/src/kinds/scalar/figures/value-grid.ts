// A table of chosen values for a paper or a message: rows are runs or groups, columns a statistic of a tag each. Pure: the numbers
// come from the server, this puts them together and writes them as Markdown, LaTeX or CSV. Whatever people named their runs
// and tags, the result is a table: each format escapes what means something in it.

export type GridFormat = 'markdown' | 'latex' | 'csv';
export type Best = 'none' | 'min' | 'max';

export interface GridRow {
  readonly title: string;
  readonly runs: readonly number[];
}

export interface GridColumn {
  readonly title: string;
  /** By run; runs without a value are not in it. */
  readonly values: ReadonlyMap<number, number>;
}

/** One or several runs' value: how many there are, what they are on average, and how far apart (null: of one). */
export interface Cell {
  readonly count: number;
  readonly mean: number;
  readonly std: number | null;
}

export interface Grid {
  readonly rowTitle: string;
  readonly columnTitles: readonly string[];
  readonly rows: readonly { readonly title: string; readonly cells: readonly (Cell | null)[] }[];
}

export function makeGrid(rowTitle: string, rows: readonly GridRow[], columns: readonly GridColumn[]): Grid {
  return {
    rowTitle,
    columnTitles: columns.map(({ title }) => title),
    // Who has none of the values is no part of the comparison.
    rows: rows
      .map(({ title, runs }) => ({
        title,
        cells: columns.map(({ values }) => cellOf(runs.flatMap((run) => values.get(run) ?? []))),
      }))
      .filter(({ cells }) => cells.some((cell) => cell !== null)),
  };
}

/** null without any value. The deviation is that of a sample (n − 1). */
export function cellOf(values: readonly number[]): Cell | null {
  const count = values.length;
  if (count === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count === 1) return { count, mean, std: null };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { count, mean, std: Math.sqrt(squares / (count - 1)) };
}

/** The rows whose cell is the best of each column; several when they are equal as written. */
export function bestRows(grid: Grid, best: Best, digits: number): readonly ReadonlySet<number>[] {
  return grid.columnTitles.map((_, column) => {
    if (best === 'none') return new Set<number>();
    const means = grid.rows.map(({ cells }) => cells[column]?.mean ?? NaN);
    const finite = means.filter(Number.isFinite);
    if (finite.length < 2) return new Set<number>();
    const champion = finite.reduce((a, b) => (best === 'min' ? Math.min(a, b) : Math.max(a, b)));
    const written = numberText(champion, digits);
    return new Set([...means.keys()].filter((row) => numberText(means[row]!, digits) === written));
  });
}

/** To so many significant digits, with the zeros that say so: values in a column are compared digit by digit. */
export function numberText(value: number, digits: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return '0';
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-4 && magnitude < 10 ** Math.max(6, digits)) {
    const rounded = Number(value.toPrecision(digits));
    const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(rounded))));
    return value.toFixed(decimals);
  }
  return value.toExponential(digits - 1).replace('e+', 'e');
}

/** The deviation has as many decimals as the mean: more would be noise, fewer would hide it. */
function partsOf({ mean, std }: Cell, digits: number): { mean: string; std: string | null } {
  const meanText = numberText(mean, digits);
  if (std === null) return { mean: meanText, std: null };
  const decimals = meanText.includes('e') ? null : (meanText.split('.')[1]?.length ?? 0);
  const isPlain = decimals !== null && Number.isFinite(mean) && Number.isFinite(std);
  const stdText = isPlain ? std.toFixed(decimals) : numberText(std, digits);
  // A deviation that would be written as nothing but zeros is written for itself.
  const isLost = std > 0 && Number(stdText) === 0;
  return { mean: meanText, std: isLost ? numberText(std, 1) : stdText };
}

export function gridText(grid: Grid, format: GridFormat, digits: number, best: Best): string {
  const champions = bestRows(grid, best, digits);
  switch (format) {
    case 'markdown':
      return markdown(grid, digits, champions);
    case 'latex':
      return latex(grid, digits, champions);
    case 'csv':
      return csv(grid);
  }
}

function markdown(grid: Grid, digits: number, champions: readonly ReadonlySet<number>[]): string {
  const body = grid.rows.map(({ title, cells }, row) => [
    markdownText(title),
    ...cells.map((cell, column) => {
      if (!cell) return '–';
      const { mean, std } = partsOf(cell, digits);
      const text = (std === null ? mean : `${mean} ± ${std}`).replace(/-/g, '−');
      return champions[column]!.has(row) ? `**${text}**` : text;
    }),
  ]);
  const lines = [[grid.rowTitle, ...grid.columnTitles].map(markdownText), ...body];
  const widths = lines[0]!.map((_, column) => Math.max(4, ...lines.map((line) => line[column]!.length)));
  // Written so that it can be read as it is, too.
  const padded = (line: readonly string[]): string => {
    const cells = line.map((text, i) => (i === 0 ? text.padEnd(widths[i]!) : text.padStart(widths[i]!)));
    return `| ${cells.join(' | ')} |`;
  };
  const rule = widths.map((width, i) =>
    i === 0 ? `:${'-'.repeat(width - 1)}` : `${'-'.repeat(width - 1)}:`,
  );
  const [head, ...rest] = lines;
  return `${[padded(head!), padded(rule), ...rest.map(padded)].join('\n')}\n`;
}

/** No letter of it is markup, none ends the cell, and none is HTML. */
export function markdownText(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]|~<>&$#@]/g, (letter) => MARKDOWN_ENTITIES[letter] ?? `\\${letter}`);
}

const MARKDOWN_ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };

function latex(grid: Grid, digits: number, champions: readonly ReadonlySet<number>[]): string {
  const line = (cells: readonly string[]): string => `  ${cells.join(' & ')} \\\\`;
  const body = grid.rows.map(({ title, cells }, row) =>
    line([
      latexText(title),
      ...cells.map((cell, column) => {
        if (!cell) return '--';
        const { mean, std } = partsOf(cell, digits);
        const text = std === null ? latexNumber(mean) : `${latexNumber(mean)} \\pm ${latexNumber(std)}`;
        return champions[column]!.has(row) ? `$\\mathbf{${text}}$` : `$${text}$`;
      }),
    ]),
  );
  return `${[
    '% \\usepackage{booktabs}',
    `\\begin{tabular}{l${'r'.repeat(grid.columnTitles.length)}}`,
    '  \\toprule',
    line([grid.rowTitle, ...grid.columnTitles].map(latexText)),
    '  \\midrule',
    ...body,
    '  \\bottomrule',
    '\\end{tabular}',
  ].join('\n')}\n`;
}

/** Within mathematics: 1.2e-5 is a power of ten, what is not finite is a word. */
function latexNumber(text: string): string {
  const [mantissa = '', exponent] = text.split('e');
  if (exponent !== undefined && /^-?\d+$/.test(exponent)) return `${mantissa} \\times 10^{${exponent}}`;
  if (text === 'Infinity') return '\\infty';
  if (text === '-Infinity') return '-\\infty';
  return text === 'NaN' ? '\\mathrm{NaN}' : text;
}

const LATEX_LETTERS: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  _: '\\_',
  '%': '\\%',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\textquotedbl{}',
  '`': '\\textasciigrave{}',
  // At the beginning of a row these would be read as options of the line break before it.
  '[': '{[}',
  '*': '{*}',
};

/** No letter of it is a command, and none joins its neighbour to something else. */
export function latexText(text: string): string {
  return oneLine(text)
    .replace(/[\\{}$&#_%~^<>|"`[*]/g, (letter) => LATEX_LETTERS[letter]!)
    .replace(/([-',])(?=\1)/g, '$1{}');
}

/** Every digit there is, mean and deviation in columns of their own: this one is for programs. */
function csv(grid: Grid): string {
  const hasStd = grid.rows.some(({ cells }) => cells.some((cell) => cell !== null && cell.std !== null));
  const head = [
    grid.rowTitle,
    ...grid.columnTitles.flatMap((title) =>
      hasStd ? [`${title} mean`, `${title} std`, `${title} n`] : [title],
    ),
  ];
  const body = grid.rows.map(({ title, cells }) => [
    title,
    ...cells.flatMap((cell) => {
      const mean = cell === null ? '' : String(cell.mean);
      return hasStd ? [mean, String(cell?.std ?? ''), String(cell?.count ?? 0)] : [mean];
    }),
  ]);
  return [head, ...body].map((line) => `${line.map(csvText).join(',')}\r\n`).join('');
}

/** Quoted where that is needed. Names that a spreadsheet would run as a formula get an apostrophe, numbers do not. */
export function csvText(text: string): string {
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text));
  const safe = /^[=+\-@\t\r]/.test(text) && !isNumber ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim();
}
