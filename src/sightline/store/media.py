"""Everything that is not a number: images, audio, text, histograms, tensors, graphs … of one tag of a run.

Only *where* each value lies is in memory (file, offset, length, step, wall time); the bytes stay in the log
until an item is asked for. So memory does not grow with media, and every step is there.
A kind may come in several forms (a legacy image and an image tensor under one tag): each row knows its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar, cast, final, overload

import numpy as np
from numpy.typing import NDArray

from sightline.model.errors import DamagedValueError, UnknownNameError
from sightline.model.kinds import Kind
from sightline.store.access import FileAccess, Place
from sightline.store.branches import (
    Branches,
    FileSpan,
    RestartTimes,
    Rows,
    hidden_by_breaks,
    split_branches,
    write_order,
)
from sightline.store.decoding import decode_columns
from sightline.store.kept import Kept
from sightline.store.layouts import Layout
from sightline.store.series import chosen_rows
from sightline.store.stored_bytes import StoredBytes

if TYPE_CHECKING:
    from sightline._core import Part
    from sightline.formats.items import Item
    from sightline.formats.messages import SummaryMetadata
    from sightline.formats.wire_types import Encoded

ReadBytes = Callable[[Place], bytes]
"""Bytes of a file, local or remote. Raises FileGoneError."""

AnyItem = TypeVar("AnyItem", bound="Item", covariant=True)


@dataclass(frozen=True, slots=True)
class Source:
    """Rows of one form in one file."""

    form: int
    part: Part


@dataclass(frozen=True, slots=True)
class MediaColumns:
    """Where values lie: one row per value."""

    step: NDArray[np.int64]
    wall_time: NDArray[np.float64]
    file_id: NDArray[np.int64]
    generation: NDArray[np.uint64]
    """Of the file's content when the row was read; see Place."""
    form: NDArray[np.int64]
    offset: NDArray[np.uint64]
    length: NDArray[np.uint64]

    @classmethod
    def joined(cls, parts: Sequence[MediaColumns], rows: NDArray[np.intp] | None) -> MediaColumns:
        """The chosen rows (None: all) of the parts one after the other."""
        return cls(
            step=chosen_rows([part.step for part in parts], rows, np.int64),
            wall_time=chosen_rows([part.wall_time for part in parts], rows, np.float64),
            file_id=chosen_rows([part.file_id for part in parts], rows, np.int64),
            generation=chosen_rows([part.generation for part in parts], rows, np.uint64),
            form=chosen_rows([part.form for part in parts], rows, np.int64),
            offset=chosen_rows([part.offset for part in parts], rows, np.uint64),
            length=chosen_rows([part.length for part in parts], rows, np.uint64),
        )

    def chosen(self, rows: slice | NDArray[np.intp]) -> MediaColumns:
        return MediaColumns(
            step=self.step[rows],
            wall_time=self.wall_time[rows],
            file_id=self.file_id[rows],
            generation=self.generation[rows],
            form=self.form[rows],
            offset=self.offset[rows],
            length=self.length[rows],
        )

    def place(self, row: int) -> Place:
        return Place(
            file_id=int(self.file_id[row]),
            generation=int(self.generation[row]),
            offset=int(self.offset[row]),
            length=int(self.length[row]),
        )


@dataclass(frozen=True, slots=True)
class MediaPart:
    """All rows of one file, whatever their form, in the order they lie in it."""

    rows: Rows
    columns: MediaColumns


@dataclass(frozen=True, slots=True)
class MediaTag:
    """What all rows of a series share."""

    run: str
    name: str
    kind: Kind
    metadata: SummaryMetadata | None
    read_bytes: ReadBytes
    access: FileAccess


