"""Cells of a table: what they look like as text, and which comes before which.

A cell is None, a bool, a number, text, or the bytes of an image. Missing ones (None and NaN) have no place in
any order: they come last, whichever way a column is sorted.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_BROWSER_INTEGER = 2**53 - 1
# From here on JavaScript writes an exponent, and so do we.
_FIRST_WITH_EXPONENT = 1e21
# As many as are looked at in one go: other threads wait until they are done.
PIECE_ROWS = 4_096


def is_missing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def text_of(cell: Any) -> str:
    """As a browser shows it: what people see is what their search finds. Missing cells and images: "".

    >>> [text_of(cell) for cell in (True, 3.0, 0.25, 10**20, float("inf"), "a", None)]
    ['true', '3', '0.25', '100000000000000000000', 'Infinity', 'a', '']
    """
    if isinstance(cell, str):
        return cell
    if cell is None or isinstance(cell, bytes):
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        if math.isnan(cell):
            return "NaN"
        if math.isinf(cell):
            return "Infinity" if cell > 0 else "-Infinity"
        if cell.is_integer() and abs(cell) < _FIRST_WITH_EXPONENT:
            return str(int(cell))
    return repr(cell)


def sorted_rows(cells: Sequence[Any], rows: Sequence[int], *, is_descending: bool) -> list[int]:
    """The rows in the order of their cells. Equal ones stay as they were, and missing ones come last,
    whichever way it goes."""
    present = [row for row in rows if not is_missing(cells[row])]
    missing = [row for row in rows if is_missing(cells[row])]
    numbers = _as_doubles([cells[row] for row in present])
    if numbers is None:
        return _merged(present, lambda row: _place(cells[row]), is_descending=is_descending) + missing
    order = np.argsort(-numbers if is_descending else numbers, kind="stable")
    return [
        present[position]
        for start in range(0, len(order), PIECE_ROWS)
        for position in order[start : start + PIECE_ROWS].tolist()
    ] + missing


def _as_doubles(cells: list[Any]) -> NDArray[np.float64] | None:
    """The cells, if they are all numbers that doubles tell apart. NumPy sorts those without the GIL."""
    if not all(
        type(cell) is float or (type(cell) is int and abs(cell) <= MAX_BROWSER_INTEGER) for cell in cells
    ):
        return None
    numbers = np.empty(len(cells))
    for start in range(0, len(cells), PIECE_ROWS):
        numbers[start : start + PIECE_ROWS] = cells[start : start + PIECE_ROWS]
    return numbers


def _merged(rows: list[int], place: Callable[[int], Any], *, is_descending: bool) -> list[int]:
    """The rows, sorted piece by piece: sorting a million texts at once would hold the GIL, and with it every
    answer of the server, for seconds. Sorting in reverse keeps the order of equal ones, too."""
    pieces = [
        sorted(rows[start : start + PIECE_ROWS], key=place, reverse=is_descending)
        for start in range(0, len(rows), PIECE_ROWS)
    ]
    return list(heapq.merge(*pieces, key=place, reverse=is_descending))


def _place(cell: Any) -> tuple[Any, ...]:
    """Truth values, numbers, texts, images: kinds that cannot be compared stand side by side. Case decides
    only between texts that are equal without it. Images keep their order."""
    if isinstance(cell, bool):
        return (0, cell)
    if isinstance(cell, (int, float)):
        return (1, cell)
    if isinstance(cell, str):
        return (2, cell.casefold(), cell)
    return (3,)


def is_between(cell: Any, least: float | None, greatest: float | None) -> bool:
    """Whether a number lies between the bounds. What is no number lies nowhere, unless there are none."""
    if least is None and greatest is None:
        return True
    if isinstance(cell, bool) or not isinstance(cell, (int, float)) or is_missing(cell):
        return False
    return (least is None or cell >= least) and (greatest is None or cell <= greatest)
