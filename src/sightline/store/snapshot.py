"""What the core knows about one run at one revision, turned into series on demand.

Here the raw facts of the core (forms, parts per file, first metadata) meet the rules: which forms make up a
kind, and which points a restart superseded. Every fact is fetched on first use and kept; the next revision
gets a new snapshot.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sightline.model.errors import DataError, FileGoneError
from sightline.model.forms import Form
from sightline.model.kinds import Kind, kind_of
from sightline.model.reports import TagInfo
from sightline.store.access import FileAccess, Place
from sightline.store.branches import FileSpan, RestartTimes, Rows, hidden_by_breaks, write_order
from sightline.store.media import MediaSeries, MediaTag, Source, media_series
from sightline.store.series import ScalarPart, ScalarSeries, scalar_series
from sightline.store.sessions import Session, joined_sessions, stretches
from sightline.store.story import CHILD_WRITER, SOURCE_WRITER, Story, stories_from

if TYPE_CHECKING:
    from sightline._core import FileInfo, Part, SeriesInfo
    from sightline.formats.messages import SummaryMetadata


class RunSnapshot:
    """Facts and series of a run. Thread-safe without locks: at worst two threads compute the same thing."""

    def __init__(self, run: str, revision: int, *, access: FileAccess) -> None:
        self.run = run
        self.revision = revision
        self._access = access
        self._scalars: dict[str, ScalarSeries] = {}
        self._media: dict[tuple[Kind, str], MediaSeries[Any]] = {}

    @cached_property
    def files(self) -> list[FileInfo]:
        return self._access.index.files(self.run)

    @cached_property
    def by_kind(self) -> dict[Kind, dict[str, list[SeriesInfo]]]:
        """kind → tag → the (tag, form) series that make it up, all in order of first appearance."""
        found: dict[Kind, dict[str, list[SeriesInfo]]] = {}
        for info in self._offered:
            kind = kind_of(info.form, info.plugin)
            found.setdefault(kind, {}).setdefault(info.tag, []).append(info)
        return found

    @cached_property
    def tags(self) -> Mapping[str, TagInfo]:
        infos_of_tag: dict[str, dict[Kind, list[SeriesInfo]]] = {}
        for info in self._offered:
            kinds = infos_of_tag.setdefault(info.tag, {})
            kinds.setdefault(kind_of(info.form, info.plugin), []).append(info)
        count = self._count
        return MappingProxyType({tag: _tag_info(kinds, count=count) for tag, kinds in infos_of_tag.items()})

    @cached_property
    def _offered(self) -> list[SeriesInfo]:
        infos = self._access.index.series(self.run)
        return [info for info in infos if is_offered(info.form, info.plugin) and self._count(info)]

    def _count(self, info: SeriesInfo) -> int:
        """Rows of a series, without the records of the run's story."""
        if info.form != Form.LOG_MESSAGE:
            return info.count
        return info.count - sum(len(part.step) for part in self._story_parts(info.tag))

    # ── series ───────────────────────────────────────────────────────────────────────────────────────────

    def scalars(self, tag: str) -> ScalarSeries | None:
        series = self._scalars.get(tag)
        if series is None:
            series = self.read_scalars(tag)
            if series is not None:
                series = self._scalars.setdefault(tag, series)
        return series

    def read_scalars(self, tag: str) -> ScalarSeries | None:
        """The series of a tag, made anew; None when the tag has no scalars."""
        parts = self._access.index.parts(self.run, tag, Form.SCALAR)
        if not parts:
            return None
        spans = self._spans(parts)
        scalar_parts = []
        for part in parts:
            step = part.step
            rows = Rows(spans[part.file_id], step, hidden_by_breaks(step, part.breaks))
            scalar_parts.append(ScalarPart(rows, part.wall_time, part.value))
        if len(parts) > 1:
            order = write_order([part.rows.file for part in scalar_parts])
            scalar_parts = [scalar_parts[position] for position in order]
        return scalar_series(run=self.run, tag=tag, parts=scalar_parts, restarts=self._restarts)

    def media(self, kind: Kind, tag: str) -> MediaSeries[Any] | None:
        infos = self.by_kind.get(kind, {}).get(tag)
        if not infos:
            return None
        series = self._media.get((kind, tag))
        if series is None:
            series = self._media.setdefault((kind, tag), self._read_media(kind, tag, infos))
        return series

    def _read_media(self, kind: Kind, tag: str, infos: Sequence[SeriesInfo]) -> MediaSeries[Any]:
        sources = [
            Source(form=info.form, part=part)
            for info in infos
            for part in self._access.index.parts(self.run, tag, info.form)
            if info.form != Form.LOG_MESSAGE or part.file_id not in self._own_files
        ]
        return media_series(
            MediaTag(
                self.run, tag, kind, decoded_metadata(infos[0].metadata), self._read_bytes, self._access
            ),
            sources=sources,
            spans=self._spans([source.part for source in sources]),
            restarts=self._restarts,
        )

    # ── the run's story ──────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def stories(self) -> list[Story]:
        records = []
        for info in self._access.index.series(self.run):
            parts = self._story_parts(info.tag) if info.form == Form.LOG_MESSAGE else ()
            records += [record for part in parts for record in self._story_records(part)]
        return stories_from(records)

    def _story_parts(self, tag: str) -> list[Part]:
        parts = self._access.index.parts(self.run, tag, Form.LOG_MESSAGE)
        return [part for part in parts if part.file_id in self._own_files]

    def _story_records(self, part: Part) -> Iterator[tuple[str, float]]:
        """(message, last wall time of the file); a record that cannot be read any more is passed over."""
        from sightline.formats.messages import LogMessage  # slow to import

        file = self._files_by_id.get(part.file_id)
        last_wall_time = math.nan if file is None else file.last_wall_time
        for offset, length in zip(part.offset, part.length, strict=True):
            place = Place(part.file_id, part.generation, int(offset), int(length))
            with suppress(DataError):
                yield LogMessage.decode(self._read_bytes(place)).message, last_wall_time

    @cached_property
    def _own_files(self) -> frozenset[int]:
        """Files of our own writer: in them, log messages are the story."""
        return frozenset(info.id for info in self.files if info.source_writer == SOURCE_WRITER)

    # ── files ────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def _files_by_id(self) -> dict[int, FileInfo]:
        return {info.id: info for info in self.files}

    @cached_property
    def _known_spans(self) -> dict[int, FileSpan]:
        return {info.id: _span(info) for info in self.files}

    @cached_property
    def _restarts(self) -> RestartTimes:
        return RestartTimes(self._known_spans.values())

    @cached_property
    def sessions(self) -> list[Session]:
        """When the run wrote scalars, restart by restart. Empty when there was but one start: then nobody
        has to look at its points."""
        files = {
            info.id: sorted(time for _, time in info.starts if not math.isnan(time))
            for info in self.files
            if info.source_writer != CHILD_WRITER  # it wrote beside its parent, whatever the clock says
        }
        if len(files) <= 1 and not any(files.values()):
            return []
        spans: dict[tuple[int, int], Session] = {}
        index = self._access.index
        tags = [info.tag for info in index.series(self.run) if info.form == Form.SCALAR]
        for part in (part for tag in tags for part in index.parts(self.run, tag, Form.SCALAR)):
            starts = files.get(part.file_id)
            for number, begin, end in stretches(part.wall_time, starts) if starts is not None else ():
                known = spans.get((part.file_id, number), (begin, end))
                spans[part.file_id, number] = min(begin, known[0]), max(end, known[1])
        return joined_sessions(spans.values())

    def _read_bytes(self, place: Place) -> bytes:
        info = self._files_by_id.get(place.file_id)
        if info is None:
            # It may have appeared since; or gone, and then there is not even a name left to tell.
            now = self._access.index.files(self.run)
            info = next((info for info in now if info.id == place.file_id), None)
        if info is None:
            raise FileGoneError(f"a file of run {self.run}")
        return self._access.read(info, place)

    def _spans(self, parts: Sequence[Part]) -> Mapping[int, FileSpan]:
        known = self._known_spans
        missing = [part for part in parts if part.file_id not in known]
        if not missing:
            return known
        # A file appeared between two questions to the core. Its own rows tell its time well enough for now:
        # the revision has changed too, so the next access decides anew.
        return {**known, **{part.file_id: _span_of_rows(part) for part in missing}}