@final
class MediaSeries(Sequence[AnyItem]):
    """The values of one tag by position: ``series[17]`` reads that value from the file and decodes it.

    ``step`` and ``wall_time`` cost no reading, nor does a slice, which is a shorter series. Like every series
    it is a snapshot. Reading an item raises FileGoneError when its file was removed or replaced meanwhile,
    and DamagedValueError when its bytes make no sense.
    """

    __slots__ = ("__weakref__", "_branches", "_columns", "_parts", "_tag")

    def __init__(
        self,
        tag: MediaTag,
        columns: MediaColumns,
        *,
        parts: Sequence[MediaColumns] = (),
        branches: Branches | None = None,
    ) -> None:
        """``columns`` are the visible rows; parts and branches tell the rest where there is any."""
        self._tag = tag
        self._columns = columns
        self._parts = tuple(parts)
        self._branches = branches

    @property
    def run(self) -> str:
        return self._tag.run

    @property
    def tag(self) -> str:
        return self._tag.name

    @property
    def kind(self) -> Kind:
        return self._tag.kind

    @property
    def step(self) -> NDArray[np.int64]:
        return self._columns.step

    @property
    def wall_time(self) -> NDArray[np.float64]:
        return self._columns.wall_time

    @property
    def size_bytes(self) -> NDArray[np.uint64]:
        """Bytes each value takes in its file."""
        return self._columns.length

    def __len__(self) -> int:
        return len(self._columns.step)

    @overload
    def __getitem__(self, position: int) -> AnyItem: ...
    @overload
    def __getitem__(self, position: slice) -> MediaSeries[AnyItem]: ...
    def __getitem__(self, position: int | slice) -> AnyItem | MediaSeries[AnyItem]:
        columns = self._columns
        if isinstance(position, slice):
            return MediaSeries(self._tag, columns.chosen(position))
        if not -len(self) <= position < len(self):
            raise IndexError(f"{self!r} has no item {position}")
        return cast("AnyItem", self._decoded(position, self._tag.read_bytes(columns.place(position))))

    def chosen(self, rows: NDArray[np.intp]) -> MediaSeries[AnyItem]:
        """The values at these positions."""
        return MediaSeries(self._tag, self._columns.chosen(rows))

    def decoded(self, most_numbers: int) -> Mapping[str, NDArray[Any]] | None:
        """All histograms or precision-recall curves of the series at once: the columns of ``_core``'s
        HistogramColumns or PrCurveColumns. None when they hold more numbers than that."""
        tag = self._tag
        return decode_columns(tag.kind, self._columns, tag.access, tag.read_bytes, most_numbers=most_numbers)

    def opened(self, position: int) -> AnyItem:
        """Like ``series[position]`` of pictures and sounds, but for the samples: they are no ``bytes``, but
        sources that read from the file what is asked of them. Nothing large is in memory."""
        place = self._columns.place(position)

        def read(start: int, length: int) -> bytes:
            return self._tag.read_bytes(replace(place, offset=place.offset + start, length=length))

        stored = StoredBytes.of(
            read,
            place.length,
            file=f"a file of run {self.run}",
            page_bytes=self._tag.access.page_bytes(place.file_id),
        )
        return cast("AnyItem", self._layout(position, stored).opened(stored))

    def _layout(self, position: int, stored: StoredBytes) -> Layout:
        identity = self.identity(position)
        layout = self._tag.access.layouts.get(identity)
        if layout is None:
            try:
                layout = Layout.of(self._decoded(position, stored))
            except DamagedValueError as error:
                layout = Layout.of_damaged(error)
            self._tag.access.layouts.keep(identity, layout)
        return layout

    @property
    def metadata(self) -> SummaryMetadata | None:
        """What the first value says about all of them; None when it says nothing that makes sense."""
        return self._tag.metadata

    def form(self, position: int) -> int:
        """How a value lies in its file (``model.forms``)."""
        return int(self._columns.form[position])

    def _decoded(self, position: int, data: Encoded) -> Item:
        from sightline.formats.values import decode_item  # many message classes: not for readers of scalars

        columns = self._columns
        return decode_item(
            self._tag.kind,
            int(columns.form[position]),
            data,
            step=int(columns.step[position]),
            wall_time=float(columns.wall_time[position]),
            tag=self._tag.name,
            metadata=self._tag.metadata,
        )

    def identity(self, position: int) -> str:
        """A word for the bytes of one value: where they lie, and in which content of the file."""
        place = self._columns.place(position)
        return f"{place.file_id}-{place.generation}-{place.offset}-{place.length}"

    @property
    def identity_of_all(self) -> str:
        """The same of all values, in their order."""
        columns, word = self._columns, blake2b(digest_size=16)
        for column in (columns.file_id, columns.generation, columns.offset, columns.length):
            word.update(column.tobytes())
        return word.hexdigest()

    @property
    def kept_statistics(self) -> Kept[Any]:
        """Of the whole log, by ``identity_of_all``."""
        return self._tag.access.statistics

    def at_step(self, step: int) -> AnyItem:
        """The item logged at a step, the last one if there are several. UnknownNameError if there is none."""
        positions = np.flatnonzero(self.step == step)
        if not positions.size:
            raise UnknownNameError(f"step of {self.kind} {self.tag!r}", str(step), map(str, self.step))
        return self[int(positions[-1])]

    def by_step(self) -> MediaSeries[AnyItem]:
        """The same values in order of their steps, ties as they were written: this one itself, for nearly
        every series, as nearly all are written so."""
        step = self.step
        if not np.any(step[1:] < step[:-1]):
            return self
        columns = MediaColumns.joined([self._columns], np.argsort(step, kind="stable"))
        return MediaSeries(self._tag, columns, parts=self._parts, branches=self._branches)

    @property
    def superseded_count(self) -> int:
        """How many values are hidden because a restarted job wrote their steps again."""
        return 0 if self._branches is None else len(self._branches.superseded)

    @property
    def superseded(self) -> MediaSeries[AnyItem]:
        """The hidden values, in write order; an empty series when there are none."""
        if self._branches is None:
            return self[:0]
        return MediaSeries(self._tag, MediaColumns.joined(self._parts, self._branches.superseded))

    @property
    def all(self) -> MediaSeries[AnyItem]:
        """Every value that was ever written, visible or not, in write order."""
        if self._branches is None:
            return self
        return MediaSeries(self._tag, MediaColumns.joined(self._parts, None))

    def __repr__(self) -> str:
        return f"MediaSeries(run={self.run!r}, tag={self.tag!r}, {len(self):,} of kind {self.kind})"


