"""Graphs: of torch models, Keras models and ONNX files.

The nodes are gathered on the caller's thread, where the model is; the message is made of them on the
background thread. As in torch, a graph is an event of its own and belongs to no step; the devices follow as
the metadata of a first step.
"""

from __future__ import annotations

import json
from os import PathLike
from typing import Any

from sightline.formats.messages import Event, TaggedRunMetadata
from sightline.formats.tensors import tensor_from_array
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.base import WriterBase, plugin_value
from sightline.writer.model_graphs.nodes import GraphNode, graph_def_of, run_metadata_of

# The tag torch gives to the metadata of its graphs.
METADATA_TAG = "step1"
# What a node with its texts may take while it waits.
_NODE_BYTES = 1000


class GraphMethods(WriterBase):
    def add_graph(
        self,
        model: Any,
        input_to_model: Any = None,
        verbose: bool = False,
        use_strict_trace: bool = True,
    ) -> None:
        """Writes the graph of a torch model: its modules, what runs inside them, and how data flows.

        The model is run once on `input_to_model` (a tensor, a tuple of arguments, a dict of keyword
        arguments), in evaluation mode and without gradients. It is left as it was, random streams included.
        Nothing is traced, so any model that runs will do. Without an input the graph holds the modules and
        their parameters. A Keras model is written as its layers.

        verbose: print the nodes.
        use_strict_trace: taken for compatibility; there is no trace that could be strict.
        """
        from sightline.writer.model_graphs import torch_models  # nobody else needs it

        if _is_keras_model(model):
            # As Keras' own callback writes it.
            tensor = tensor_from_array(_keras_json(model).encode())
            self._write([plugin_value("keras", "graph_keras_model", tensor=tensor, content=b"1")], 0)
            return
        if not torch_models.is_torch_module(model):
            raise BadArgumentError(
                f"add_graph takes a torch.nn.Module or a keras.Model, not {type(model).__name__}. "
                "For a file use add_onnx_graph"
            )
        nodes = torch_models.torch_nodes(model, input_to_model)
        if verbose:
            for node in nodes:
                print(f"{node.name} = {node.op}({', '.join(node.inputs)})")
        self._write_graph(nodes, has_metadata=True)

    def add_onnx_graph(
        self,
        prototxt: str | PathLike[str] | None = None,
        *,
        onnx_model_file: str | PathLike[str] | None = None,
    ) -> None:
        """Writes the graph of an ONNX file. Neither onnx nor protobuf is needed.

        `onnx_model_file` is tensorboardX's name of the argument.
        """
        prototxt = onnx_model_file if prototxt is None else prototxt
        if prototxt is None:
            raise BadArgumentError("add_onnx_graph needs the path of an ONNX file")
        from sightline.writer.model_graphs.onnx_files import onnx_nodes

        self._write_graph(onnx_nodes(prototxt))

    def add_openvino_graph(self, xmlname: str | PathLike[str]) -> None:
        """tensorboardX has it. OpenVINO's files are not read here: raises BadArgumentError, which says so."""
        raise BadArgumentError(
            f"OpenVINO files are not read: {xmlname}. Log the ONNX file of the model with add_onnx_graph"
        )

    def _write_graph(self, nodes: list[GraphNode], *, has_metadata: bool = False) -> None:
        step, walltime = self._place(0, None)

        def work() -> None:
            graph_def = graph_def_of(nodes).encode()
            self._write_event(Event(wall_time=walltime, step=step, graph_def=graph_def).encode())
            if has_metadata:
                tagged = TaggedRunMetadata(tag=METADATA_TAG, run_metadata=run_metadata_of(nodes).encode())
                self._write_event(Event(wall_time=walltime, step=step, tagged_run_metadata=tagged).encode())

        self._submit(work, "a graph", size_bytes=len(nodes) * _NODE_BYTES)


# -- Keras models, told from others and turned to JSON without importing Keras


def _is_keras_model(model: object) -> bool:
    """Whether an object is a model of Keras, alone or in TensorFlow.

    With torch underneath it is a module of torch as well, but one that knows its layers better.
    """
    return any(base.__name__ == "Model" and _is_keras(base.__module__) for base in type(model).__mro__)


def _is_keras(module: str) -> bool:
    return module.split(".")[0] in ("keras", "tf_keras") or module.startswith("tensorflow.python.keras")


def _keras_json(model: Any) -> str:
    """The layers of a model, as Keras describes them."""
    try:
        text = str(model.to_json())
        has_layers = bool(json.loads(text)["config"].get("layers"))
    except Exception as error:
        raise BadArgumentError(
            f"Keras cannot describe this model: {type(error).__name__}: {error}"
        ) from error
    if not has_layers:
        raise BadArgumentError(
            f"Keras knows no layers of {type(model).__name__}, so there is no graph to draw. "
            "It knows those of Sequential and functional models"
        )
    return text
