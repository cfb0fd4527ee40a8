"""Cells of a table: what they look like as text, and which comes before which.

A cell is None, a bool, a number, text, or the bytes of an image. Missing ones (None and NaN) have no place in
any order: they come last, whichever way a column is sorted.
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_BROWSER_INTEGER = 2**53 - 1
# Powers of ten that JavaScript writes without an exponent, and so do we.
_PLAIN_POWERS = range(-6, 21)
# As the page shows fractions (formatValue in base/format.ts, shownText in media/tables/grid-window.ts).
_SHOWN_DIGITS = 6
_SHOWN_PLAIN_POWERS = range(-4, 6)
# As many as are looked at in one go: other threads wait until they are done.
PIECE_ROWS = 4_096


def is_missing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def text_of(cell: Any) -> str:
    """With every digit, as JavaScript's ``String`` has it: what people copy is what their search finds.
    Missing cells and images: "".

    >>> [text_of(cell) for cell in (True, 3.0, 0.25, 3e-5, 10**20, float("inf"), "a", None)]
    ['true', '3', '0.25', '0.00003', '100000000000000000000', 'Infinity', 'a', '']
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
        return _text_of_number(cell)
    return repr(cell)


def _text_of_number(number: float) -> str:
    text = repr(number)
    if "e" not in text:
        return "0" if number == 0 else text.removesuffix(".0")
    mantissa, _, exponent = text.partition("e")
    power = int(exponent)
    return f"{Decimal(text):f}" if power in _PLAIN_POWERS else f"{mantissa}e{power:+d}"


def shown_text_of(number: float) -> str:
    """A fraction as the page shows it, with six digits; halves go up.

    >>> [shown_text_of(number) for number in (0.123456789, 12345.25, 3e-5, 1234567.8)]
    ['0.123457', '12345.3', '3e-5', '1.23457e6']
    """
    exact = Decimal(number)
    first = Decimal(1).scaleb(exact.adjusted() - _SHOWN_DIGITS + 1)
    rounded = exact.quantize(first, ROUND_HALF_UP)
    power = rounded.adjusted()
    if power in _SHOWN_PLAIN_POWERS:
        return _without_zeros(f"{rounded:f}")
    return f"{_without_zeros(f'{rounded.scaleb(-power):f}')}e{power}"


def _without_zeros(text: str) -> str:
    return text.rstrip("0").removesuffix(".") if "." in text else text


# All that a number can look like, whole or in part.
_IN_NUMBERS = re.compile(r"[-0-9.e]+")


def text_test(wanted: str) -> Callable[[Any], bool]:
    """Whether a cell has the text, in whichever case: as it is shown, or with every digit."""
    wanted = wanted.casefold()
    is_in_numbers = _IN_NUMBERS.fullmatch(wanted) is not None

    def has_it(cell: Any) -> bool:
        if wanted in text_of(cell).casefold():
            return True
        is_fraction = isinstance(cell, float) and math.isfinite(cell) and not cell.is_integer()
        return is_in_numbers and is_fraction and wanted in shown_text_of(cell)

    return has_it


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
