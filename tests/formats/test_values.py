"""Items from the bytes of values, built with TensorBoard's own protobuf classes as writers build them."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("tensorboard")

from tensorboard.compat.proto.config_pb2 import RunMetadata
from tensorboard.compat.proto.event_pb2 import LogMessage, TaggedRunMetadata
from tensorboard.compat.proto.graph_pb2 import GraphDef
from tensorboard.compat.proto.meta_graph_pb2 import MetaGraphDef
from tensorboard.compat.proto.summary_pb2 import HistogramProto, Summary
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.hparams import plugin_data_pb2 as hparams_pb2
from tensorboard.plugins.mesh import plugin_data_pb2 as mesh_pb2
from tensorboard.plugins.pr_curve import plugin_data_pb2 as pr_curve_pb2
from tensorboard.util import tensor_util

from sightline.formats import items
from sightline.formats.items import GraphCarrier
from sightline.formats.messages import PluginData, SummaryMetadata
from sightline.formats.values import decode_item
from sightline.model import BadArgumentError, DamagedValueError, Form, Kind, kind_of

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x07\x00\x00\x00\x05\x08\x02" + bytes(7)
WAV = (
    b"RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00"
    b"\x00\x02\x00\x10\x00data\x00\x00\x00\x00"
)


def item_of(
    value: Summary.Value, plugin: str = "", form: Form = Form.TENSOR, metadata: SummaryMetadata | None = None
) -> Any:
    """As the store does it: kind from form and plugin, the bytes of the value, the tag's first metadata."""
    if metadata is None and plugin:
        metadata = SummaryMetadata(plugin_data=PluginData(plugin_name=plugin))
    kind = kind_of(form, plugin)
    data = value.SerializeToString()
    item = decode_item(kind, form, data, step=7, wall_time=1.5, tag="t", metadata=metadata)
    assert (item.step, item.wall_time, item.tag, item.kind) == (7, 1.5, "t", kind)
    return item


def tensor_value(array: Any, plugin: str = "", content: bytes = b"", dtype: Any = None) -> Summary.Value:
    value = Summary.Value(tag="t", tensor=tensor_util.make_tensor_proto(array, dtype=dtype))
    if plugin:
        value.metadata.plugin_data.plugin_name = plugin
        value.metadata.plugin_data.content = content
    return value


# -- images


def test_the_size_of_an_image_is_that_of_its_header_not_the_stated_one() -> None:
    value = Summary.Value(image=Summary.Image(width=1, height=0, encoded_image_string=PNG))
    item = item_of(value, form=Form.IMAGE)
    assert (item.bytes, item.samples) == (PNG, (PNG,))
    assert (item.width, item.height, item.mime_type) == (7, 5, "image/png")


def test_all_samples_of_an_image_tensor_are_there() -> None:
    item = item_of(tensor_value([b"640", b"480", b"first", b"second"]), "images")
    assert item.samples == (b"first", b"second")
    assert (item.width, item.height, item.mime_type) == (640, 480, "application/octet-stream")


def test_an_image_tensor_without_samples_has_none() -> None:
    item = item_of(tensor_value([b"640", b"480"]), "images")
    assert (item.samples, item.bytes) == ((), b"")


def test_a_stated_size_that_is_no_number_counts_as_unknown() -> None:
    item = item_of(tensor_value([b"wide", b"9" * 10_000, b"x"]), "images")
    assert (item.width, item.height) == (0, 0)


# -- audio


def test_legacy_audio_has_the_rate_of_its_header() -> None:
    audio = Summary.Audio(sample_rate=1.0, encoded_audio_string=WAV, content_type="audio/x")
    item = item_of(Summary.Value(audio=audio), form=Form.AUDIO)
    assert (item.bytes, item.labels) == (WAV, ("",))
    assert (item.sample_rate, item.mime_type) == (8000.0, "audio/wav")


def test_audio_that_does_not_tell_has_what_was_stated() -> None:
    audio = Summary.Audio(sample_rate=22050, encoded_audio_string=b"?", content_type="audio/x")
    item = item_of(Summary.Value(audio=audio), form=Form.AUDIO)
    assert (item.sample_rate, item.mime_type) == (22050.0, "audio/x")


