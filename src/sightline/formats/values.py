"""Bytes of one value → its item.

The index knows where the bytes of a value lie and hands them here when somebody asks for it. Each kind has
one function below; it takes the legacy form and the tensor form of its kind, so callers see no difference
between files of TensorFlow 1, torch and TensorFlow 2.

Only the first value of a tag is sure to carry metadata, so callers pass the tag's metadata along; metadata
that a value carries itself is more specific and wins (hparams keep all their data in it).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from sightline.formats import items
from sightline.formats.items import GraphCarrier, Item
from sightline.formats.messages import (
    HistogramProto,
    LogMessage,
    PluginData,
    StringValue,
    SummaryMetadata,
    TaggedRunMetadata,
    Value,
)
from sightline.formats.plugin_messages import HParamsPluginData, Layout, MeshPluginData, PrCurvePluginData
from sightline.formats.struct_values import python_from_struct_value
from sightline.formats.tables import (
    confusion_matrix_from_bytes,
    figure_from_bytes,
    table_from_strings,
)
from sightline.formats.tensors import array_from_tensor, strings_from_tensor
from sightline.formats.texts import text_from_bytes, texts_of
from sightline.formats.wire import Message
from sightline.formats.wire_types import Encoded
from sightline.model.byte_source import ByteSource
from sightline.model.errors import BadArgumentError, DamagedValueError
from sightline.model.forms import Form
from sightline.model.kinds import Kind

if TYPE_CHECKING:
    from typing_extensions import Self

# Buckets at the ends may reach to the end of all numbers.
_END_OF_NUMBERS = 1e300
# More digits than any image is wide; keeps hostile text from being parsed as a number.
_MAX_SIZE_DIGITS = 9
_LONGEST_TAG_SHOWN = 80
# Of all cells of one text, each counted as often as it is shown. What is not UTF-8 takes eight times as much
# memory while it is decoded.
MAX_TEXT_BYTES = 32 << 20
# Of all labels of the sounds of one step: they are kept in memory with the places of the sounds.
MAX_LABEL_BYTES = 4 << 20


_AnyMessage = TypeVar("_AnyMessage", bound=Message)


class _Place(TypedDict):
    """The facts every item has."""

    step: int
    wall_time: float
    tag: str


def decode_item(
    kind: Kind,
    form: int,
    data: Encoded,
    *,
    step: int,
    wall_time: float,
    tag: str,
    metadata: SummaryMetadata | None = None,
) -> Item:
    """The item in the bytes of one value.

    ``data`` is the message that ``form`` names: a Summary.Value for values, else the GraphDef,
    MetaGraphDef, TaggedRunMetadata or LogMessage. Whatever the bytes are, nothing but DamagedValueError is
    raised because of them. Scalars have no items: asking for one is a BadArgumentError. When ``data`` is not
    in memory, the samples of a picture or sound are not either; other kinds need the bytes themselves.
    """
    place = _Place(step=step, wall_time=wall_time, tag=tag)
    try:
        if form in _DECODERS_OF_FORM:
            return _DECODERS_OF_FORM[form](data[:], place)
        if form != Form.SCALAR and kind in _STRING_DECODERS:
            return _STRING_DECODERS[kind](_Source.of(StringValue.decode(data), metadata), place)
        if form != Form.SCALAR and kind in _DECODERS:
            return _DECODERS[kind](_TensorSource.of(Value.decode(data), metadata), place)
        raise BadArgumentError(f"Values of kind {kind} and form {form} are kept in columns, not as items")
    except DamagedValueError as error:
        name = tag if len(tag) <= _LONGEST_TAG_SHOWN else f"{tag[:_LONGEST_TAG_SHOWN]}…"
        raise DamagedValueError(error.reason, f"{kind} {name!r} at step {step}") from error


_AnyValue = TypeVar("_AnyValue", StringValue, Value)


@dataclass(frozen=True)
class _PluginValue(Generic[_AnyValue]):
    """A decoded value and what its plugin says about it."""

    value: _AnyValue
    plugin: str
    content: bytes

    @classmethod
    def of(cls, value: _AnyValue, metadata: SummaryMetadata | None) -> Self:
        own = value.metadata.plugin_data if value.metadata else None
        of_tag = metadata.plugin_data if metadata else None
        first = of_tag or own or PluginData()
        return cls(value, first.plugin_name, own.content if own and own.content else first.content)

    def content_as(self, kind: type[_AnyMessage]) -> _AnyMessage:
        """The plugin's message, where it only adds to the data: when damaged, the data still counts."""
        try:
            return kind.decode(self.content)
        except DamagedValueError:
            return kind()

    def no_tensor(self) -> DamagedValueError:
        held = self.value.which("value") or "metadata only"
        return DamagedValueError(f"it should hold a tensor and holds {held}")


