"""Every message against the protobuf classes that TensorBoard ships: declarations, and bytes both ways."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("tensorboard")

from google.protobuf import struct_pb2
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tensorboard.compat.proto import (
    attr_value_pb2,
    config_pb2,
    event_pb2,
    function_pb2,
    graph_pb2,
    histogram_pb2,
    meta_graph_pb2,
    node_def_pb2,
    op_def_pb2,
    step_stats_pb2,
    summary_pb2,
    tensor_pb2,
    tensor_shape_pb2,
    types_pb2,
    versions_pb2,
)
from tensorboard.plugins.audio import plugin_data_pb2 as audio_pb2
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.hparams import api_pb2
from tensorboard.plugins.hparams import plugin_data_pb2 as hparams_pb2
from tensorboard.plugins.mesh import plugin_data_pb2 as mesh_pb2
from tensorboard.plugins.pr_curve import plugin_data_pb2 as pr_curve_pb2
from tensorboard.plugins.projector import projector_config_pb2
from tensorboard.plugins.text import plugin_data_pb2 as text_pb2

from sightline.formats import graph_messages as g
from sightline.formats import messages as m
from sightline.formats import plugin_messages as p
from sightline.formats import projector, wire_types
from sightline.formats.wire import Field, Message
from sightline.formats.wire_types import ScalarType
from sightline.model.errors import DamagedValueError

# Ours, and the class of the same message in the `tensorboard` package.
TWINS: dict[type[Message], Any] = {
    m.Event: event_pb2.Event,
    m.SourceMetadata: event_pb2.SourceMetadata,
    m.LogMessage: event_pb2.LogMessage,
    m.SessionLog: event_pb2.SessionLog,
    m.TaggedRunMetadata: event_pb2.TaggedRunMetadata,
    m.Summary: summary_pb2.Summary,
    m.Value: summary_pb2.Summary.Value,
    m.StringValue: summary_pb2.Summary.Value,
    m.Image: summary_pb2.Summary.Image,
    m.Audio: summary_pb2.Summary.Audio,
    m.SummaryMetadata: summary_pb2.SummaryMetadata,
    m.PluginData: summary_pb2.SummaryMetadata.PluginData,
    m.HistogramProto: histogram_pb2.HistogramProto,
    m.TensorProto: tensor_pb2.TensorProto,
    m.StringTensor: tensor_pb2.TensorProto,
    m.TensorShapeProto: tensor_shape_pb2.TensorShapeProto,
    m.Dim: tensor_shape_pb2.TensorShapeProto.Dim,
    p.AudioPluginData: audio_pb2.AudioPluginData,
    p.TextPluginData: text_pb2.TextPluginData,
    p.PrCurvePluginData: pr_curve_pb2.PrCurvePluginData,
    p.MeshPluginData: mesh_pb2.MeshPluginData,
    p.Layout: layout_pb2.Layout,
    p.Category: layout_pb2.Category,
    p.Chart: layout_pb2.Chart,
    p.MultilineChartContent: layout_pb2.MultilineChartContent,
    p.MarginChartContent: layout_pb2.MarginChartContent,
    p.MarginSeries: layout_pb2.MarginChartContent.Series,
    p.StructValue: struct_pb2.Value,
    p.Struct: struct_pb2.Struct,
    p.ListValue: struct_pb2.ListValue,
    p.HParamsPluginData: hparams_pb2.HParamsPluginData,
    p.SessionStartInfo: hparams_pb2.SessionStartInfo,
    p.SessionEndInfo: hparams_pb2.SessionEndInfo,
    p.Experiment: api_pb2.Experiment,
    p.HParamInfo: api_pb2.HParamInfo,
    p.Interval: api_pb2.Interval,
    p.MetricInfo: api_pb2.MetricInfo,
    p.MetricName: api_pb2.MetricName,
    g.GraphDef: graph_pb2.GraphDef,
    g.NodeDef: node_def_pb2.NodeDef,
    g.AttrValue: attr_value_pb2.AttrValue,
    g.AttrListValue: attr_value_pb2.AttrValue.ListValue,
    g.NameAttrList: attr_value_pb2.NameAttrList,
    g.FunctionDefLibrary: function_pb2.FunctionDefLibrary,
    g.FunctionDef: function_pb2.FunctionDef,
    g.OpDef: op_def_pb2.OpDef,
    g.ArgDef: op_def_pb2.OpDef.ArgDef,
    g.AttrDef: op_def_pb2.OpDef.AttrDef,
    g.VersionDef: versions_pb2.VersionDef,
    g.MetaGraphDef: meta_graph_pb2.MetaGraphDef,
    g.RunMetadata: config_pb2.RunMetadata,
    g.FunctionGraphs: config_pb2.RunMetadata.FunctionGraphs,
    g.StepStats: step_stats_pb2.StepStats,
    g.DeviceStepStats: step_stats_pb2.DeviceStepStats,
    g.NodeExecStats: step_stats_pb2.NodeExecStats,
    g.AllocatorMemoryUsed: step_stats_pb2.AllocatorMemoryUsed,
    projector.ProjectorConfig: projector_config_pb2.ProjectorConfig,
    projector.EmbeddingInfo: projector_config_pb2.EmbeddingInfo,
    projector.SpriteMetadata: projector_config_pb2.SpriteMetadata,
}
# Sub-messages we keep as bytes.
KEPT_ENCODED = {
    "GraphDef.debug_info",
    "MetaGraphDef.graph_def",
    "NodeDef.experimental_type",
    "ArgDef.experimental_full_type",
    "RunMetadata.cost_graph",
    "StringValue.histo",
    "AllocatorMemoryUsed.allocation_records",
    "ArgDef.handle_data",
    "FunctionDef.arg_attr",
    "FunctionDefLibrary.gradient",
    "FunctionDefLibrary.registered_gradients",
    "MetaGraphDef.meta_info_def",
    "NodeDef.experimental_debug_info",
    "NodeExecStats.memory_stats",
    "NodeExecStats.output",
    "NodeExecStats.referenced_tensor",
    "OpDef.deprecation",
    "RunMetadata.session_metadata",
    "TensorProto.resource_handle_val",
    "TensorProto.variant_val",
}
# Messages of which we declare only a part.
PARTIAL = {g.MetaGraphDef, m.StringTensor, m.StringValue}
# Biggest first, so that a failure in a small one is not hidden behind them.
ROOTS = [m.Event, p.HParamsPluginData, p.Layout, p.MeshPluginData, g.GraphDef, g.RunMetadata, g.MetaGraphDef]

TYPE_NAMES = {
    number: name[len("TYPE_") :].lower()
    for name, number in vars(FieldDescriptor).items()
    if name[:5] == "TYPE_"
}


def test_every_declared_message_has_a_twin() -> None:
    declared = {
        value
        for module in (m, p, g, projector)
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Message) and value is not Message
    }
    assert declared == set(TWINS)


@pytest.mark.parametrize("ours", TWINS, ids=lambda cls: cls.__name__)
def test_fields_have_the_numbers_names_and_types_of_the_format(ours: type[Message]) -> None:
    theirs = TWINS[ours].DESCRIPTOR.fields_by_name
    if ours not in PARTIAL:
        assert {one.name for one in ours.SPEC} == set(theirs)
    for one in ours.SPEC:
        assert_declared_alike(one, theirs[one.name])


def assert_declared_alike(one: Field, theirs: Any) -> None:
    assert one.number == theirs.number
    oneof = theirs.containing_oneof
    assert one.oneof == (oneof.name if oneof else "")
    if one.key is not None:
        entry = theirs.message_type
        assert entry.GetOptions().map_entry
        assert one.key.name == TYPE_NAMES[entry.fields_by_name["key"].type]
        theirs = entry.fields_by_name["value"]
    else:
        assert one.is_repeated == theirs.is_repeated
    if one.full_name in KEPT_ENCODED:
        assert one.kind is wire_types.BYTES
        assert theirs.message_type is not None
    elif isinstance(one.kind, ScalarType):
        assert one.kind.name == TYPE_NAMES[theirs.type]
    else:
        assert TWINS[one.message_type()].DESCRIPTOR is theirs.message_type


def test_enums_have_the_numbers_of_the_format() -> None:
    def numbers(theirs: Any, prefix: str) -> dict[str, int]:
        return {name.removeprefix(prefix): number for name, number in theirs.items()}

    plain = {name: n for name, n in numbers(types_pb2.DataType, "DT_").items() if n < 100}
    assert {one.name: one.value for one in m.DataType} == plain
    assert {one.name: one.value for one in m.LogLevel} == numbers(event_pb2.LogMessage.Level, "")
    assert {one.name: one.value for one in p.HParamType} == numbers(api_pb2.DataType, "DATA_TYPE_")
    assert {one.name: one.value for one in p.DatasetType} == numbers(api_pb2.DatasetType, "DATASET_")
    assert {one.name: one.value for one in p.RunStatus} == numbers(api_pb2.Status, "STATUS_")
    encodings = audio_pb2.AudioPluginData.Encoding
    assert {one.name: one.value for one in p.AudioEncoding} == numbers(encodings, "")
    contents = mesh_pb2.MeshPluginData.ContentType
    assert {one.name: one.value for one in p.MeshContent} == numbers(contents, "")


# -- bytes both ways

_SCALARS: dict[ScalarType, st.SearchStrategy[Any]] = {
    wire_types.DOUBLE: st.floats(allow_nan=False),
    wire_types.FLOAT: st.floats(allow_nan=False, width=32),
    wire_types.INT32: st.integers(-(2**31), 2**31 - 1),
    wire_types.ENUM: st.integers(-(2**31), 2**31 - 1),
    wire_types.INT64: st.integers(-(2**63), 2**63 - 1),
    wire_types.UINT32: st.integers(0, 2**32 - 1),
    wire_types.UINT64: st.integers(0, 2**64 - 1),
    wire_types.BOOL: st.booleans(),
    wire_types.STRING: st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    wire_types.BYTES: st.binary(max_size=20),
}


@st.composite
def message_of(draw: st.DrawFn, kind: type[Message], depth: int = 4) -> Message:
    """A message with a few of its fields set, nested a few levels deep."""
    values: dict[str, Any] = {}
    taken: set[str] = set()
    chosen = draw(st.lists(st.sampled_from(kind.SPEC), max_size=5, unique=True)) if kind.SPEC else []
    for one in chosen:
        is_message = not isinstance(one.kind, ScalarType)
        if one.oneof in taken or one.full_name in KEPT_ENCODED or (is_message and depth == 0):
            continue
        item = message_of(one.message_type(), depth - 1) if is_message else _SCALARS[one.kind]  # type: ignore[index]
        if one.key is not None:
            values[one.name] = draw(st.dictionaries(_SCALARS[one.key], item, max_size=3))
        elif one.is_repeated:
            # Long enough now and then for the bulk reader of packed numbers.
            longest = 3 if is_message else 80
            values[one.name] = draw(st.lists(item, max_size=longest))
        else:
            values[one.name] = draw(item)
        taken |= {one.oneof} - {""}
    return kind(**values)


def assert_same(ours: Message, theirs: Any) -> None:
    for one in ours.SPEC:
        if one.full_name in KEPT_ENCODED:
            continue
        value, other = getattr(ours, one.name), getattr(theirs, one.name)
        if one.key is not None:
            assert set(value) == set(other)
            for key in value:
                assert_same_value(value[key], other[key])
        elif one.is_repeated:
            assert len(value) == len(other)
            for item, other_item in zip(value, other, strict=True):
                assert_same_value(item, other_item)
        elif value is None:
            assert not theirs.HasField(one.name)
        else:
            if not isinstance(one.kind, ScalarType) or one.oneof:
                assert theirs.HasField(one.name)
            assert_same_value(value, other)


def assert_same_value(ours: Any, theirs: Any) -> None:
    if isinstance(ours, Message):
        assert_same(ours, theirs)
    else:
        assert ours == theirs or (ours != ours and theirs != theirs)  # the second for NaN
        assert type(ours) is type(theirs)


relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@relaxed
@given(st.sampled_from(ROOTS).flatmap(message_of))
def test_what_we_encode_protobuf_reads_and_we_read_what_it_writes(ours: Message) -> None:
    theirs = TWINS[type(ours)].FromString(ours.encode())
    again = type(ours).decode(theirs.SerializeToString())
    assert_same(again, theirs)
    assert again == ours


@relaxed
@given(st.sampled_from(ROOTS).flatmap(message_of))
def test_we_encode_in_the_same_number_of_bytes_as_protobuf(ours: Message) -> None:
    encoded = ours.encode()
    assert len(encoded) == TWINS[type(ours)].FromString(encoded).ByteSize()


@st.composite
def mutated_message(draw: st.DrawFn) -> tuple[type[Message], bytes]:
    kind = draw(st.sampled_from(list(TWINS)))
    data = bytearray(draw(message_of(kind)).encode())
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(data)))
        edit = draw(st.sampled_from(["insert", "replace", "cut", "truncate"]))
        if edit == "insert":
            data[at:at] = draw(st.binary(min_size=1, max_size=4))
        elif edit == "replace":
            data[at : at + 1] = draw(st.binary(min_size=1, max_size=1))
        elif edit == "cut":
            del data[at : at + draw(st.integers(1, 8))]
        else:
            del data[at:]
    return kind, bytes(data)


def assert_decoded_as_by_protobuf(kind: type[Message], data: bytes) -> None:
    """Or called damaged, where protobuf does so, too."""
    try:
        theirs = TWINS[kind].FromString(data)
    except DecodeError:
        theirs = None
    try:
        ours = kind.decode(data)
    except DamagedValueError:
        # A sub-message that we keep encoded may be damaged inside without our noticing, never the reverse.
        assert theirs is None
        return
    if theirs is not None:
        assert_same(ours, theirs)


@relaxed
@given(mutated_message())
def test_mutated_messages_decode_as_protobuf_decodes_them_or_are_called_damaged(
    case: tuple[type[Message], bytes],
) -> None:
    assert_decoded_as_by_protobuf(*case)


@relaxed
@given(st.sampled_from(list(TWINS)), st.binary(max_size=200))
def test_random_bytes_decode_as_protobuf_decodes_them_or_are_called_damaged(
    kind: type[Message], data: bytes
) -> None:
    assert_decoded_as_by_protobuf(kind, data)