def test_audio_tensors_come_with_and_without_labels() -> None:
    labelled = item_of(tensor_value([[b"a", b"*one*"], [b"b", b"\xff"]]), "audio")
    assert (labelled.samples, labelled.labels) == ((b"a", b"b"), ("*one*", "\\xff"))
    plain = item_of(tensor_value([b"a", b"b"]), "audio")
    assert (plain.samples, plain.labels) == ((b"a", b"b"), ("", ""))
    assert item_of(tensor_value(b"a"), "audio").samples == (b"a",)


# -- text


def test_one_text_is_itself_in_any_shape() -> None:
    for array in ("grün", ["grün"], [["grün"]]):
        item = item_of(tensor_value(array), "text")
        assert item.text == "grün"
        assert item.array.shape == np.shape(array)


def test_a_table_of_text_keeps_its_shape() -> None:
    item = item_of(tensor_value([["a\0", "b"], ["c", "d"]]), "text")
    assert item.array.tolist() == [["a\0", "b"], ["c", "d"]]
    assert item.text == "a\0\nb\nc\nd"


def test_text_that_is_not_utf_8_is_shown_with_escapes() -> None:
    assert item_of(tensor_value(b"a\xff"), "text").text == "a\\xff"


# -- histograms


def test_a_histogram_tensor_gives_its_buckets() -> None:
    item = item_of(tensor_value([[0.0, 1.0, 5.0], [1.0, 3.0, 2.0]], dtype=np.float64), "histograms")
    assert item.left.tolist() == [0.0, 1.0]
    assert item.right.tolist() == [1.0, 3.0]
    assert item.edges.tolist() == [0.0, 1.0, 3.0]
    assert item.counts.tolist() == [5.0, 2.0]
    assert item.min is None


def test_histograms_without_values_or_without_width_stay_as_written() -> None:
    nothing = item_of(tensor_value(np.zeros((3, 3))), "histograms")
    assert nothing.counts.tolist() == [0.0, 0.0, 0.0]
    equal = item_of(tensor_value([[2.0, 2.0, 0.0], [2.0, 2.0, 9.0]]), "histograms")
    assert equal.edges.tolist() == [2.0, 2.0, 2.0]
    none = item_of(Summary.Value(tensor=tensor_util.make_tensor_proto(np.zeros((0, 3)))), "histograms")
    assert none.edges.size == none.counts.size == 0


def legacy(limits: list[float], counts: list[float], **facts: float) -> Any:
    value = Summary.Value(histo=HistogramProto(bucket_limit=limits, bucket=counts, **facts))
    return item_of(value, form=Form.HISTOGRAM)


def test_empty_end_buckets_of_a_legacy_histogram_go_before_min_and_max_become_edges() -> None:
    # As torch writes it: an empty bucket in front, and one that reaches to the end of all numbers.
    item = legacy(
        [-1.0, 0.0, 1.0, 2.0, 1.8e308], [0, 3, 0, 4, 0], min=-0.5, max=1.25, num=7, sum=2, sum_squares=9
    )
    assert item.left.tolist() == [-0.5, 0.0, 1.0]
    assert item.right.tolist() == [0.0, 1.0, 1.25]
    assert item.counts.tolist() == [3.0, 0.0, 4.0]
    assert (item.min, item.max, item.num, item.sum, item.sum_squares) == (-0.5, 1.25, 7.0, 2.0, 9.0)
    assert np.all(item.right >= item.left)


def test_a_legacy_histogram_of_values_with_nan_or_infinity_ends_where_its_buckets_were_logged() -> None:
    item = legacy([-1.0, 0.0, 1.0, 2.0], [0, 3, 0, 4], min=math.nan, max=math.inf)
    assert item.left.tolist() == [-1.0, 0.0, 1.0]
    assert item.right.tolist() == [0.0, 1.0, 2.0]
    ends = legacy([-1.8e308, 0.0, 1.8e308], [0, 3, 4], min=-math.inf, max=math.inf)
    assert (ends.left.tolist(), ends.right.tolist()) == ([0.0, 0.0], [0.0, 0.0])


def test_a_legacy_histogram_with_one_bucket_reaches_from_min_to_max() -> None:
    item = legacy([5.0, 10.0], [0, 2], min=6.0, max=7.0)
    assert item.edges.tolist() == [6.0, 7.0]