class _Source(_PluginValue[StringValue]):
    """Of the kinds that are made of strings, of pictures and of sounds."""

    def strings(self) -> NDArray[Any]:
        """The array of a string tensor."""
        if self.value.tensor is None:
            raise self.no_tensor()
        return strings_from_tensor(self.value.tensor)

    def only_string(self) -> bytes:
        """The string of a tensor that holds one, of whatever shape."""
        strings = self.strings()
        if strings.size == 0:
            raise DamagedValueError("it should hold one string and holds none")
        only: bytes = strings.ravel()[0]
        return only


class _TensorSource(_PluginValue[Value]):
    """Of the kinds that are made of numbers, and of those that may be anything."""

    def array(self) -> NDArray[Any]:
        """The tensor's array."""
        if self.value.tensor is None:
            raise self.no_tensor()
        return array_from_tensor(self.value.tensor)

    def numbers(self) -> NDArray[Any]:
        """The array of a tensor of real numbers."""
        array = self.array()
        if array.dtype.kind not in "fiub":
            held = "strings" if array.dtype == object else f"{array.dtype} numbers"
            raise DamagedValueError(f"it should hold real numbers and holds {held}")
        return array


# -- one function per kind


def _image(source: _Source, place: _Place) -> Item:
    image = source.value.image
    if image is not None:
        samples = (image.encoded_image_string,)
        return items.ImageItem(samples=samples, stated_width=image.width, stated_height=image.height, **place)
    strings = source.strings().ravel().tolist()
    if len(strings) < 2:
        raise DamagedValueError(f"an image needs width and height, and {len(strings)} strings are there")
    width, height = _size_from_text(strings[0]), _size_from_text(strings[1])
    return items.ImageItem(samples=tuple(strings[2:]), stated_width=width, stated_height=height, **place)


def _size_from_text(text: ByteSource) -> int:
    return int(text[:]) if len(text) <= _MAX_SIZE_DIGITS and text[:].isdigit() else 0


def _audio(source: _Source, place: _Place) -> Item:
    audio = source.value.audio
    if audio is not None:
        return items.AudioItem(
            samples=(audio.encoded_audio_string,),
            labels=("",),
            stated_sample_rate=audio.sample_rate,
            stated_mime_type=audio.content_type,
            **place,
        )
    strings = source.strings()
    if strings.ndim == 2 and strings.shape[1] == 2:
        samples = strings[:, 0].tolist()
        labels = [label for label, _ in texts_of(strings[:, 1].tolist(), max_bytes=MAX_LABEL_BYTES)]
    elif strings.ndim <= 1 or strings.shape[1:] == (1,):
        samples = strings.ravel().tolist()
        labels = [""] * len(samples)
    else:
        raise DamagedValueError(f"audio has shape [k] or [k, 2], not {list(strings.shape)}")
    return items.AudioItem(samples=tuple(samples), labels=tuple(labels), **place)


def _text(source: _Source, place: _Place) -> Item:
    strings = source.strings()
    texts = np.empty(strings.shape, dtype=object)
    odd_cells = 0
    cells = texts.ravel()
    for position, (text, is_odd) in enumerate(texts_of(strings.ravel().tolist(), max_bytes=MAX_TEXT_BYTES)):
        cells[position] = text
        odd_cells += is_odd
    texts.flags.writeable = False
    return items.TextItem(array=texts, odd_cells=odd_cells, **place)


def _histogram(source: _TensorSource, place: _Place) -> Item:
    if source.value.histo is not None:
        return _legacy_histogram(source.value.histo, place)
    rows = source.numbers()
    if rows.ndim != 2 or rows.shape[1] != 3:
        raise DamagedValueError(f"a histogram has shape [k, 3], not {list(rows.shape)}")
    left, right, counts = rows.astype(np.float64).T
    return _histogram_item(left, right, counts, place)


def _legacy_histogram(histo: HistogramProto, place: _Place) -> Item:
    """Right edges and counts, with empty buckets at the ends that stand for the rest of the number line."""
    limits = np.asarray(histo.bucket_limit, dtype=np.float64)
    counts = np.asarray(histo.bucket, dtype=np.float64)
    if limits.size != counts.size:
        raise DamagedValueError(f"a histogram has {limits.size} bucket limits and {counts.size} buckets")
    facts = {name: getattr(histo, name) for name in ("min", "max", "num", "sum", "sum_squares")}
    filled = np.flatnonzero(counts)
    if filled.size == 0:
        return _histogram_item(counts[:0], counts[:0], counts[:0], place, **facts)
    # The empty buckets must go before min and max become the outer edges: kept, the outer one would end
    # before it starts.
    first, last = int(filled[0]), int(filled[-1])
    before = float(limits[first - 1]) if first > 0 else math.nan
    left = np.concatenate(([_outer_edge(histo.min, before, limits[first])], limits[first:last]))
    inner = limits[last - 1] if last > first else limits[last]
    right = np.concatenate((limits[first:last], [_outer_edge(histo.max, limits[last], inner)]))
    return _histogram_item(left, right, counts[first : last + 1], place, **facts)


def _outer_edge(extent: float, logged: float, inner: float) -> float:
    """Min or max. Where a value was NaN or infinite it says nothing: the bucket ends where it was logged."""
    if math.isfinite(extent):
        return extent
    return logged if abs(logged) < _END_OF_NUMBERS else inner


