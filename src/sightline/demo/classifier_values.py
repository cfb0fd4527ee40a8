"""What the classifier's runs log besides scalars: one function per kind of data, into an event file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sightline.demo.event_file import EventFile, strings
from sightline.demo.pictures import IMAGE_PX, film, picture, sound
from sightline.formats import graph_messages as graph
from sightline.formats import plugin_messages as plugins
from sightline.formats.messages import Event, LogLevel, LogMessage, Value
from sightline.formats.tensors import tensor_from_array

CLASSES = ("circle", "square", "ring", "cross", "stripes")


@dataclass(frozen=True)
class Recipe:
    """One run: its hyper-parameters, and how well they work."""

    name: str
    model: str
    seed: int
    learning_rate: float
    final_loss: float
    time_constant_steps: float
    start_s: float
    hparams: Mapping[str, float | str | bool] = field(default_factory=dict)


def weight_histogram(*, progress: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Rows of left edge, right edge, count: weights spread and grow a second hump as training goes on."""
    spread = 0.05 + 0.15 * progress
    weights = np.concatenate([rng.normal(0, spread, 3_000), rng.normal(0.5 * progress, 0.06, 1_200)])
    counts, edges = np.histogram(weights, bins=30)
    return np.stack([edges[:-1], edges[1:], counts.astype(np.float64)], axis=1)


