import { describe, expect, test } from 'vitest';
import {
  bestRows,
  cellOf,
  csvText,
  gridText,
  latexText,
  makeGrid,
  markdownText,
  numberText,
  type GridRow,
} from './value-grid';
import { columnsFrom } from './value-questions';

const runs: GridRow[] = [
  { title: 'a', runs: [0] },
  { title: 'b', runs: [1] },
];
const groups: GridRow[] = [{ title: 'lr=0.1', runs: [0, 1, 2] }];
const column = (title: string, values: readonly number[]) => ({
  title,
  values: new Map(values.map((value, run) => [run, value])),
});

test('several runs are their mean and the deviation of a sample', () => {
  // numpy.std([1, 2, 6], ddof=1)
  expect(cellOf([1, 2, 6])).toEqual({ count: 3, mean: 3, std: 2.6457513110645907 });
  expect(cellOf([4])).toEqual({ count: 1, mean: 4, std: null });
  expect(cellOf([])).toBeNull();
});

test.each([
  [0.123456, 4, '0.1235'],
  [0.5, 3, '0.500'],
  [9.9996, 4, '10.00'],
  [123456.7, 4, '123457'],
  [0.00001234, 3, '1.23e-5'],
  [-2e10, 2, '-2.0e10'],
  [0, 4, '0'],
  [NaN, 4, 'NaN'],
])('%d to %d digits is %s', (value, digits, text) => {
  expect(numberText(value, digits)).toBe(text);
});

describe('the best', () => {
  const grid = makeGrid('Run', runs, [column('loss', [0.12341, 0.12344]), column('acc', [0.9, NaN])]);

  test('is what is best as written: equals share it', () => {
    expect(bestRows(grid, 'min', 4).map((rows) => [...rows])).toEqual([[0, 1], []]);
    expect(bestRows(grid, 'max', 5).map((rows) => [...rows])).toEqual([[1], []]);
    expect(bestRows(grid, 'none', 5).map((rows) => [...rows])).toEqual([[], []]);
  });
});

test('Markdown', () => {
  const grid = makeGrid('Group', groups, [column('loss', [1, 2, 6]), column('missing', [])]);
  expect(gridText(grid, 'markdown', 3, 'none')).toBe(
    '| Group  |        loss | missing |\n| :----- | ----------: | ------: |\n| lr=0.1 | 3.00 ± 2.65 |       – |\n',
  );
  const plain = makeGrid('Run', runs, [column('loss', [-0.5, 0.25])]);
  expect(gridText(plain, 'markdown', 2, 'min')).toContain('| a    | **−0.50** |');
});

test('rows without any value are left out', () => {
  const grid = makeGrid('Run', [...runs, { title: 'c', runs: [7] }], [column('loss', [1, 2])]);
  expect(grid.rows.map(({ title }) => title)).toEqual(['a', 'b']);
});

test('LaTeX', () => {
  const grid = makeGrid('Run', runs, [column('train/loss_1', [1.5e-7, 0.25])]);
  expect(gridText(grid, 'latex', 2, 'min')).toBe(
    [
      '% \\usepackage{booktabs}',
      '\\begin{tabular}{lr}',
      '  \\toprule',
      '  Run & train/loss\\_1 \\\\',
      '  \\midrule',
      '  a & $\\mathbf{1.5 \\times 10^{-7}}$ \\\\',
      '  b & $0.25$ \\\\',
      '  \\bottomrule',
      '\\end{tabular}\n',
    ].join('\n'),
  );
  const group = makeGrid('Group', groups, [column('loss', [1, 2, 6])]);
  expect(gridText(group, 'latex', 3, 'none')).toContain('$3.00 \\pm 2.65$');
});

test('CSV has every digit, and the parts of a group side by side', () => {
  const grid = makeGrid('Group', groups, [column('loss', [1, 2, 6])]);
  expect(gridText(grid, 'csv', 2, 'min')).toBe(
    'Group,loss mean,loss std,loss n\r\nlr=0.1,3,2.6457513110645907,3\r\n',
  );
  const plain = makeGrid('Run', runs, [column('a,b', [0.1, NaN])]);
  expect(gridText(plain, 'csv', 2, 'none')).toBe('Run,"a,b"\r\na,0.1\r\nb,NaN\r\n');
});

describe('names are only names', () => {
  test('in Markdown', () => {
    expect(markdownText('a|b\n<img src=x onerror=alert(1)> [x](javascript:1) **b** `c` $x$')).toBe(
      'a\\|b &lt;img src=x onerror=alert(1)&gt; \\[x\\](javascript:1) \\*\\*b\\*\\* \\`c\\` \\$x\\$',
    );
  });

  test('in LaTeX', () => {
    expect(latexText('\\input{x} $5 & 50% #1 a_b ~^ <|>" [2]')).toBe(
      '\\textbackslash{}input\\{x\\} \\$5 \\& 50\\% \\#1 a\\_b \\textasciitilde{}\\textasciicircum{} ' +
        '\\textless{}\\textbar{}\\textgreater{}\\textquotedbl{} {[}2]',
    );
    // No two dashes become one, no line begins a comment.
    expect(latexText("a---b-c\n%d '' ?`")).toBe("a-{}-{}-b-c \\%d '{}' ?\\textasciigrave{}");
  });

  test('in CSV', () => {
    expect(csvText('=HYPERLINK("x")')).toBe('"\'=HYPERLINK(""x"")"');
    expect(csvText('-1.5')).toBe('-1.5');
    expect(csvText('-run')).toBe("'-run");
  });
});

test('answers become columns; words become the numbers they mean', () => {
  const statistics = {
    run: [3, 5],
    end: ['NaN', 0.5],
    min: [null, 0.25],
    max: [1, 2],
    mean: [1, 2],
    median: [1, 2],
  };
  const at = { run: [5], value: [0.75] };
  const answer = { queries: [{ query: 0, statistics, at }] } as unknown as Parameters<typeof columnsFrom>[0];
  const asked = [{ title: 'loss', query: { tag: 'loss', runs: [3, 5] } }];
  const columns = columnsFrom(answer, asked, ['last', 'min', 'at']);
  expect(columns.map(({ title }) => title)).toEqual(['loss', 'loss (min)', 'loss (selected)']);
  expect(columns.map(({ values }) => [...values])).toEqual([
    [
      [3, NaN],
      [5, 0.5],
    ],
    [[5, 0.25]],
    [[5, 0.75]],
  ]);
});
