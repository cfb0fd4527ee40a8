"""Tables as text for documents: Markdown, LaTeX (booktabs), CSV. Every cell is data: nothing in it is taken
for markup."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import Literal

TableFormat = Literal["md", "tex", "csv"]
TABLE_FORMATS: tuple[TableFormat, ...] = ("md", "tex", "csv")

Cells = Sequence[Sequence[str]]

_LATEX = {
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "±": r"$\pm$",
    "–": "--",
}
_MARKDOWN_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!])")
_EXPONENT = re.compile(r"(?<![\w.])(-?[0-9]+(?:\.[0-9]+)?)e([+-]?[0-9]+)(?!\w)")
_LINE_BREAKS = re.compile(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+\s*")


def text_table(header: Sequence[str], rows: Cells, *, format: TableFormat, text_columns: int = 1) -> str:
    """The table as text that ends in a line break. The first ``text_columns`` columns are words, set to the
    left; all others are numbers, set to the right."""
    if format == "csv":
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([header, *rows])
        return out.getvalue()
    clean = [[_LINE_BREAKS.sub(" ", cell).strip() for cell in row] for row in [header, *rows]]
    return (_markdown if format == "md" else _latex)(clean, text_columns)


def _markdown(cells: Cells, text_columns: int) -> str:
    texts = [[_MARKDOWN_SPECIAL.sub(r"\\\1", cell) for cell in row] for row in cells]
    widths = [max(3, *map(len, column)) for column in zip(*texts, strict=True)]

    def line(row: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if place < text_columns else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return f"| {' | '.join(padded)} |\n"

    rule = [
        "-" * width if place < text_columns else "-" * (width - 1) + ":" for place, width in enumerate(widths)
    ]
    return line(texts[0]) + line(rule) + "".join(map(line, texts[1:]))


def _latex_cell(text: str, *, is_number: bool) -> str:
    escaped = "".join(_LATEX.get(letter, letter) for letter in text)
    if not is_number:
        return escaped
    return _EXPONENT.sub(lambda match: rf"${match[1]} \times 10^{{{int(match[2])}}}$", escaped)


def _latex(cells: Cells, text_columns: int) -> str:
    texts = [
        [_latex_cell(cell, is_number=place >= text_columns) for place, cell in enumerate(row)]
        for row in cells
    ]
    columns = "l" * text_columns + "r" * (len(texts[0]) - text_columns)
    lines = [f"  {' & '.join(row)} \\\\" for row in texts]
    return "\n".join(
        [
            f"\\begin{{tabular}}{{{columns}}}",
            "  \\toprule",
            lines[0],
            "  \\midrule",
            *lines[1:],
            "  \\bottomrule",
            "\\end{tabular}",
            "",
        ]
    )