def pr_curve(*, progress: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Rows: true and false positives, true and false negatives, precision, recall; a column per threshold."""
    thresholds = np.linspace(0, 1, 51)[:, None]
    positive = np.clip(rng.normal(0.5 + 0.3 * progress, 0.18, 400), 0, 1)
    negative = np.clip(rng.normal(0.5 - 0.3 * progress, 0.18, 600), 0, 1)
    true_positives, false_positives = (positive >= thresholds).sum(1), (negative >= thresholds).sum(1)
    floor = 1e-7
    precision = true_positives / np.maximum(true_positives + false_positives, floor)
    recall = true_positives / positive.size
    rows = [true_positives, false_positives, negative.size - false_positives, positive.size - true_positives]
    return np.array([*rows, precision, recall], dtype=np.float32)


def put_config(file: EventFile, recipe: Recipe) -> None:
    rows = "\n".join(f"| {name} | {value} |" for name, value in recipe.hparams.items())
    text = strings(f"# {recipe.name}\n\n| hyper-parameter | value |\n|---|---|\n{rows}\n")
    file.put(Value(tag="config", tensor=text), step=0, plugin="text", about="What the run was started with")


def put_hparams(file: EventFile, recipe: Recipe) -> None:
    def json_value(value: float | str | bool) -> plugins.StructValue:
        if isinstance(value, bool):
            return plugins.StructValue(bool_value=value)
        if isinstance(value, str):
            return plugins.StructValue(string_value=value)
        return plugins.StructValue(number_value=float(value))

    metrics = [plugins.MetricInfo(name=plugins.MetricName(tag=tag)) for tag in ("val/loss", "val/acc")]
    hparams = [plugins.HParamInfo(name=name) for name in recipe.hparams]
    start = plugins.SessionStartInfo(
        hparams={name: json_value(value) for name, value in recipe.hparams.items()},
        group_name=recipe.name,
        start_time_secs=recipe.start_s,
    )
    contents = {
        "_hparams_/experiment": plugins.HParamsPluginData(
            experiment=plugins.Experiment(hparam_infos=hparams, metric_infos=metrics)
        ),
        "_hparams_/session_start_info": plugins.HParamsPluginData(session_start_info=start),
    }
    for tag, content in contents.items():
        file.put(Value(tag=tag), step=0, plugin="hparams", content=content.encode())


def put_graph(file: EventFile, recipe: Recipe) -> None:
    layers = ("conv1", "conv2", "dense") if recipe.model == "cnn" else ("dense1", "dense2")
    nodes = [graph.NodeDef(name="input", op="Placeholder")]
    for layer in layers:
        nodes.append(graph.NodeDef(name=f"{layer}/weights", op="VariableV2"))
        op = "Conv2D" if layer.startswith("conv") else "MatMul"
        nodes.append(
            graph.NodeDef(name=f"{layer}/product", op=op, input=[nodes[-2].name, f"{layer}/weights"])
        )
        nodes.append(graph.NodeDef(name=f"{layer}/relu", op="Relu", input=[f"{layer}/product"]))
    nodes.append(graph.NodeDef(name="output", op="Softmax", input=[nodes[-1].name]))
    file.add(Event(wall_time=file.wall_time_of(0), graph_def=graph.GraphDef(node=nodes).encode()))


def put_layout(file: EventFile) -> None:
    # Expressions match from a tag's beginning: without the ends, val/loss_best_part of other runs is drawn.
    lines = plugins.MultilineChartContent(tag=["train/loss$", "val/loss$"])
    chart = plugins.Chart(title="training and validation", multiline=lines)
    layout = plugins.Layout(category=[plugins.Category(title="loss", chart=[chart])])
    value = Value(tag="custom_scalars__config__", tensor=strings(layout.encode()))
    file.put(value, step=0, plugin="custom_scalars")


def put_mesh(file: EventFile, *, step: int, progress: float) -> None:
    """A ball that becomes round."""
    around, down = np.meshgrid(np.linspace(0, 2 * np.pi, 16), np.linspace(0.1, np.pi - 0.1, 9))
    radius = 1 + 0.3 * (1 - progress) * np.sin(5 * around) * np.sin(down)
    x, y, z = np.sin(down) * np.cos(around), np.sin(down) * np.sin(around), np.cos(down)
    corners = np.stack([x, y, z], axis=-1) * radius[..., None]
    row, column = np.mgrid[:8, :15]
    first = (16 * row + column).ravel()
    lower, upper = [first, first + 1, first + 16], [first + 1, first + 17, first + 16]
    faces = np.concatenate([np.stack(lower, axis=1), np.stack(upper, axis=1)])
    contents: dict[plugins.MeshContent, NDArray[np.generic]] = {
        plugins.MeshContent.VERTEX: corners.reshape(1, -1, 3).astype(np.float32),
        plugins.MeshContent.FACE: faces[None].astype(np.int32),
        plugins.MeshContent.COLOR: ((corners.reshape(1, -1, 3) + 1.4) * 90).clip(0, 255).astype(np.uint8),
    }
    components = sum(1 << content for content in contents)
    for content, array in contents.items():
        about = plugins.MeshPluginData(
            name="ball", content_type=content, shape=list(array.shape), components=components
        )
        value = Value(tag=f"ball_{content.name}", tensor=tensor_from_array(array))
        file.put(value, step=step, plugin="mesh", content=about.encode())


def put_look(file: EventFile, recipe: Recipe, rng: np.random.Generator, *, step: int) -> None:
    """Everything that is not a number, at one step."""
    progress = 1 - float(np.exp(-step / recipe.time_constant_steps))
    pictures = [picture(name, clarity=progress, rng=rng) for name in CLASSES[:3]]
    images = strings([str(IMAGE_PX), str(IMAGE_PX), *pictures])
    file.put(Value(tag="samples", tensor=images), step=step, plugin="images")
    moving = strings([str(IMAGE_PX), str(IMAGE_PX), film(clarity=progress, rng=rng)])
    file.put(
        Value(tag="orbit", tensor=moving), step=step, plugin="images", about="A film: one turn of a ball"
    )
    wav = strings([[sound(clarity=progress, rng=rng), "a struck **A4**"]])
    encoding = plugins.AudioPluginData(encoding=plugins.AudioEncoding.WAV)
    file.put(Value(tag="tone", tensor=wav), step=step, plugin="audio", content=encoding.encode())
    guesses = [
        CLASSES[int(rng.integers(len(CLASSES)))] if rng.uniform() > progress else name for name in CLASSES
    ]
    captions = strings([f"saw *{guess}*, was *{name}*" for name, guess in zip(CLASSES, guesses, strict=True)])
    file.put(Value(tag="captions", tensor=captions), step=step, plugin="text")
    for layer in ("first", "last"):
        rows = tensor_from_array(weight_histogram(progress=progress, rng=rng))
        file.put(Value(tag=f"weights/{layer}", tensor=rows), step=step, plugin="histograms")
    thresholds = plugins.PrCurvePluginData(num_thresholds=51)
    value = Value(tag="val/circle", tensor=tensor_from_array(pr_curve(progress=progress, rng=rng)))
    file.put(value, step=step, plugin="pr_curves", content=thresholds.encode())
    confusion = rng.multinomial(100, np.full(5, 0.2), size=5) * (1 - progress) + 100 * progress * np.eye(5)
    value = Value(tag="val/confusion", tensor=tensor_from_array(confusion.round().astype(np.int64)))
    file.put(value, step=step, plugin="somebody_elses")  # a plugin nobody knows: kept as a tensor
    put_own_kinds(file, confusion.round().astype(int).tolist(), guesses, pictures, step=step)
    put_mesh(file, step=step, progress=progress)


def put_own_kinds(
    file: EventFile, counts: list[list[int]], guesses: list[str], pictures: list[bytes], *, step: int
) -> None:
    """What only our writer writes: a table with pictures, HTML, a Plotly figure, a confusion matrix."""
    columns = [
        {"name": name, "type": kind}
        for name, kind in (("picture", "image"), ("was", "text"), ("saw", "text"))
    ]
    rows = [[{"image": i + 1}, CLASSES[i], guesses[i]] for i in range(len(pictures))]
    heights = [row[i] for i, row in enumerate(counts)]
    values: dict[str, tuple[str, object]] = {
        "val/table": ("table", {"version": 1, "columns": columns, "rows": rows}),
        "val/plotly": ("plotly", {"data": [{"type": "bar", "x": list(CLASSES), "y": heights}], "layout": {}}),
        "val/matrix": ("confusion_matrix", {"version": 1, "labels": list(CLASSES), "counts": counts}),
        "val/html": ("html", f"<p>{sum(heights)} of {sum(map(sum, counts))} right</p>"),
    }
    for tag, (kind, content) in values.items():
        text = content if isinstance(content, str) else json.dumps(content)
        tensor = strings([text, *pictures]) if kind == "table" else strings(text)
        file.put(Value(tag=tag, tensor=tensor), step=step, plugin=f"sightline_{kind}")


def put_end(file: EventFile, *, message: str, level: LogLevel, status: plugins.RunStatus, step: int) -> None:
    wall_time = file.wall_time_of(step)
    file.add(Event(wall_time=wall_time, step=step, log_message=LogMessage(level=level, message=message)))
    end = plugins.HParamsPluginData(
        session_end_info=plugins.SessionEndInfo(status=status, end_time_secs=wall_time)
    )
    value = Value(tag="_hparams_/session_end_info")
    file.put(value, step=step, plugin="hparams", content=end.encode())