def test_a_legacy_histogram_of_nothing_has_no_buckets() -> None:
    item = legacy([0.0, 1.0], [0, 0])
    assert item.counts.size == item.edges.size == 0


def test_histogram_arrays_are_read_only() -> None:
    item = legacy([1.0], [2.0])
    for column in (item.left, item.right, item.counts):
        assert not column.flags.writeable


# -- hparams


def hparams_item(data: hparams_pb2.HParamsPluginData, *, own: bool) -> Any:
    value = Summary.Value(tag="_hparams_/session_start_info")
    content = data.SerializeToString()
    if own:
        value.metadata.plugin_data.plugin_name = "hparams"
        value.metadata.plugin_data.content = content
        first = PluginData(plugin_name="hparams", content=b"another record")
    else:
        first = PluginData(plugin_name="hparams", content=content)
    return item_of(value, "hparams", Form.METADATA, SummaryMetadata(plugin_data=first))


@pytest.mark.parametrize("own", [True, False])
def test_hyper_parameters_are_python_values(own: bool) -> None:
    data = hparams_pb2.HParamsPluginData()
    start = data.session_start_info
    start.group_name = "g"
    start.hparams["lr"].number_value = 0.1
    start.hparams["layers"].number_value = 3
    start.hparams["adam"].bool_value = True
    start.hparams["name"].string_value = "x"
    start.hparams["none"].null_value = 0
    start.hparams["list"].list_value.extend([1, "a"])
    item = hparams_item(data, own=own)
    assert item.part == "session_start"
    assert item.session_start.group_name == "g"
    assert item.hparams == {
        "lr": 0.1, "layers": 3.0, "adam": True, "name": "x", "none": None, "list": [1.0, "a"]
    }  # fmt: skip
    assert isinstance(item.hparams["layers"], float)
    assert isinstance(item.hparams["adam"], bool)


def test_experiments_and_ends_of_sessions_are_hparams_too() -> None:
    end = hparams_pb2.HParamsPluginData()
    end.session_end_info.status = 1
    item = hparams_item(end, own=True)
    assert (item.part, item.session_end.status, item.hparams) == ("session_end", 1, {})
    experiment = hparams_pb2.HParamsPluginData()
    experiment.experiment.hparam_infos.add(name="lr").domain_interval.max_value = 2.0
    item = hparams_item(experiment, own=True)
    assert item.part == "experiment"
    assert item.experiment.hparam_infos[0].domain_interval.max_value == 2.0


def test_hparams_of_the_tensorflow_api_carry_an_empty_tensor() -> None:
    data = hparams_pb2.HParamsPluginData()
    data.session_start_info.hparams["lr"].number_value = 0.1
    value = tensor_value(np.zeros(0, np.float32), "hparams", data.SerializeToString())
    assert item_of(value, "hparams").hparams == {"lr": 0.1}


def test_an_hparams_value_without_a_record_is_none_of_the_three() -> None:
    assert item_of(Summary.Value(), "hparams", Form.METADATA).part == ""


# -- curves, meshes, layouts, tensors, messages


def test_a_pr_curve_has_six_rows_by_name() -> None:
    rows = np.arange(24, dtype=np.float32).reshape(6, 4)
    content = pr_curve_pb2.PrCurvePluginData(num_thresholds=4).SerializeToString()
    item = item_of(tensor_value(rows, "pr_curves", content), "pr_curves")
    named = [
        item.true_positives, item.false_positives, item.true_negatives, item.false_negatives,
        item.precision, item.recall,
    ]  # fmt: skip
    np.testing.assert_array_equal(named, rows)
    assert item.thresholds.tolist() == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert item.num_thresholds == 4


def test_a_curve_is_shown_even_when_its_plugin_data_is_damaged() -> None:
    item = item_of(tensor_value(np.zeros((6, 2)), "pr_curves", b"{}"), "pr_curves")
    assert item.num_thresholds == 0


