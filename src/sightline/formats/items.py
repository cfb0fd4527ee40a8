"""What a user gets for one value of a tag: one immutable class per kind of data.

An item holds decoded data and answers questions about it; ``values`` makes items from bytes. Every item
knows its step, wall time and tag. Arrays are read-only; data that can be big is left out of ``repr``. Facts
that the file states and the data contradicts (the size of an image, say) are taken from the data.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sightline.formats.messages import LogLevel
from sightline.formats.picture_headers import picture_header
from sightline.formats.sniff import mime_type
from sightline.formats.texts import text_from_bytes
from sightline.formats.wav import read_wav
from sightline.model.errors import MediaError, UnknownNameError
from sightline.model.kinds import Kind

if TYPE_CHECKING:
    from sightline.formats.graph_messages import GraphDef, RunMetadata
    from sightline.formats.plugin_messages import Experiment, Layout, SessionEndInfo, SessionStartInfo
    from sightline.formats.struct_values import HParamValue

# ``bytes`` is also the name of a property below.
Blob = bytes
_UNKNOWN_TYPE = "application/octet-stream"


@dataclass(frozen=True, eq=False, kw_only=True)
class Item:
    """One value of a tag."""

    kind: ClassVar[Kind]
    step: int
    wall_time: float
    tag: str


@dataclass(frozen=True, eq=False, kw_only=True)
class ImageItem(Item):
    """The images logged at one step, encoded as they were written (PNG, JPEG, GIF …)."""

    kind = Kind.image
    samples: tuple[Blob, ...] = field(repr=False)
    stated_width: int = 0
    stated_height: int = 0

    @property
    def bytes(self) -> Blob:
        """The first image; empty when there is none."""
        return self.samples[0] if self.samples else b""

    @property
    def mime_type(self) -> str:
        return mime_type(self.bytes) or _UNKNOWN_TYPE

    @property
    def width(self) -> int:
        """Of the first image, in pixels; as stated in the summary when the image does not tell."""
        return self._size_px[0]

    @property
    def height(self) -> int:
        return self._size_px[1]

    @cached_property
    def _size_px(self) -> tuple[int, int]:
        with suppress(MediaError):
            header = picture_header(self.bytes)
            if header is not None and header.width:
                return header.width, header.height
        return self.stated_width, self.stated_height


@dataclass(frozen=True, eq=False, kw_only=True)
class AudioItem(Item):
    """The sounds logged at one step, encoded as they were written, each with a label (Markdown or empty)."""

    kind = Kind.audio
    samples: tuple[Blob, ...] = field(repr=False)
    labels: tuple[str, ...]
    stated_sample_rate: float = 0.0
    stated_mime_type: str = ""

    @property
    def bytes(self) -> Blob:
        """The first sound; empty when there is none."""
        return self.samples[0] if self.samples else b""

    @property
    def mime_type(self) -> str:
        return mime_type(self.bytes) or self.stated_mime_type or _UNKNOWN_TYPE

    @cached_property
    def sample_rate(self) -> float:
        """Of the first sound, in Hz; 0 when neither the sound nor the summary tells."""
        try:
            return float(read_wav(self.bytes).rate_hz)
        except MediaError:
            return self.stated_sample_rate


@dataclass(frozen=True, eq=False, kw_only=True)
class TextItem(Item):
    """Text: one piece, or a table of them. ``array`` holds ``str`` objects in the shape that was logged."""

    kind = Kind.text
    array: NDArray[np.object_] = field(repr=False)
    odd_cells: int = 0
    """Pieces with bytes that are not UTF-8, which show as ``\\xNN`` in them."""

    @property
    def text(self) -> str:
        """The text; the pieces of a table one per line."""
        return "\n".join(self.array.ravel().tolist())


@dataclass(frozen=True, eq=False, kw_only=True)
class HistogramItem(Item):
    """Buckets: ``counts[i]`` values lie between ``left[i]`` and ``right[i]``. Widths of zero do occur."""

    kind = Kind.histogram
    left: NDArray[np.float64] = field(repr=False)
    right: NDArray[np.float64] = field(repr=False)
    counts: NDArray[np.float64] = field(repr=False)
    # Exact statistics of the values; only the legacy form has them.
    min: float | None = None
    max: float | None = None
    num: float | None = None
    sum: float | None = None
    sum_squares: float | None = None

    @property
    def edges(self) -> NDArray[np.float64]:
        """The n + 1 edges of the n buckets; empty without buckets."""
        return np.concatenate((self.left[:1], self.right))


@dataclass(frozen=True, eq=False, kw_only=True)
class TensorItem(Item):
    """An array of a plugin that has no kind of its own; strings are ``bytes`` objects.

    ``content`` is what the plugin put into the metadata. A value of metadata only has an empty array.
    """

    kind = Kind.tensor
    array: NDArray[Any] = field(repr=False)
    plugin: str = ""
    content: Blob = field(default=b"", repr=False)


@dataclass(frozen=True, eq=False, kw_only=True)
class HParamsItem(Item):
    """One of the three records of the hparams plugin; the other two are None."""

    kind = Kind.hparams
    experiment: Experiment | None = None
    session_start: SessionStartInfo | None = None
    session_end: SessionEndInfo | None = None
    hparams: Mapping[str, HParamValue] = field(default_factory=dict)
    """The hyper-parameters of a session start. Numbers are floats: the format has no integers."""

    @property
    def part(self) -> str:
        """Which record it is: "experiment", "session_start", "session_end" or ""."""
        parts = ("experiment", "session_start", "session_end")
        return next((name for name in parts if getattr(self, name) is not None), "")


@dataclass(frozen=True, eq=False, kw_only=True)
class PrCurveItem(Item):
    """A precision-recall curve: six rows of one number per threshold."""

    kind = Kind.pr_curve
    array: NDArray[Any] = field(repr=False)
    num_thresholds: int = 0
    """As stated; the array's width is what counts."""

    @property
    def thresholds(self) -> NDArray[np.float64]:
        return np.linspace(0.0, 1.0, self.array.shape[1])

    @property
    def true_positives(self) -> NDArray[Any]:
        return self._row(0)

    @property
    def false_positives(self) -> NDArray[Any]:
        return self._row(1)

    @property
    def true_negatives(self) -> NDArray[Any]:
        return self._row(2)

    @property
    def false_negatives(self) -> NDArray[Any]:
        return self._row(3)

    @property
    def precision(self) -> NDArray[Any]:
        return self._row(4)

    @property
    def recall(self) -> NDArray[Any]:
        return self._row(5)

    def _row(self, index: int) -> NDArray[Any]:
        row: NDArray[Any] = self.array[index]
        return row


