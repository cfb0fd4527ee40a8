"""Write a demo log directory: eight runs of a made-up image classifier, every kind of data in each.

    python examples/make_demo.py build/demo-logs

Two models with three seeds each (cnn/seed0 …), one run that diverged, crashed and was restarted from a
checkpoint (two files, the first with a torn tail), and one with a damaged record. The cnn runs are written
in the manner of TensorFlow 2 (tensors with metadata), the mlp runs in that of torch (plain scalars).

Everything is seeded, so the same bytes come out every time and a second call rewrites the same files; nothing
else in the target is touched.
"""

from __future__ import annotations

import argparse
import io
import json
import struct
import sys
import wave
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sightline._core import masked_crc32c
from sightline.formats import graph_messages as graph
from sightline.formats import plugin_messages as plugins
from sightline.formats.messages import (
    Event,
    LogLevel,
    LogMessage,
    PluginData,
    Summary,
    SummaryMetadata,
    TensorProto,
    Value,
)
from sightline.formats.tensors import tensor_from_array

Floats = NDArray[np.float64]

STEPS = 2_000
WARM_UP_STEPS = 200
SECONDS_PER_STEP = 0.35
VALIDATE_EVERY = 50
LOOK_EVERY = 250  # media, histograms and curves
FIRST_START_S = 1_767_600_000.0  # a Monday morning in January 2026
CLASSES = ("circle", "square", "ring", "cross", "stripes")
IMAGE_PX = 32
SAMPLE_RATE_HZ = 8_000


# -- event files


class EventFile:
    """One event file in memory; ``save`` writes it. Wall time follows from the step."""

    def __init__(self, path: Path, *, start_s: float, first_step: int, has_tensor_scalars: bool) -> None:
        self.path = path
        self.start_s = start_s
        self.first_step = first_step
        self.has_tensor_scalars = has_tensor_scalars
        self.records: list[bytes] = []
        self._tags_with_metadata: set[str] = set()
        self.add(Event(wall_time=start_s, file_version="brain.Event:2"))

    def add(self, event: Event) -> None:
        data = event.encode()
        length = struct.pack("<Q", len(data))
        length_checksum = struct.pack("<I", masked_crc32c(length))
        self.records.append(length + length_checksum + data + struct.pack("<I", masked_crc32c(data)))

    def wall_time_of(self, step: int) -> float:
        return self.start_s + 1 + (step - self.first_step) * SECONDS_PER_STEP

    def put(
        self, value: Value, *, step: int, plugin: str = "", content: bytes = b"", about: str = ""
    ) -> None:
        """Add one value. Only the first of a tag gets metadata, as TensorFlow 1 did it: readers must cope."""
        if plugin and value.tag not in self._tags_with_metadata:
            self._tags_with_metadata.add(value.tag)
            owner = PluginData(plugin_name=plugin, content=content)
            value.metadata = SummaryMetadata(plugin_data=owner, summary_description=about)
        self.add(Event(wall_time=self.wall_time_of(step), step=step, summary=Summary(value=[value])))

    def put_scalar(self, tag: str, number: float, *, step: int) -> None:
        if self.has_tensor_scalars:
            self.put(
                Value(tag=tag, tensor=tensor_from_array(np.float32(number))), step=step, plugin="scalars"
            )
        else:
            self.put(Value(tag=tag, simple_value=number), step=step)

    def flip_a_bit(self, position: int) -> None:
        """Damage one record as a failing disk would; its length stays intact, its data do not."""
        damaged = bytearray(self.records[position])
        damaged[20] ^= 0x10
        self.records[position] = bytes(damaged)

    def save(self, *, torn_bytes: int = 0) -> None:
        data = b"".join(self.records)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(data[: len(data) - torn_bytes])


def strings(items: object) -> TensorProto:
    """A tensor of text or bytes; as objects, because NumPy's own type for bytes drops zeros at their end."""
    return tensor_from_array(np.array(items, dtype=object))


# -- pictures and sounds