def test_a_mesh_says_what_its_tensor_is() -> None:
    data = mesh_pb2.MeshPluginData(
        name="m", content_type=2, components=14, json_config="null", shape=[1, 2, 3]
    )
    item = item_of(tensor_value(np.ones((1, 2, 3), np.float32), "mesh", data.SerializeToString()), "mesh")
    assert (item.name, item.content_type, item.components, item.json_config) == ("m", 2, 14, "null")
    assert item.array.shape == (1, 2, 3)


@pytest.mark.parametrize("wrap", [lambda text: text, lambda text: [text]])
def test_a_layout_is_decoded_from_its_string(wrap: Any) -> None:
    layout = layout_pb2.Layout()
    layout.category.add(title="c").chart.add(title="x").multiline.tag.append("loss.*")
    item = item_of(tensor_value(wrap(layout.SerializeToString())), "custom_scalars")
    assert item.layout.category[0].chart[0].multiline.tag == ["loss.*"]


def test_a_tensor_of_a_foreign_plugin_keeps_what_the_plugin_said() -> None:
    item = item_of(tensor_value([1.0, 2.0], "beholder", b"secret"), "beholder")
    assert item.array.tolist() == [1.0, 2.0]
    assert (item.plugin, item.content) == ("beholder", b"secret")


def test_a_foreign_value_of_metadata_only_has_an_empty_array() -> None:
    item = item_of(Summary.Value(), "beholder", Form.METADATA)
    assert item.array.size == 0


def test_a_log_message_has_level_and_text() -> None:
    data = LogMessage(level=LogMessage.WARN, message="hot").SerializeToString()
    item = decode_item(Kind.log_message, Form.LOG_MESSAGE, data, step=0, wall_time=0.0, tag="__log_message__")
    assert isinstance(item, items.LogMessageItem)
    assert (item.level, item.level_name, item.message) == (30, "WARN", "hot")


# -- kinds of our own; what else can be wrong with them is in test_tables.py

TABLE = (
    b'{"version":1,"columns":[{"name":"loss","type":"number"},{"name":"picture","type":"image"}],'
    b'"rows":[[0.5,{"image":1}],["NaN",null]]}'
)


def test_a_table_has_columns_and_rows_with_its_images_in_place() -> None:
    item = item_of(tensor_value([TABLE, PNG]), "sightline_table")
    assert (item.columns, item.types) == (("loss", "picture"), ("number", "image"))
    assert item.rows[0] == (0.5, PNG)
    assert np.isnan(item.rows[1][0])
    assert item.rows[1][1] is None
    assert item.column("picture") == [PNG, None]
    with pytest.raises(KeyError, match="loss"):
        item.column("los")
    assert len(repr(item)) < 200


def test_html_figures_and_matrices_are_decoded_from_one_string() -> None:
    assert item_of(tensor_value(b"<b>gr\xc3\xbcn \xff"), "sightline_html").html == "<b>grün \\xff"
    figure = item_of(tensor_value([b'{"data": [], "x": 1}']), "sightline_plotly")
    assert (figure.json, figure.figure) == ('{"data": [], "x": 1}', {"data": [], "x": 1})
    data = b'{"version":1,"labels":["a","b"],"counts":[[1,2],[3,4.5]]}'
    matrix = item_of(tensor_value(data), "sightline_confusion_matrix")
    assert (matrix.labels, matrix.counts.tolist()) == (("a", "b"), [[1, 2], [3, 4.5]])
    assert not matrix.counts.flags.writeable


# -- graphs

GRAPH = GraphDef()
GRAPH.node.add(name="a/b", op="MatMul", input=["^c"]).attr["T"].type = 1


def graph_event(form: Form, data: bytes) -> items.GraphItem:
    item = decode_item(Kind.graph, form, data, step=0, wall_time=0.0, tag="__run_graph__")
    assert isinstance(item, items.GraphItem)
    return item


def test_a_graph_event_holds_the_graph_itself() -> None:
    item = graph_event(Form.GRAPH, GRAPH.SerializeToString())
    assert item.carrier is GraphCarrier.graph_def
    assert item.bytes == GRAPH.SerializeToString()
    assert item.graph_def is not None
    assert item.graph_def.node[0].attr["T"].type == 1
    assert (item.run_metadata, item.keras_json) == (None, None)


