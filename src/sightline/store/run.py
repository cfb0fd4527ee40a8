"""One run: its tags and the series behind them, looked up in the core when somebody asks.

A ``Run`` is cheap (a log may have 10,000 of them with 50 tags each): it holds a name and, once used, what the
core said at one revision. When the run grows, its revision does, and the next access asks again. Series that
were handed out stay what they were, so a program that holds one never sees it change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from sightline.model.errors import BadArgumentError, UnknownNameError
from sightline.model.kinds import Kind
from sightline.model.reports import Damage, FileFacts, TagInfo
from sightline.store.access import FileAccess
from sightline.store.files import damage_of, file_facts
from sightline.store.media import MediaSeries
from sightline.store.series import ScalarSeries
from sightline.store.sessions import Session
from sightline.store.side_files import SideFiles
from sightline.store.snapshot import RunSnapshot
from sightline.store.story import Story

if TYPE_CHECKING:
    from sightline._core import Index
    from sightline.formats.items import (
        AudioItem,
        ConfusionMatrixItem,
        CustomScalarsItem,
        GraphItem,
        HistogramItem,
        HParamsItem,
        HtmlItem,
        ImageItem,
        LogMessageItem,
        MeshItem,
        PlotlyItem,
        PrCurveItem,
        TableItem,
        TensorItem,
        TextItem,
    )

Series = TypeVar("Series")


class Run:
    """One run of a log. All its mappings are live: they show what has been read by the time of the access."""

    __slots__ = ("__weakref__", "_access", "_latest", "name")

    def __init__(self, name: str, *, access: FileAccess) -> None:
        self.name = name
        self._access = access
        self._latest: RunSnapshot | None = None

    def __repr__(self) -> str:
        facts = "opened in another process" if self._access.is_foreign else f"{len(self.tags):,} tags"
        return f"Run({self.name!r}, {facts})"

    # ── facts ────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def revision(self) -> int:
        """Grows whenever anything of the run changes; 0 once the run is gone."""
        return self._access.index.revision(self.name)

    @property
    def tags(self) -> Mapping[str, TagInfo]:
        """Every tag with its kind and facts, in order of first appearance."""
        return self._now().tags

    @property
    def files(self) -> list[FileFacts]:
        """The run's event files by name: sizes, how much was read, what was wrong."""
        return [file_facts(info, run=self.name) for info in self._now().files]

    @property
    def damage(self) -> list[Damage]:
        """Places in the run's files that could not be read."""
        return [damage for info in self._now().files for damage in damage_of(info, run=self.name)]

    @property
    def story(self) -> Story | None:
        """How the run was started and how it ended, by its last start; None when its writer did not tell."""
        stories = self.stories
        return stories[-1] if stories else None

    @property
    def stories(self) -> list[Story]:
        """One for each start of the run, the earliest first."""
        return list(self._now().stories)

    @property
    def directories(self) -> list[str]:
        """Where the run's event files lie; more than one when several roots give the same run."""
        return self._access.index.run_directories(self.name)

    @property
    def side_files(self) -> SideFiles:
        """Projector configs and profiler traces that lie beside the event files now."""
        return self._access.side_files(self.name)

    # ── series by kind ───────────────────────────────────────────────────────────────────────────────────

    @property
    def scalars(self) -> Mapping[str, ScalarSeries]:
        return _SeriesMapping(self, Kind.scalar, self._scalars)

    @property
    def images(self) -> Mapping[str, MediaSeries[ImageItem]]:
        return self.media(Kind.image)

    @property
    def audio(self) -> Mapping[str, MediaSeries[AudioItem]]:
        return self.media(Kind.audio)

    @property
    def text(self) -> Mapping[str, MediaSeries[TextItem]]:
        return self.media(Kind.text)

    @property
    def histograms(self) -> Mapping[str, MediaSeries[HistogramItem]]:
        return self.media(Kind.histogram)

    @property
    def tensors(self) -> Mapping[str, MediaSeries[TensorItem]]:
        """Tensors nobody here knows the plugin of, raw."""
        return self.media(Kind.tensor)

    @property
    def pr_curves(self) -> Mapping[str, MediaSeries[PrCurveItem]]:
        return self.media(Kind.pr_curve)

    @property
    def meshes(self) -> Mapping[str, MediaSeries[MeshItem]]:
        return self.media(Kind.mesh)

    @property
    def graphs(self) -> Mapping[str, MediaSeries[GraphItem]]:
        return self.media(Kind.graph)

    @property
    def hparams(self) -> Mapping[str, MediaSeries[HParamsItem]]:
        return self.media(Kind.hparams)

    @property
    def custom_scalars(self) -> Mapping[str, MediaSeries[CustomScalarsItem]]:
        return self.media(Kind.custom_scalars)

    @property
    def tables(self) -> Mapping[str, MediaSeries[TableItem]]:
        return self.media(Kind.table)

    @property
    def html(self) -> Mapping[str, MediaSeries[HtmlItem]]:
        return self.media(Kind.html)

    @property
    def plotly(self) -> Mapping[str, MediaSeries[PlotlyItem]]:
        return self.media(Kind.plotly)

    @property
    def confusion_matrices(self) -> Mapping[str, MediaSeries[ConfusionMatrixItem]]:
        return self.media(Kind.confusion_matrix)

    @property
    def log_messages(self) -> Mapping[str, MediaSeries[LogMessageItem]]:
        return self.media(Kind.log_message)

    def media(self, kind: Kind) -> Mapping[str, MediaSeries[Any]]:
        """Series of any kind but scalar: their bytes stay in the file until an item is asked for them."""
        if kind is Kind.scalar:
            raise BadArgumentError("Scalars are numbers, not media: use run.scalars")
        return _SeriesMapping(self, kind, partial(self._media, kind))

    def tags_of(self, kind: Kind) -> list[str]:
        """Tags that have points of this kind, in order of first appearance."""
        return list(self._infos_by_tag(kind))

    def read_scalars(self, tag: str) -> ScalarSeries | None:
        """Like ``scalars[tag]``, but not remembered, and None when there is none: for one pass over a log."""
        return self._now().read_scalars(tag)

    # ── behind them ──────────────────────────────────────────────────────────────────────────────────────

    def _now(self) -> RunSnapshot:
        # No lock: two threads may both make a snapshot of the same revision, and either one will do.
        latest = self._latest
        revision = self.revision
        if latest is None or latest.revision != revision:
            latest = RunSnapshot(self.name, revision, access=self._access)
            self._latest = latest
        return latest

    def _infos_by_tag(self, kind: Kind) -> Mapping[str, object]:
        return self._now().by_kind.get(kind, {})

    def _scalars(self, tag: str) -> ScalarSeries | None:
        return self._now().scalars(tag)

    def _media(self, kind: Kind, tag: str) -> MediaSeries[Any] | None:
        return self._now().media(kind, tag)