def png_from_rgb(pixels: NDArray[np.uint8]) -> bytes:
    height, width, _ = pixels.shape

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + row.tobytes() for row in pixels)  # 0: the row is not filtered
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # 8 bits, RGB
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows, 9))
        + chunk(b"IEND", b"")
    )


def wav_from_samples(samples: Floats) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE_HZ)
        file.writeframes((samples * 32_767).astype("<i2").tobytes())
    return out.getvalue()


def picture(name: str, *, clarity: float, rng: np.random.Generator) -> bytes:
    """A shape that comes out of the noise as clarity goes from 0 to 1: what a generator might have drawn."""
    y, x = np.mgrid[-1 : 1 : IMAGE_PX * 1j, -1 : 1 : IMAGE_PX * 1j]
    radius = np.hypot(x, y)
    inside = {
        "circle": radius < 0.6,
        "square": np.maximum(abs(x), abs(y)) < 0.55,
        "ring": abs(radius - 0.6) < 0.15,
        "cross": np.minimum(abs(x), abs(y)) < 0.18,
        "stripes": np.sin(12 * x) > 0,
    }[name]
    colour = np.array([0.95, 0.55, 0.15]) if name in ("circle", "ring") else np.array([0.2, 0.55, 0.9])
    target = np.where(inside[..., None], colour, 0.08)
    noise = rng.uniform(size=target.shape)
    return png_from_rgb((255 * (clarity * target + (1 - clarity) * noise)).astype(np.uint8))


