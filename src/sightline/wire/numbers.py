"""Numbers in JSON: what is not finite travels as a word, spelled as JavaScript and TensorBoard spell it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Number = float | str


def word_of(number: float) -> str:
    """The word for a number that is not finite."""
    if math.isnan(number):
        return "NaN"
    return "Infinity" if number > 0 else "-Infinity"


def json_number(number: float) -> Number:
    """The number, or the word for it when JSON cannot carry it."""
    return number if math.isfinite(number) else word_of(number)


def json_numbers(numbers: NDArray[np.float64]) -> list[Number]:
    """The numbers as Python floats, words in place of those that JSON cannot carry."""
    import numpy as np  # a server starts without it

    found: list[Number] = numbers.tolist()
    for position in np.flatnonzero(~np.isfinite(numbers)).tolist():
        found[position] = word_of(float(numbers[position]))
    return found


def finite_or_none(number: float | None) -> float | None:
    return number if number is not None and math.isfinite(number) else None