def test_a_meta_graph_event_holds_the_graph_one_level_down() -> None:
    meta = MetaGraphDef(graph_def=GRAPH)
    meta.meta_info_def.tags.append("serve")
    item = graph_event(Form.META_GRAPH, meta.SerializeToString())
    assert item.carrier is GraphCarrier.meta_graph_def
    assert GraphDef.FromString(item.bytes) == GRAPH


def test_a_run_metadata_event_holds_the_statistics_of_a_step() -> None:
    run = RunMetadata()
    run.step_stats.dev_stats.add(device="/cpu:0").node_stats.add(node_name="a", all_start_micros=5)
    item = graph_event(
        Form.RUN_METADATA,
        TaggedRunMetadata(tag="s1", run_metadata=run.SerializeToString()).SerializeToString(),
    )
    assert item.carrier is GraphCarrier.tagged_run_metadata
    assert item.graph_def is None
    assert item.run_metadata is not None
    assert item.run_metadata.step_stats is not None
    assert item.run_metadata.step_stats.dev_stats[0].node_stats[0].all_start_micros == 5


@pytest.mark.parametrize(
    "plugin", ["graph_run_metadata", "graph_run_metadata_graph", "graph_tagged_run_metadata"]
)
def test_run_metadata_comes_in_summaries_too(plugin: str) -> None:
    run = RunMetadata()
    run.function_graphs.add().pre_optimization_graph.CopyFrom(GRAPH)
    item = item_of(tensor_value(run.SerializeToString()), plugin)
    assert item.carrier == plugin
    assert item.run_metadata.function_graphs[0].pre_optimization_graph.node[0].name == "a/b"


def test_a_keras_model_is_json_text() -> None:
    item = item_of(
        tensor_value(json.dumps({"class_name": "Sequential"}), "graph_keras_model", b"1"), "graph_keras_model"
    )
    assert json.loads(item.keras_json) == {"class_name": "Sequential"}
    assert (item.graph_def, item.run_metadata) == (None, None)


def test_a_graph_in_a_summary_of_the_graphs_plugin_is_a_graph() -> None:
    item = item_of(tensor_value([GRAPH.SerializeToString()]), "graphs")
    assert item.graph_def.node[0].op == "MatMul"


def test_a_damaged_graph_is_reported_when_it_is_decoded_not_before() -> None:
    item = graph_event(Form.GRAPH, b"\xff")
    with pytest.raises(DamagedValueError):
        _ = item.graph_def


# -- what is wrong is said, with its place

NO_STRINGS = tensor_value("")
NO_STRINGS.tensor.tensor_shape.dim.add(size=0)


@pytest.mark.parametrize(
    ("plugin", "value", "reason"),
    [
        ("images", tensor_value([b"640"]), "an image needs width and height"),
        ("images", tensor_value([1.0]), "should hold strings and holds float32"),
        ("images", Summary.Value(), "holds metadata only"),
        ("text", Summary.Value(simple_value=1.0), "holds simple_value"),
        ("audio", tensor_value([[[b"a"]]]), "audio has shape"),
        ("histograms", tensor_value([[1.0, 2.0]]), r"has shape \[k, 3\], not \[1, 2\]"),
        ("histograms", tensor_value("x"), "should hold real numbers and holds strings"),
        ("histograms", tensor_value([1j]), "holds complex128"),
        ("pr_curves", tensor_value([1.0, 2.0]), r"has shape \[6, n\]"),
        ("custom_scalars", tensor_value([b"\xff"]), "ends inside a number"),
        (
            "custom_scalars",
            NO_STRINGS,
            "holds none",
        ),
        ("hparams", tensor_value([1.0], "hparams", b"\x12\x05x"), "does not fit"),
        ("sightline_table", tensor_value([1.0]), "strings"),
        ("sightline_table", tensor_value([TABLE]), "image that is not there: 1"),
        ("sightline_html", tensor_value(1.0), "strings"),
        ("sightline_plotly", tensor_value(b"<p>"), "not JSON"),
        ("sightline_confusion_matrix", Summary.Value(simple_value=1.0), "simple_value"),
    ],
)
def test_a_value_that_is_not_what_its_kind_says_is_called_damaged(
    plugin: str, value: Summary.Value, reason: str
) -> None:
    with pytest.raises(DamagedValueError, match=reason) as caught:
        item_of(value, plugin)
    assert f"of {kind_of(Form.TENSOR, plugin)} 't' at step 7" in str(caught.value)