def is_offered(form: int, plugin: str) -> bool:
    """False for one-element tensors that are nothing but scalars: their numbers are in the scalar series."""
    return form != Form.SCALAR_TENSOR or plugin not in ("", "scalars")


def _tag_info(
    infos_by_kind: Mapping[Kind, Sequence[SeriesInfo]], *, count: Callable[[SeriesInfo], int]
) -> TagInfo:
    kinds = tuple(infos_by_kind)
    first = infos_by_kind[kinds[0]]
    metadata = decoded_metadata(first[0].metadata)
    return TagInfo(
        kind=kinds[0],
        kinds=kinds,
        plugin=first[0].plugin,
        count=sum(map(count, first)),
        display_name=metadata.display_name if metadata else "",
        description=metadata.summary_description if metadata else "",
    )


@lru_cache(maxsize=4096)
def decoded_metadata(metadata: bytes) -> SummaryMetadata | None:
    """Remembered, because the runs of one program share their metadata. None for bytes that make no sense."""
    if not metadata:
        return None
    from sightline.formats.messages import SummaryMetadata  # slow to import, and many logs have no metadata

    try:
        return SummaryMetadata.decode(metadata)
    except DataError:
        return None  # the points are good without it


def _span(info: FileInfo) -> FileSpan:
    if info.source_writer == CHILD_WRITER:
        # It wrote beside its parent and its siblings, whatever the clock says: nobody restarted anything.
        return FileSpan(info.name, math.nan, math.nan, info.starts)
    return FileSpan(info.name, info.first_wall_time, info.last_wall_time, info.starts)


def _span_of_rows(part: Part) -> FileSpan:
    times = part.wall_time
    return FileSpan(str(part.file_id), float(times.min()), float(times.max()))
