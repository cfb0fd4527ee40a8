"""The messages of single plugins, found in ``SummaryMetadata.plugin_data.content`` (and layouts in a tensor).

One section per plugin. Old files hold the text ``{}`` where text and histograms have a message, and graph
plugins hold ``1``: callers decode the content only of plugins that need it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum

from sightline.formats.wire import Message, field, mapping, repeated
from sightline.formats.wire_types import BOOL, DOUBLE, ENUM, INT32, STRING, UINT32

# -- scalars, images, audio, text, histograms, pr_curves


class AudioEncoding(IntEnum):
    UNKNOWN = 0
    WAV = 11


class AudioPluginData(Message):
    version: int = field(1, INT32)
    encoding: int = field(2, ENUM)
    converted_to_tensor: bool = field(3, BOOL)


class TextPluginData(Message):
    version: int = field(1, INT32)


class PrCurvePluginData(Message):
    version: int = field(1, INT32)
    num_thresholds: int = field(2, UINT32)


# -- mesh


class MeshContent(IntEnum):
    """What a tensor of a mesh holds. ``components`` has a bit ``1 << MeshContent`` for each; 0: unknown."""

    UNDEFINED = 0
    VERTEX = 1
    FACE = 2
    COLOR = 3


class MeshPluginData(Message):
    version: int = field(1, INT32)
    name: str = field(2, STRING)
    content_type: int = field(3, ENUM)
    json_config: str = field(5, STRING)
    shape: Sequence[int] = repeated(6, INT32)
    components: int = field(7, UINT32)


# -- custom_scalars


class MultilineChartContent(Message):
    tag: Sequence[str] = repeated(1, STRING)  # regular expressions


class MarginSeries(Message):
    value: str = field(1, STRING)
    lower: str = field(2, STRING)
    upper: str = field(3, STRING)


class MarginChartContent(Message):
    series: Sequence[MarginSeries] = repeated(1, MarginSeries)


class Chart(Message):
    title: str = field(1, STRING)
    multiline: MultilineChartContent | None = field(2, MultilineChartContent, oneof="content")
    margin: MarginChartContent | None = field(3, MarginChartContent, oneof="content")


class Category(Message):
    title: str = field(1, STRING)
    chart: Sequence[Chart] = repeated(2, Chart)
    closed: bool = field(3, BOOL)


class Layout(Message):
    version: int = field(1, INT32)
    category: Sequence[Category] = repeated(2, Category)


# -- google.protobuf.Value and its relatives: JSON values, used by hparams


class StructValue(Message):
    """``google.protobuf.Value``, under a name that cannot be taken for ``Summary.Value``."""

    null_value: int | None = field(1, ENUM, oneof="kind")
    number_value: float | None = field(2, DOUBLE, oneof="kind")
    string_value: str | None = field(3, STRING, oneof="kind")
    bool_value: bool | None = field(4, BOOL, oneof="kind")
    struct_value: Struct | None = field(5, lambda: Struct, oneof="kind")
    list_value: ListValue | None = field(6, lambda: ListValue, oneof="kind")


class Struct(Message):
    fields: Mapping[str, StructValue] = mapping(1, STRING, StructValue)


class ListValue(Message):
    values: Sequence[StructValue] = repeated(1, StructValue)


# -- hparams


class HParamType(IntEnum):
    UNSET = 0
    STRING = 1
    BOOL = 2
    FLOAT64 = 3


class DatasetType(IntEnum):
    UNKNOWN = 0
    TRAINING = 1
    VALIDATION = 2


class RunStatus(IntEnum):
    """How a session ended."""

    UNKNOWN = 0
    SUCCESS = 1
    FAILURE = 2
    RUNNING = 3


class Interval(Message):
    min_value: float = field(1, DOUBLE)
    max_value: float = field(2, DOUBLE)


class HParamInfo(Message):
    name: str = field(1, STRING)
    display_name: str = field(2, STRING)
    description: str = field(3, STRING)
    type: int = field(4, ENUM)
    domain_discrete: ListValue | None = field(5, ListValue, oneof="domain")
    domain_interval: Interval | None = field(6, Interval, oneof="domain")
    differs: bool = field(7, BOOL)


class MetricName(Message):
    group: str = field(1, STRING)
    tag: str = field(2, STRING)


class MetricInfo(Message):
    name: MetricName | None = field(1, MetricName)
    display_name: str = field(3, STRING)
    description: str = field(4, STRING)
    dataset_type: int = field(5, ENUM)


class Experiment(Message):
    description: str = field(1, STRING)
    user: str = field(2, STRING)
    time_created_secs: float = field(3, DOUBLE)
    hparam_infos: Sequence[HParamInfo] = repeated(4, HParamInfo)
    metric_infos: Sequence[MetricInfo] = repeated(5, MetricInfo)
    name: str = field(6, STRING)


class SessionStartInfo(Message):
    hparams: Mapping[str, StructValue] = mapping(1, STRING, StructValue)
    model_uri: str = field(2, STRING)
    monitor_url: str = field(3, STRING)
    group_name: str = field(4, STRING)
    start_time_secs: float = field(5, DOUBLE)


class SessionEndInfo(Message):
    status: int = field(1, ENUM)
    end_time_secs: float = field(2, DOUBLE)


class HParamsPluginData(Message):
    version: int = field(1, INT32)
    experiment: Experiment | None = field(2, Experiment, oneof="data")
    session_start_info: SessionStartInfo | None = field(3, SessionStartInfo, oneof="data")
    session_end_info: SessionEndInfo | None = field(4, SessionEndInfo, oneof="data")