def media_series(
    tag: MediaTag, *, sources: Sequence[Source], spans: Mapping[int, FileSpan], restarts: RestartTimes
) -> MediaSeries[Any]:
    """Join the rows of all forms and files, and apply the restart rule."""
    by_file: dict[int, list[Source]] = {}
    for source in sources:
        by_file.setdefault(source.part.file_id, []).append(source)
    parts = [_part_of_file(spans[file_id], group) for file_id, group in by_file.items()]
    parts = [parts[position] for position in write_order([part.rows.file for part in parts])]
    branches = split_branches([part.rows for part in parts], restarts)
    columns = [part.columns for part in parts]
    visible = MediaColumns.joined(columns, None if branches is None else branches.visible)
    return MediaSeries(tag, visible, parts=columns, branches=branches)


def _part_of_file(span: FileSpan, sources: Sequence[Source]) -> MediaPart:
    columns = []
    hidden = []
    for source in sources:
        part = source.part
        step = part.step
        columns.append(
            MediaColumns(
                step=step,
                wall_time=part.wall_time,
                # One value for all rows takes no memory per row.
                file_id=np.broadcast_to(np.int64(part.file_id), step.shape),
                generation=np.broadcast_to(np.uint64(part.generation), step.shape),
                form=np.broadcast_to(np.int64(source.form), step.shape),
                offset=part.offset,
                length=part.length,
            )
        )
        hidden.append(hidden_by_breaks(step, part.breaks))
    if len(columns) == 1:
        return MediaPart(Rows(span, columns[0].step, hidden[0]), columns[0])
    # Several forms in one file: the offset tells who came first.
    order = np.argsort(np.concatenate([column.offset for column in columns]), kind="stable")
    masks = [
        np.zeros(len(column.step), dtype=np.bool_) if mask is None else mask
        for column, mask in zip(columns, hidden, strict=True)
    ]
    joined = MediaColumns.joined(columns, order)
    is_any_hidden = any(mask is not None for mask in hidden)
    return MediaPart(Rows(span, joined.step, np.concatenate(masks)[order] if is_any_hidden else None), joined)
