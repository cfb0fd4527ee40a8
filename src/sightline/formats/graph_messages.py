"""The messages of graphs and of the statistics of a traced step.

Only graphs need these, so nothing else imports this module. Sub-messages nobody draws are declared as
``BYTES``, which reads any of them and writes it back unchanged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sightline.formats.messages import TensorProto, TensorShapeProto
from sightline.formats.wire import Message, field, mapping, repeated
from sightline.formats.wire_types import BOOL, BYTES, ENUM, FLOAT, INT32, INT64, STRING, UINT32

# -- nodes and their attributes


class NameAttrList(Message):
    name: str = field(1, STRING)
    attr: Mapping[str, AttrValue] = mapping(2, STRING, lambda: AttrValue)


class AttrListValue(Message):
    """``AttrValue.ListValue``: a list of one of these."""

    s: Sequence[bytes] = repeated(2, BYTES)
    i: Sequence[int] = repeated(3, INT64)
    f: Sequence[float] = repeated(4, FLOAT)
    b: Sequence[bool] = repeated(5, BOOL)
    type: Sequence[int] = repeated(6, ENUM)
    shape: Sequence[TensorShapeProto] = repeated(7, TensorShapeProto)
    tensor: Sequence[TensorProto] = repeated(8, TensorProto)
    func: Sequence[NameAttrList] = repeated(9, NameAttrList)


class AttrValue(Message):
    list: AttrListValue | None = field(1, AttrListValue, oneof="value")
    s: bytes | None = field(2, BYTES, oneof="value")
    i: int | None = field(3, INT64, oneof="value")
    f: float | None = field(4, FLOAT, oneof="value")
    b: bool | None = field(5, BOOL, oneof="value")
    type: int | None = field(6, ENUM, oneof="value")
    shape: TensorShapeProto | None = field(7, TensorShapeProto, oneof="value")
    tensor: TensorProto | None = field(8, TensorProto, oneof="value")
    placeholder: str | None = field(9, STRING, oneof="value")
    func: NameAttrList | None = field(10, NameAttrList, oneof="value")


class NodeDef(Message):
    name: str = field(1, STRING)
    op: str = field(2, STRING)
    input: Sequence[str] = repeated(3, STRING)  # "name", "name:slot" or "^name"
    device: str = field(4, STRING)
    attr: Mapping[str, AttrValue] = mapping(5, STRING, AttrValue)
    experimental_debug_info: bytes = field(6, BYTES)  # ExperimentalDebugInfo
    experimental_type: bytes = field(7, BYTES)  # FullTypeDef


# -- operations and functions


class ArgDef(Message):
    name: str = field(1, STRING)
    description: str = field(2, STRING)
    type: int = field(3, ENUM)
    type_attr: str = field(4, STRING)
    number_attr: str = field(5, STRING)
    type_list_attr: str = field(6, STRING)
    handle_data: Sequence[bytes] = repeated(7, BYTES)  # DtypeAndShape
    is_ref: bool = field(16, BOOL)
    experimental_full_type: bytes = field(17, BYTES)  # FullTypeDef


class AttrDef(Message):
    name: str = field(1, STRING)
    type: str = field(2, STRING)
    default_value: AttrValue | None = field(3, AttrValue)
    description: str = field(4, STRING)
    has_minimum: bool = field(5, BOOL)
    minimum: int = field(6, INT64)
    allowed_values: AttrValue | None = field(7, AttrValue)


class OpDef(Message):
    name: str = field(1, STRING)
    input_arg: Sequence[ArgDef] = repeated(2, ArgDef)
    output_arg: Sequence[ArgDef] = repeated(3, ArgDef)
    attr: Sequence[AttrDef] = repeated(4, AttrDef)
    summary: str = field(5, STRING)
    description: str = field(6, STRING)
    deprecation: bytes = field(8, BYTES)  # OpDeprecation
    is_aggregate: bool = field(16, BOOL)
    is_stateful: bool = field(17, BOOL)
    is_commutative: bool = field(18, BOOL)
    allows_uninitialized_input: bool = field(19, BOOL)
    control_output: Sequence[str] = repeated(20, STRING)
    is_distributed_communication: bool = field(21, BOOL)


class FunctionDef(Message):
    signature: OpDef | None = field(1, OpDef)
    node_def: Sequence[NodeDef] = repeated(3, NodeDef)
    ret: Mapping[str, str] = mapping(4, STRING, STRING)
    attr: Mapping[str, AttrValue] = mapping(5, STRING, AttrValue)
    control_ret: Mapping[str, str] = mapping(6, STRING, STRING)
    arg_attr: Mapping[int, bytes] = mapping(7, UINT32, BYTES)  # ArgAttrs
    resource_arg_unique_id: Mapping[int, int] = mapping(8, UINT32, UINT32)


class FunctionDefLibrary(Message):
    function: Sequence[FunctionDef] = repeated(1, FunctionDef)
    gradient: Sequence[bytes] = repeated(2, BYTES)  # GradientDef
    registered_gradients: Sequence[bytes] = repeated(3, BYTES)  # RegisteredGradient


# -- graphs


class VersionDef(Message):
    producer: int = field(1, INT32)
    min_consumer: int = field(2, INT32)
    bad_consumers: Sequence[int] = repeated(3, INT32)


class GraphDef(Message):
    node: Sequence[NodeDef] = repeated(1, NodeDef)
    library: FunctionDefLibrary | None = field(2, FunctionDefLibrary)
    version: int = field(3, INT32)
    versions: VersionDef | None = field(4, VersionDef)
    debug_info: bytes = field(5, BYTES)  # GraphDebugInfo


class MetaGraphDef(Message):
    """The graph is left encoded: whoever wants it decodes a GraphDef, and most callers pass the bytes on."""

    meta_info_def: bytes = field(1, BYTES)  # MetaInfoDef
    graph_def: bytes = field(2, BYTES)  # GraphDef


# -- the statistics of a step


class AllocatorMemoryUsed(Message):
    allocator_name: str = field(1, STRING)
    total_bytes: int = field(2, INT64)
    peak_bytes: int = field(3, INT64)
    live_bytes: int = field(4, INT64)
    allocator_bytes_in_use: int = field(5, INT64)
    allocation_records: Sequence[bytes] = repeated(6, BYTES)  # AllocationRecord


class NodeExecStats(Message):
    node_name: str = field(1, STRING)
    all_start_micros: int = field(2, INT64)
    op_start_rel_micros: int = field(3, INT64)
    op_end_rel_micros: int = field(4, INT64)
    all_end_rel_micros: int = field(5, INT64)
    memory: Sequence[AllocatorMemoryUsed] = repeated(6, AllocatorMemoryUsed)
    output: Sequence[bytes] = repeated(7, BYTES)  # NodeOutput
    timeline_label: str = field(8, STRING)
    scheduled_micros: int = field(9, INT64)
    thread_id: int = field(10, UINT32)
    referenced_tensor: Sequence[bytes] = repeated(11, BYTES)  # AllocationDescription
    memory_stats: bytes = field(12, BYTES)  # MemoryStats
    all_start_nanos: int = field(13, INT64)
    op_start_rel_nanos: int = field(14, INT64)
    op_end_rel_nanos: int = field(15, INT64)
    all_end_rel_nanos: int = field(16, INT64)
    scheduled_nanos: int = field(17, INT64)


class DeviceStepStats(Message):
    device: str = field(1, STRING)
    node_stats: Sequence[NodeExecStats] = repeated(2, NodeExecStats)
    thread_names: Mapping[int, str] = mapping(3, UINT32, STRING)


class StepStats(Message):
    dev_stats: Sequence[DeviceStepStats] = repeated(1, DeviceStepStats)


class FunctionGraphs(Message):
    partition_graphs: Sequence[GraphDef] = repeated(1, GraphDef)
    pre_optimization_graph: GraphDef | None = field(2, GraphDef)
    post_optimization_graph: GraphDef | None = field(3, GraphDef)


class RunMetadata(Message):
    step_stats: StepStats | None = field(1, StepStats)
    cost_graph: bytes = field(2, BYTES)  # CostGraphDef
    partition_graphs: Sequence[GraphDef] = repeated(3, GraphDef)
    function_graphs: Sequence[FunctionGraphs] = repeated(4, FunctionGraphs)
    session_metadata: bytes = field(5, BYTES)  # SessionMetadata