def _histogram_item(
    left: NDArray[np.float64],
    right: NDArray[np.float64],
    counts: NDArray[np.float64],
    place: _Place,
    **facts: float,
) -> Item:
    columns = [np.array(column) for column in (left, right, counts)]
    for column in columns:
        column.flags.writeable = False
    return items.HistogramItem(left=columns[0], right=columns[1], counts=columns[2], **facts, **place)


def _tensor(source: _TensorSource, place: _Place) -> Item:
    array = np.empty(0, np.float32) if source.value.which("value") is None else source.array()
    return items.TensorItem(array=array, plugin=source.plugin, content=source.content, **place)


def _hparams(source: _Source, place: _Place) -> Item:
    data = HParamsPluginData.decode(source.content)
    start = data.session_start_info
    hparams = (
        {name: python_from_struct_value(value) for name, value in start.hparams.items()} if start else {}
    )
    return items.HParamsItem(
        experiment=data.experiment,
        session_start=start,
        session_end=data.session_end_info,
        hparams=hparams,
        **place,
    )


def _pr_curve(source: _TensorSource, place: _Place) -> Item:
    rows = source.numbers()
    if rows.ndim != 2 or rows.shape[0] != 6:
        raise DamagedValueError(f"a precision-recall curve has shape [6, n], not {list(rows.shape)}")
    data = source.content_as(PrCurvePluginData)
    return items.PrCurveItem(array=rows, num_thresholds=data.num_thresholds, **place)


def _mesh(source: _TensorSource, place: _Place) -> Item:
    data = source.content_as(MeshPluginData)
    return items.MeshItem(
        array=source.numbers(),
        name=data.name,
        content_type=data.content_type,
        components=data.components,
        json_config=data.json_config,
        **place,
    )


def _custom_scalars(source: _Source, place: _Place) -> Item:
    return items.CustomScalarsItem(layout=Layout.decode(source.only_string()), **place)


def _table(source: _Source, place: _Place) -> Item:
    table = table_from_strings(source.strings().ravel().tolist())
    types = tuple(str(kind) for kind in table.types)
    return items.TableItem(columns=table.names, types=types, rows=table.rows, **place)


def _html(source: _Source, place: _Place) -> Item:
    return items.HtmlItem(html=text_from_bytes(source.only_string()), **place)


def _plotly(source: _Source, place: _Place) -> Item:
    data = source.only_string()
    return items.PlotlyItem(figure=figure_from_bytes(data), json=text_from_bytes(data), **place)


def _confusion_matrix(source: _Source, place: _Place) -> Item:
    matrix = confusion_matrix_from_bytes(source.only_string())
    return items.ConfusionMatrixItem(labels=matrix.labels, counts=matrix.counts, **place)


def _graph(source: _Source, place: _Place) -> Item:
    try:
        carrier = GraphCarrier(source.plugin)
    except ValueError:
        raise DamagedValueError(f"plugin {source.plugin!r} carries no graphs") from None
    return items.GraphItem(carrier=carrier, bytes=source.only_string(), **place)


_STRING_DECODERS: dict[Kind, Callable[[_Source, _Place], Item]] = {
    Kind.image: _image,
    Kind.audio: _audio,
    Kind.text: _text,
    Kind.hparams: _hparams,
    Kind.custom_scalars: _custom_scalars,
    Kind.table: _table,
    Kind.html: _html,
    Kind.plotly: _plotly,
    Kind.confusion_matrix: _confusion_matrix,
    Kind.graph: _graph,
}
_DECODERS: dict[Kind, Callable[[_TensorSource, _Place], Item]] = {
    Kind.histogram: _histogram,
    Kind.pr_curve: _pr_curve,
    Kind.mesh: _mesh,
    Kind.tensor: _tensor,
}


# -- forms that are no summary value


def _graph_event(data: bytes, place: _Place) -> Item:
    return items.GraphItem(carrier=GraphCarrier.graph_def, bytes=data, **place)


def _meta_graph_event(data: bytes, place: _Place) -> Item:
    from sightline.formats.graph_messages import MetaGraphDef  # many messages, and seldom needed

    graph_def = MetaGraphDef.decode(data).graph_def
    return items.GraphItem(carrier=GraphCarrier.meta_graph_def, bytes=graph_def, **place)


def _run_metadata_event(data: bytes, place: _Place) -> Item:
    run_metadata = TaggedRunMetadata.decode(data).run_metadata
    return items.GraphItem(carrier=GraphCarrier.tagged_run_metadata, bytes=run_metadata, **place)


def _log_message_event(data: bytes, place: _Place) -> Item:
    line = LogMessage.decode(data)
    return items.LogMessageItem(level=line.level, message=line.message, **place)


_DECODERS_OF_FORM: dict[int, Callable[[bytes, _Place], Item]] = {
    Form.GRAPH: _graph_event,
    Form.META_GRAPH: _meta_graph_event,
    Form.RUN_METADATA: _run_metadata_event,
    Form.LOG_MESSAGE: _log_message_event,
}