def sound(*, clarity: float, rng: np.random.Generator) -> bytes:
    time_s = np.arange(SAMPLE_RATE_HZ // 4) / SAMPLE_RATE_HZ
    tone = 0.5 * np.sin(2 * np.pi * 440 * time_s) * np.exp(-6 * time_s)
    return wav_from_samples(clarity * tone + (1 - clarity) * 0.3 * rng.uniform(-1, 1, time_s.size))


# -- what a training would have measured


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


def make_recipe(model: str, name: str, *, seed: int, position: int) -> Recipe:
    is_cnn = model == "cnn"
    learning_rate = 3e-3 if is_cnn else 1e-3
    return Recipe(
        name=f"{model}/{name}",
        model=model,
        seed=seed,
        learning_rate=learning_rate,
        final_loss=0.12 if is_cnn else 0.34,
        time_constant_steps=260 if is_cnn else 420,
        start_s=FIRST_START_S + 1_200 * position,
        hparams={
            "model": model,
            "learning_rate": learning_rate,
            "seed": seed,
            "batch_size": 64,
            "augment": is_cnn,
        },
    )


def learning_rates(recipe: Recipe) -> Floats:
    """Linear warm-up, then half a cosine."""
    step = np.arange(STEPS)
    decay = 0.5 * (1 + np.cos(np.pi * (step - WARM_UP_STEPS) / (STEPS - WARM_UP_STEPS)))
    return recipe.learning_rate * np.where(step < WARM_UP_STEPS, (step + 1) / WARM_UP_STEPS, decay)


def curves(recipe: Recipe, rng: np.random.Generator, *, diverges_at: int | None = None) -> dict[str, Floats]:
    """One value for each step and tag; the caller picks the steps at which validation was run."""
    step = np.arange(STEPS)
    first_loss = np.log(len(CLASSES))
    progress = np.exp(-step / recipe.time_constant_steps) + 0.08 / np.sqrt(1 + step / 20)
    ideal = recipe.final_loss + (first_loss - recipe.final_loss) * progress / progress[0]
    train_loss = ideal * np.exp(rng.normal(0, 0.12, STEPS))
    grad_norm = 0.4 + 2.5 * ideal * rng.lognormal(0, 0.25, STEPS)
    grad_norm[rng.choice(STEPS, 6, replace=False)] *= 8  # a bad batch now and then
    # The validation loss follows, and creeps up again when the model begins to learn by heart.
    val_loss = ideal * 1.12 + 0.05 * np.clip((step - 1_300) / 700, 0, 1) + rng.normal(0, 0.01, STEPS)
    accuracy = np.clip(1 - 0.8 * (ideal - 0.05) / first_loss + rng.normal(0, 0.006, STEPS), 0, 1)
    if diverges_at is not None:
        late = np.clip(step - diverges_at, 0, None)
        train_loss = np.where(late > 90, np.nan, train_loss * np.exp(late / 18))
        grad_norm = np.where(late > 90, np.inf, grad_norm * np.exp(late / 12))
    return {
        "train/loss": train_loss,
        "train/grad_norm": grad_norm,
        "train/learning_rate": learning_rates(recipe),
        "val/loss": val_loss,
        "val/acc": accuracy,
    }


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


# -- one run


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
    lines = plugins.MultilineChartContent(tag=["train/loss", "val/loss"])
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


def make_file(
    root: Path,
    recipe: Recipe,
    series: Mapping[str, Floats],
    *,
    start_s: float,
    first_step: int,
    last_step: int,
) -> EventFile:
    """An event file of the run with the steps from first_step up to, not including, last_step."""
    name = f"events.out.tfevents.{start_s:.0f}.demo.{1_000 + recipe.seed}.0"
    file = EventFile(
        root / recipe.name / name,
        start_s=start_s,
        first_step=first_step,
        has_tensor_scalars=recipe.model == "cnn",
    )
    if first_step == 0:
        put_config(file, recipe)
        put_hparams(file, recipe)
        put_graph(file, recipe)
        put_layout(file)
    rng = np.random.default_rng([recipe.seed, first_step])
    for step in range(first_step, last_step):
        for tag, values in series.items():
            if tag.startswith("train/") or step % VALIDATE_EVERY == 0:
                file.put_scalar(tag, float(values[step]), step=step)
        if step % LOOK_EVERY == 0:
            put_look(file, recipe, rng, step=step)
    return file


def write_whole_run(root: Path, recipe: Recipe, *, is_damaged: bool = False) -> None:
    series = curves(recipe, np.random.default_rng(recipe.seed))
    file = make_file(root, recipe, series, start_s=recipe.start_s, first_step=0, last_step=STEPS)
    success = plugins.RunStatus.SUCCESS
    put_end(file, message="training finished", level=LogLevel.INFO, status=success, step=STEPS)
    if is_damaged:
        file.flip_a_bit(len(file.records) // 2)
    file.save()


def write_restarted_run(root: Path, recipe: Recipe, *, checkpoint: int = 1_000, crash: int = 1_300) -> None:
    """The first attempt diverges and dies in the middle of a write; the second goes on from a checkpoint."""
    first = curves(recipe, np.random.default_rng(recipe.seed), diverges_at=crash - 110)
    file = make_file(root, recipe, first, start_s=recipe.start_s, first_step=0, last_step=crash)
    file.save(torn_bytes=9)
    restart_s = file.wall_time_of(crash) + 300
    second = curves(recipe, np.random.default_rng(recipe.seed + 1))
    file = make_file(root, recipe, second, start_s=restart_s, first_step=checkpoint, last_step=STEPS)
    success = plugins.RunStatus.SUCCESS
    put_end(file, message="finished after a restart", level=LogLevel.WARN, status=success, step=STEPS)
    file.save()


def write_demo(root: Path) -> None:
    recipes = [
        make_recipe(model, f"seed{seed}", seed=seed, position=3 * number + seed)
        for number, model in enumerate(("cnn", "mlp"))
        for seed in range(3)
    ]
    for recipe in recipes:
        write_whole_run(root, recipe)
    write_restarted_run(root, make_recipe("cnn", "restarted", seed=3, position=6))
    write_whole_run(root, make_recipe("mlp", "damaged", seed=4, position=7), is_damaged=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="Write a demo log directory.")
    parser.add_argument("directory", type=Path, help="where to; made if missing, nothing in it is deleted")
    directory = parser.parse_args().directory
    try:
        write_demo(directory)
    except OSError as error:
        print(f"Cannot write the demo logs: {error.strerror}: {error.filename}", file=sys.stderr)
        return 1
    print(f"Wrote 8 runs to {directory}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
