"""Where the samples of pictures and sounds lie within their values.

A batch is taken apart once, however many of its samples are asked for, and however often a page of live runs
asks how many there are. What is kept is small: two numbers a sample, and the labels of sounds.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sightline.model.errors import DamagedValueError
from sightline.store.stored_bytes import StoredBytes, StoredParts

if TYPE_CHECKING:
    from sightline.formats.items import Item

_ENTRY_BYTES = 1_000
"""What an entry takes besides what grows with its samples."""


@dataclass(frozen=True)
class Layout:
    """Of one value: what it holds besides its samples, and where those are. Or what is wrong with it."""

    item: Item | None
    starts: array[int] = field(default_factory=lambda: array("q"))
    stops: array[int] = field(default_factory=lambda: array("q"))
    reason: str = ""
    where: str = ""

    @classmethod
    def of(cls, item: Any) -> Layout:
        """``item``: with samples that are parts of one value."""
        spans = [sample.span if isinstance(sample, StoredBytes) else (0, 0) for sample in item.samples]
        starts = array("q", [start for start, _ in spans])
        stops = array("q", [stop for _, stop in spans])
        return cls(replace(item, samples=()), starts, stops)

    @classmethod
    def of_damaged(cls, error: DamagedValueError) -> Layout:
        return cls(None, reason=error.reason, where=error.where)

    def opened(self, value: StoredBytes) -> Any:
        """The item, with samples that are read from the value. Raises DamagedValueError."""
        if self.item is None:
            raise DamagedValueError(self.reason, self.where)
        return replace(self.item, samples=StoredParts(value, self.starts, self.stops))  # type: ignore[call-arg]

    @property
    def size_bytes(self) -> int:
        labels = getattr(self.item, "labels", ())
        return _ENTRY_BYTES + 16 * len(self.starts) + sum(60 + 4 * len(label) for label in labels)