def index_of(run: Run) -> Index:
    """The core behind a run, for questions about many runs at once. Raises UserError in a forked child."""
    return run._access.index


def sessions_of(run: Run) -> list[Session]:
    """(first, last wall time of its points) for each stretch in which the run was at work, restart by
    restart; empty for a run that was started once."""
    return run._now().sessions


def access_of(run: Run) -> FileAccess:
    """What all runs of one log share: something to tell logs apart by."""
    return run._access


class _SeriesMapping(Mapping[str, Series]):
    """tag → series, for one kind of one run."""

    __slots__ = ("_find", "_kind", "_run")

    def __init__(self, run: Run, kind: Kind, find: Callable[[str], Series | None]) -> None:
        self._run = run
        self._kind = kind
        self._find = find

    def __getitem__(self, tag: str) -> Series:
        series = self._find(tag)
        if series is None:
            raise UnknownNameError(f"{self._kind} tag", tag, self._run.tags_of(self._kind))
        return series

    def __iter__(self) -> Iterator[str]:
        return iter(self._run._infos_by_tag(self._kind))

    def __len__(self) -> int:
        return len(self._run._infos_by_tag(self._kind))

    def __contains__(self, tag: object) -> bool:
        return isinstance(tag, str) and tag in self._run._infos_by_tag(self._kind)

    def __repr__(self) -> str:
        return f"<{self._kind} series of run {self._run.name!r}: {', '.join(self) or 'none'}>"
