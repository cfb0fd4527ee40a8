"""Values that are no numbers, as pages ask for them: by run, tag, index and step.

Pages want steps that never fall. A file may hold step 5 behind step 9, so series are put in order of steps
here, and an index is a position in that order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sightline.model.errors import DataError, MediaError, UnknownNameError
from sightline.model.forms import Form
from sightline.model.kinds import Kind
from sightline.store.media import MediaSeries
from sightline.store.runs import RunStore

MAX_VALUE_BYTES = 512 << 20
"""Of one value (all pictures of a step, say): most kinds are read as a whole, and taking a batch apart takes
time with its size."""

_KINDS_WITH_SAMPLES = frozenset({Kind.image, Kind.audio})
_FORMS_OF_ONE = frozenset({Form.IMAGE, Form.AUDIO})


@dataclass(frozen=True)
class FoundItem:
    """Where one value lies. It is not read yet."""

    series: MediaSeries[Any]
    position: int

    @property
    def identity(self) -> str:
        """Of the bytes in the file: the same word means the same value, for as long as the log is open."""
        return self.series.identity(self.position)

    @property
    def size_bytes(self) -> int:
        return int(self.series.size_bytes[self.position])

    def read(self) -> Any:
        """The item of the kind that was asked for (``formats.items``). Raises DataError when it cannot be
        read."""
        self._check_size()
        return self.series[self.position]

    def open(self) -> Any:
        """The same of pictures and sounds, with samples that are sources of bytes (``ByteSource``): they are
        read from the file when and as far as somebody asks for them."""
        self._check_size()
        return self.series.opened(self.position)

    def _check_size(self) -> None:
        if self.size_bytes > MAX_VALUE_BYTES:
            raise MediaError(
                f"The value is too large to be read: {self.size_bytes:,} bytes, and {MAX_VALUE_BYTES:,} is "
                "the limit"
            )


def find_series(store: RunStore, run: str, kind: Kind, tag: str) -> MediaSeries[Any] | None:
    """In order of steps. None when there is no such run, or no such tag of this kind in it."""
    found = store.get(run)
    series = None if found is None else found.media(kind).get(tag)
    return None if series is None else series.by_step()


def find_item(store: RunStore, run: str, kind: Kind, tag: str, *, index: int, step: int) -> FoundItem:
    """The value at an index, if it has the step; the last one of the step otherwise.

    Raises UnknownNameError when there is none.
    """
    series = find_series(store, run, kind, tag)
    if series is None:
        raise UnknownNameError(f"{kind} tag", tag)
    return FoundItem(series, position_of(series, index=index, step=step))


def position_of(series: MediaSeries[Any], *, index: int, step: int) -> int:
    """Where the value lies in the series now. Raises UnknownNameError when no value has the step."""
    steps = series.step
    # A browser has doubles only: of a step beyond 2**53 it gives back the nearest one.
    if index < len(steps) and float(steps[index]) == float(step):
        return index
    positions = np.flatnonzero(steps.astype(np.float64) == float(step))
    if not positions.size:
        raise UnknownNameError(f"step of {series.kind} {series.tag!r}", str(step))
    return int(positions[-1])


def sample_count(series: MediaSeries[Any]) -> int:
    """Pictures or sounds at one step: the greater of the first and the last value, which is enough for nearly
    every log and does not read them all. 0 when neither can be read; 1 for kinds without samples and forms
    with exactly one, of which nothing is read."""
    if series.kind not in _KINDS_WITH_SAMPLES:
        return min(1, len(series))
    counts = []
    for position in dict.fromkeys((0, len(series) - 1)) if len(series) else ():
        if series.form(position) in _FORMS_OF_ONE:
            counts.append(1)
            continue
        try:
            counts.append(len(FoundItem(series, position).open().samples))
        except DataError:
            continue
    return max(counts, default=0)
