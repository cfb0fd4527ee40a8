"""Graphs of OpenVINO models; tensorboardX is the oracle for names and edges."""

from __future__ import annotations

from pathlib import Path

import pytest
import tensorboardX

from sightline import SummaryWriter
from sightline.model.errors import BadArgumentError, NoSuchPathError
from tests.writer.graph_facts import (
    assert_sound,
    edges_of,
    graph_of,
    nodes_by_name,
    shapes_of,
    source_of,
    written_graph,
)

MODEL = """<?xml version="1.0"?>
<net name="net" version="11">
  <layers>
    <layer id="0" name="image" type="Parameter" version="opset1">
      <data shape="?,3,8,8" element_type="f32"/>
      <output><port id="0" precision="FP32"><dim>-1</dim><dim>3</dim><dim>8</dim><dim>8</dim></port></output>
    </layer>
    <layer id="1" name="conv/weight" type="Const">
      <output><port id="0" precision="I64"><dim>8</dim><dim>?</dim></port></output>
    </layer>
    <layer id="2" name="conv" type="Convolution">
      <data strides="1, 1" auto_pad="explicit"/>
      <input><port id="0"><dim>1</dim></port><port id="1"><dim>8</dim></port></input>
      <output><port id="2" precision="FP16"><dim>1</dim></port></output>
    </layer>
    <layer id="3" name="split" type="Split">
      <input><port id="0"/></input>
      <output><port id="1" precision="FP32"/><port id="2" precision="ODD"><dim>2</dim></port></output>
    </layer>
    <layer id="4" name="loop" type="Loop">
      <body><layers><layer id="0" name="inner" type="Add"><output><port id="9"/></output></layer></layers>
        <edges><edge from-layer="0" from-port="9" to-layer="0" to-port="0"/></edges></body>
    </layer>
    <layer id="5" name="result" type="Result"/>
  </layers>
  <edges>
    <edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
    <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
    <edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>
    <edge from-layer="3" from-port="2" to-layer="4" to-port="0"/>
    <edge from-layer="4" from-port="0" to-layer="5" to-port="0"/>
  </edges>
</net>
"""


def model_file(directory: Path, text: str = MODEL) -> Path:
    path = directory / "model.xml"
    path.write_text(text)
    return path


def test_layers_become_nodes(tmp_path: Path) -> None:
    path = model_file(tmp_path)
    made = written_graph(tmp_path / "log", lambda writer: writer.add_openvino_graph(path))
    assert_sound(made)
    nodes = nodes_by_name(made)
    assert {name: (node.op, list(node.input)) for name, node in nodes.items()} == {
        "image": ("Parameter", []),
        "conv/weight": ("Const", []),
        "conv": ("Convolution", ["image", "conv/weight"]),
        "split": ("Split", ["conv"]),
        "loop": ("Loop", ["split:1"]),
        "result": ("Result", ["loop"]),
    }
    assert shapes_of(nodes["image"]) == [[-1, 3, 8, 8]]
    assert shapes_of(nodes["conv/weight"]) == [[8, -1]]
    assert shapes_of(nodes["split"]) == [[], [2]]
    assert nodes["conv/weight"].attr["dtype"].type == 9  # DT_INT64
    assert nodes["conv"].attr["parameters"].s == b"strides = 1, 1, auto_pad = explicit"


def test_edges_are_those_of_tensorboardx(tmp_path: Path) -> None:
    path = model_file(tmp_path)
    with tensorboardX.SummaryWriter(str(tmp_path / "x")) as writer:
        writer.add_openvino_graph(str(path))
    theirs = graph_of(tmp_path / "x")
    ours = written_graph(tmp_path / "log", lambda writer: writer.add_openvino_graph(str(path)))
    assert edges_of(ours) == {(source_of(ref), node.name) for node in theirs.node for ref in node.input}
    assert ours.versions == theirs.versions


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE net [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><net>&b;</net>'
)
LEAK = '<!DOCTYPE net [<!ENTITY a SYSTEM "file:///etc/passwd">]><net>&a;</net>'
LOOSE = '<net><layers><layer id="0"/></layers><edges><edge from-layer="0" to-layer="7"/></edges></net>'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no element found"),
        ("<net><layers>", "no element found"),
        ("not xml", "syntax error"),
        ("<net/>", "no layers"),
        (BOMB, "document type"),
        (LEAK, "document type"),
        (LOOSE, "7"),
    ],
)
def test_a_file_that_is_no_model_is_refused_and_named(tmp_path: Path, text: str, reason: str) -> None:
    path = model_file(tmp_path, text)
    with (
        SummaryWriter(tmp_path / "log", story=False) as writer,
        pytest.raises(BadArgumentError, match=reason) as caught,
    ):
        writer.add_openvino_graph(path)
    assert str(caught.value).endswith(str(path))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with (
        SummaryWriter(tmp_path / "log", story=False) as writer,
        pytest.raises(NoSuchPathError, match="OpenVINO"),
    ):
        writer.add_openvino_graph(tmp_path / "missing.xml")
