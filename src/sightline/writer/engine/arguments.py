"""Checks of what users give. A mistake is raised by the call that makes it: encoding happens later.

A check of a number takes a sentence that says what the argument is; the message is
that sentence and the value.
"""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import NDArray

from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arrays import array_from

# A record has at most 2 GiB; the rest is room for the tag and the metadata.
MAX_VALUE_BYTES = (1 << 31) - (1 << 20)


def checked_text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise BadArgumentError(f"{what} is text, not {type(value).__name__}: {value!r}")
    return value


def checked_tag(tag: object) -> str:
    return checked_text(tag, "A tag")


def step_from(global_step: Any) -> int:
    """A step as the format has it: a whole number of 64 bits. None is 0, as in torch."""
    if global_step is None:
        return 0
    try:
        step = int(global_step)
    except (TypeError, ValueError, OverflowError) as error:
        raise BadArgumentError(f"A step is a whole number, not {global_step!r}") from error
    if not -(1 << 63) <= step < 1 << 63:
        raise BadArgumentError(f"A step has 64 bits; {step} does not fit")
    return step


def checked_number(value: Any, sentence: str, least: float = -math.inf, most: float = math.inf) -> float:
    """The number, if it is one from `least` to `most`."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not least <= number <= most:
        raise BadArgumentError(f"{sentence}, not {value!r}")
    return number


def checked_count(value: Any, name: str, least: int = 1, most: int | None = None) -> int:
    """The whole number, if it is one from `least` to `most`."""
    try:
        count = int(value)
        is_good = count == value and count >= least and (most is None or count <= most)
    except (TypeError, ValueError, OverflowError):
        is_good = False
    if not is_good:
        limits = f"{least} or more" if most is None else f"from {least:,} to {most:,}"
        raise BadArgumentError(f"{name} is a whole number, {limits}, not {value!r}")
    return count


def real_array(value: Any, what: str, *, is_copy: bool = False) -> NDArray[Any]:
    """The array of a value, if its elements are real numbers; see ``array_from``."""
    array = array_from(value, is_copy=is_copy)
    if array.dtype.kind not in "biuf":
        raise BadArgumentError(f"{what} are real numbers, not {array.dtype}")
    return array


def text_from(value: Any) -> str:
    """Text as it is, bytes as UTF-8 (what is not UTF-8 shows as ``\\xNN``), anything else as it prints."""
    if isinstance(value, str):
        return str.__str__(value)  # of an enum its value, not its name
    if isinstance(value, (bytes, bytearray)):
        return value.decode("utf-8", "backslashreplace")
    return str(value)


def check_size(size_bytes: int, what: str) -> None:
    """Refuses what does not fit in one record."""
    if size_bytes > MAX_VALUE_BYTES:
        raise BadArgumentError(f"{what} has {size_bytes:,} bytes; one value can have {MAX_VALUE_BYTES:,}")