@dataclass(frozen=True, eq=False, kw_only=True)
class MeshItem(Item):
    """One tensor of a mesh: vertices, faces or colours. Those of one ``name`` and step belong together."""

    kind = Kind.mesh
    array: NDArray[Any] = field(repr=False)
    name: str = ""
    content_type: int = 0
    """A ``MeshContent``: VERTEX 1, FACE 2, COLOR 3."""
    components: int = 0
    """A bit ``1 << MeshContent`` for each tensor the mesh has; 0 means unknown."""
    json_config: str = ""
    """Camera, lights and material for three.js, as JSON."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CustomScalarsItem(Item):
    """A layout of charts."""

    kind = Kind.custom_scalars
    layout: Layout


@dataclass(frozen=True, eq=False, kw_only=True)
class TableItem(Item):
    """A table: names and types of its columns, and the cells by row.

    A cell is None, a bool, a number, text (dates and times too, as ISO 8601), or the bytes of an image.
    """

    kind = Kind.table
    columns: tuple[str, ...]
    types: tuple[str, ...]
    """Of each column: number, bool, text, time, image, or any."""
    rows: tuple[tuple[Any, ...], ...] = field(repr=False)

    def column(self, name: str) -> list[Any]:
        """The cells of one column."""
        if name not in self.columns:
            raise UnknownNameError("column", name, self.columns)
        position = self.columns.index(name)
        return [row[position] for row in self.rows]


@dataclass(frozen=True, eq=False, kw_only=True)
class HtmlItem(Item):
    """HTML as it was logged: whoever shows it has to shut it in."""

    kind = Kind.html
    html: str = field(repr=False)


@dataclass(frozen=True, eq=False, kw_only=True)
class PlotlyItem(Item):
    """A Plotly figure: as the JSON that was logged, and as the object in it, with "data" and "layout"."""

    kind = Kind.plotly
    json: str = field(repr=False)
    figure: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, eq=False, kw_only=True)
class ConfusionMatrixItem(Item):
    """``counts[i, j]``: how often class i was taken for class j. Whole numbers, or weights."""

    kind = Kind.confusion_matrix
    labels: tuple[str, ...]
    counts: NDArray[Any] = field(repr=False)


class GraphCarrier(str, Enum):
    """The ways a graph gets into an event file: three kinds of event, and five plugins."""

    graph_def = "graph_def"
    meta_graph_def = "meta_graph_def"
    tagged_run_metadata = "tagged_run_metadata"
    graphs = "graphs"
    graph_run_metadata = "graph_run_metadata"
    graph_run_metadata_graph = "graph_run_metadata_graph"
    graph_keras_model = "graph_keras_model"
    graph_tagged_run_metadata = "graph_tagged_run_metadata"

    def __str__(self) -> str:
        return self.value


_GRAPH_DEF_CARRIERS = (GraphCarrier.graph_def, GraphCarrier.meta_graph_def, GraphCarrier.graphs)


@dataclass(frozen=True, eq=False, kw_only=True)
class GraphItem(Item):
    """A graph, still encoded: a GraphDef, a RunMetadata, or the JSON text of a Keras model, by carrier.

    The decoded forms are made on first use; they raise DamagedValueError when the bytes are something else.
    """

    kind = Kind.graph
    carrier: GraphCarrier
    bytes: Blob = field(repr=False)

    @cached_property
    def graph_def(self) -> GraphDef | None:
        """The graph of carriers that hold a GraphDef."""
        from sightline.formats.graph_messages import GraphDef

        return GraphDef.decode(self.bytes) if self.carrier in _GRAPH_DEF_CARRIERS else None

    @cached_property
    def run_metadata(self) -> RunMetadata | None:
        """The graphs and statistics of a traced step, of carriers that hold a RunMetadata."""
        from sightline.formats.graph_messages import RunMetadata

        has_none = self.carrier in (*_GRAPH_DEF_CARRIERS, GraphCarrier.graph_keras_model)
        return None if has_none else RunMetadata.decode(self.bytes)

    @property
    def keras_json(self) -> str | None:
        """The JSON text of a Keras model."""
        return text_from_bytes(self.bytes) if self.carrier is GraphCarrier.graph_keras_model else None


@dataclass(frozen=True, eq=False, kw_only=True)
class LogMessageItem(Item):
    """A line that TensorFlow 1 logged into the event file."""

    kind = Kind.log_message
    level: int
    message: str

    @property
    def level_name(self) -> str:
        """INFO, WARN …; the number of an unknown level."""
        try:
            return LogLevel(self.level).name
        except ValueError:
            return str(self.level)