def test_a_legacy_histogram_with_unequal_lists_is_called_damaged() -> None:
    with pytest.raises(DamagedValueError, match="2 bucket limits and 1 buckets"):
        legacy([1.0, 2.0], [1.0])


def test_an_endless_tag_does_not_fill_the_message() -> None:
    with pytest.raises(DamagedValueError) as caught:
        decode_item(Kind.text, Form.TENSOR, b"\xff", step=0, wall_time=0.0, tag="x" * 1_000_000)
    assert len(str(caught.value)) < 300


def test_scalars_have_no_items() -> None:
    with pytest.raises(BadArgumentError, match="columns"):
        decode_item(Kind.scalar, Form.SCALAR, b"", step=0, wall_time=0.0, tag="t")


def test_an_item_is_printed_without_its_data() -> None:
    value = Summary.Value(image=Summary.Image(encoded_image_string=PNG + bytes(1_000_000)))
    assert repr(item_of(value, form=Form.IMAGE)).startswith("ImageItem(step=7, wall_time=1.5, tag='t'")
    assert len(repr(item_of(value, form=Form.IMAGE))) < 200


# -- hostile bytes

SEEDS = [
    Summary.Value(image=Summary.Image(width=1, encoded_image_string=PNG)),
    Summary.Value(audio=Summary.Audio(sample_rate=1.0, encoded_audio_string=WAV)),
    Summary.Value(histo=HistogramProto(bucket_limit=[1, 2, 3], bucket=[0, 1, 0], min=1, max=2)),
    tensor_value([b"1", b"1", PNG], "images", b"\x08\x00"),
    tensor_value([[b"a", b"b"]], "audio"),
    tensor_value("text", "text", b"{}"),
    tensor_value([[0.0, 1.0, 5.0]], "histograms"),
    tensor_value(np.zeros((6, 2)), "pr_curves", b"\x10\x02"),
    tensor_value(np.ones((1, 2, 3)), "mesh", mesh_pb2.MeshPluginData(name="m").SerializeToString()),
    tensor_value(layout_pb2.Layout(version=1).SerializeToString(), "custom_scalars"),
    tensor_value(GRAPH.SerializeToString(), "graphs", b"1"),
    tensor_value([TABLE, PNG], "sightline_table"),
    tensor_value(b"<p>hello", "sightline_html"),
    tensor_value(b'{"data":[{"x":[1,2]}],"layout":{}}', "sightline_plotly"),
    tensor_value(b'{"version":1,"labels":["a"],"counts":[[1]]}', "sightline_confusion_matrix"),
]  # fmt: skip


PLUGINS = [
    "", "images", "audio", "text", "histograms", "hparams", "pr_curves", "mesh", "custom_scalars", "graphs",
    "graph_run_metadata", "graph_keras_model", "unheard_of",
    "sightline_table", "sightline_html", "sightline_plotly", "sightline_confusion_matrix",
]  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    data = bytearray(draw(st.sampled_from(SEEDS)).SerializeToString())
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(data)))
        data[at : at + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(data)


def touch(item: Any) -> None:
    """Ask an item everything it can be asked."""
    for name in dir(type(item)):
        if not name.startswith("_"):
            getattr(item, name)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=300)
@given(
    data=mutated() | st.binary(max_size=60),
    form=st.sampled_from([form for form in Form if form is not Form.SCALAR]),
    plugin=st.sampled_from(PLUGINS),
    content=st.none() | st.binary(max_size=20),
)
def test_whatever_the_bytes_are_nothing_but_a_damaged_value_comes_out(
    data: bytes, form: Form, plugin: str, content: bytes | None
) -> None:
    metadata = None
    if content is not None:
        metadata = SummaryMetadata(plugin_data=PluginData(plugin_name=plugin, content=content))
    kind = kind_of(form, plugin)
    try:
        touch(decode_item(kind, form, data, step=0, wall_time=0.0, tag="t", metadata=metadata))
    except DamagedValueError as error:
        assert str(error).isprintable()  # noqa: PT017  # also the message must be fit for one line
