"""Calls of a SummaryWriter: every method with its arguments in every legal way, and several types of data.

One table for three writers: torch's, tensorboardX's and ours. Each entry takes a writer and makes one or a
few calls. Data are NumPy arrays and Python numbers, which all three take; tensors of torch are added by its
own test.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.fixtures.summary_calls import bytes_array, fractions

Call = Callable[[Any], object]

VALUES = fractions(1000, low=-3, high=5)
GIVEN_S = 123.5  # a wall time that a call is given

SCALARS: dict[str, Call] = {
    "plain": lambda w: w.add_scalar("Loss/train", 0.5, 3),
    "without step": lambda w: w.add_scalar("loss", 0.5),
    "positional": lambda w: w.add_scalar("loss", 1.5, 4, GIVEN_S),
    "keywords": lambda w: w.add_scalar(tag="loss", scalar_value=1.5, global_step=4, walltime=GIVEN_S),
    "several steps": lambda w: [w.add_scalar("loss", 1 / (step + 1), step) for step in range(20)],
    "steps that go back": lambda w: [w.add_scalar("loss", 0.5, step) for step in (5, 3, 3, 9)],
    "negative step": lambda w: w.add_scalar("loss", 0.5, -7),
    "large step": lambda w: w.add_scalar("loss", 0.5, 2**62),
    "NumPy step": lambda w: w.add_scalar("loss", 0.5, np.int32(9)),
    "float step": lambda w: w.add_scalar("loss", 0.5, 9.75),
    "int": lambda w: w.add_scalar("loss", 7, 1),
    "bool": lambda w: w.add_scalar("loss", True, 1),
    **{
        f"NumPy {dtype.__name__}": lambda w, dtype=dtype: w.add_scalar("loss", dtype(3), 1)
        for dtype in (np.float16, np.float32, np.float64, np.int8, np.uint8, np.int32, np.int64, np.bool_)
    },
    "array of rank 0": lambda w: w.add_scalar("loss", np.array(2.5), 1),
    "array of one": lambda w: w.add_scalar("loss", np.array([2.5]), 1),
    "odd numbers": lambda w: [
        w.add_scalar("loss", value, step)
        for step, value in enumerate([float("nan"), float("inf"), float("-inf"), -0.0, 1e-45, 1 / 3])
    ],
    "odd tag": lambda w: w.add_scalar("a/b.c-d_e", 0.5, 1),
}  # fmt: skip

HISTOGRAMS: dict[str, Call] = {
    "plain": lambda w: w.add_histogram("weights", VALUES, 2),
    "positional": lambda w: w.add_histogram("weights", VALUES, 2, "tensorflow", GIVEN_S, None),
    "keywords": lambda w: w.add_histogram(
        tag="weights", values=VALUES, global_step=2, bins="tensorflow", walltime=GIVEN_S, max_bins=None
    ),
    "matrix": lambda w: w.add_histogram("weights", VALUES.reshape(10, 100)),
    "positive": lambda w: w.add_histogram("weights", np.abs(VALUES) + 1),
    "negative": lambda w: w.add_histogram("weights", -np.abs(VALUES) - 1),
    "one element": lambda w: w.add_histogram("weights", np.array([2.5])),
    "constant": lambda w: w.add_histogram("weights", np.full(7, 2.5)),
    "zeros": lambda w: w.add_histogram("weights", np.zeros(7)),
    "tiny": lambda w: w.add_histogram("weights", VALUES * 1e-11),
    "large": lambda w: w.add_histogram("weights", VALUES * 1e15),
    **{
        f"NumPy {dtype.__name__}": lambda w, dtype=dtype: w.add_histogram("w", (VALUES * 8).astype(dtype))
        for dtype in (np.float16, np.float32, np.int8, np.int32, np.int64)
    },
    **{
        f"bins {bins}": lambda w, bins=bins: w.add_histogram("weights", VALUES, bins=bins)
        for bins in ("auto", "fd", "sturges", "sqrt", "doane", "scott", "rice", "stone")
    },
    "number of bins": lambda w: w.add_histogram("weights", VALUES, bins=17),
    "edges": lambda w: w.add_histogram("weights", VALUES, bins=[-4.0, -1.0, 0.0, 0.5, 6.0]),
    "max_bins": lambda w: w.add_histogram("weights", VALUES, max_bins=11),
    "max_bins and bins": lambda w: w.add_histogram("weights", VALUES, bins="sqrt", max_bins=5),
    "raw": lambda w: w.add_histogram_raw(
        "weights", min=-1.0, max=2.0, num=6, sum=3.5, sum_squares=9.25,
        bucket_limits=[0.0, 1.0, 2.0], bucket_counts=[1, 2, 3], global_step=5, walltime=GIVEN_S,
    ),
    "raw positional": lambda w: w.add_histogram_raw(
        "weights", -1, 2, 6, 3.5, 9.25, np.array([0.0, 1, 2]), np.array([1, 2, 3]), 5
    ),
}  # fmt: skip


def _figure() -> Any:
    figure = pytest.importorskip("matplotlib.figure").Figure(figsize=(1, 0.5))
    figure.add_subplot().plot([1, 3, 2])
    return figure


_BOXES = np.array([[1, 2, 12, 10], [20, 4, 30, 15]])

IMAGES: dict[str, Call] = {
    "bytes": lambda w: w.add_image("picture", bytes_array(3, 12, 10), 1),
    "positional": lambda w: w.add_image("picture", bytes_array(12, 10, 3), 1, GIVEN_S, "HWC"),
    "keywords": lambda w: w.add_image(
        tag="picture", img_tensor=bytes_array(12, 10), global_step=1, walltime=GIVEN_S, dataformats="HW"
    ),
    "float32": lambda w: w.add_image("picture", fractions(3, 12, 10).astype(np.float32)),
    "float64": lambda w: w.add_image("picture", fractions(3, 12, 10)),
    "grey": lambda w: w.add_image("picture", bytes_array(1, 12, 10)),
    "with alpha": lambda w: w.add_image("picture", bytes_array(4, 12, 10)),
    "WHC": lambda w: w.add_image("picture", bytes_array(10, 12, 3), dataformats="WHC"),
    "batch": lambda w: w.add_image("picture", bytes_array(5, 3, 4, 6), dataformats="NCHW"),
    "images": lambda w: w.add_images("pictures", bytes_array(3, 3, 4, 6), 1),
    "images positional": lambda w: w.add_images("pictures", bytes_array(11, 4, 6, 3), 1, GIVEN_S, "NHWC"),
    "images of floats": lambda w: w.add_images("pictures", fractions(4, 3, 4, 6)),
    "images grey": lambda w: w.add_images("pictures", bytes_array(9, 1, 4, 6)),
    "boxes": lambda w: w.add_image_with_boxes("boxes", bytes_array(3, 40, 50), _BOXES, 1),
    "boxes HWC": lambda w: w.add_image_with_boxes(
        "boxes", fractions(40, 50, 3), _BOXES, global_step=1, walltime=GIVEN_S, dataformats="HWC"
    ),
    "boxes with labels": lambda w: w.add_image_with_boxes(
        "boxes", bytes_array(3, 40, 50), _BOXES, labels=["one", "two"]
    ),
    "boxes rescaled": lambda w: w.add_image_with_boxes("boxes", bytes_array(3, 40, 50), _BOXES, rescale=2),
    "figure": lambda w: w.add_figure("figure", _figure(), 1),
    "figures": lambda w: w.add_figure("figure", [_figure(), _figure(), _figure()], 1, True, GIVEN_S),
}

SOUNDS: dict[str, Call] = {
    "mono": lambda w: w.add_audio("sound", fractions(200, low=-1, high=1).astype(np.float32), 1, 8000),
    "positional": lambda w: w.add_audio("sound", fractions(99, low=-1, high=1), 1, 44100, GIVEN_S),
    "keywords": lambda w: w.add_audio(
        tag="sound", snd_tensor=fractions(99), global_step=1, sample_rate=16000, walltime=GIVEN_S
    ),
}

TEXTS: dict[str, Call] = {
    "plain": lambda w: w.add_text("note", "*Markdown* – ünïcode", 1),
    "positional": lambda w: w.add_text("note", "x", 1, GIVEN_S),
    "keywords": lambda w: w.add_text(tag="note", text_string="x", global_step=1, walltime=GIVEN_S),
    "empty": lambda w: w.add_text("note", ""),
}

_LABELS = (fractions(300) > 0.5).astype(np.int64)
_PREDICTIONS = fractions(300, high=0.999)
_COUNTS = [np.array([75.0, 64, 21]), np.array([150.0, 105, 18]), np.array([0.0, 45, 132])]

CURVES: dict[str, Call] = {
    "plain": lambda w: w.add_pr_curve("pr", _LABELS, _PREDICTIONS, 1),
    "positional": lambda w: w.add_pr_curve("pr", _LABELS, _PREDICTIONS, 1, 51, None, GIVEN_S),
    "keywords": lambda w: w.add_pr_curve(
        tag="pr", labels=_LABELS, predictions=_PREDICTIONS, global_step=1, num_thresholds=33, walltime=GIVEN_S
    ),
    "weights": lambda w: w.add_pr_curve("pr", _LABELS, _PREDICTIONS, weights=fractions(300)),
    "weight": lambda w: w.add_pr_curve("pr", _LABELS, _PREDICTIONS, weights=0.5),
    "raw": lambda w: w.add_pr_curve_raw(
        "pr", *_COUNTS, np.array([0.0, 11, 54]), np.array([0.3, 0.4, 0.5]), np.array([1.0, 0.8, 0.3]),
        global_step=1, num_thresholds=3, walltime=GIVEN_S,
    ),
}  # fmt: skip

_LAYOUT = {
    "Taiwan": {"twse": ["Multiline", ["twse/0050", "twse/2330"]]},
    "USA": {
        "dow": ["Margin", ["dow/aaa", "dow/bbb", "dow/ccc"]],
        "nasdaq": ["Margin", ["nasdaq/aaa", "nasdaq/bbb", "nasdaq/ccc"]],
    },
}

LAYOUTS: dict[str, Call] = {
    "layout": lambda w: w.add_custom_scalars(_LAYOUT),
    "multiline": lambda w: w.add_custom_scalars_multilinechart(["a", "b"]),
    "multiline titled": lambda w: w.add_custom_scalars_multilinechart(["a", "b"], "category", "title"),
    "margin": lambda w: w.add_custom_scalars_marginchart(["a", "b", "c"]),
    "margin titled": lambda w: w.add_custom_scalars_marginchart(
        tags=["a", "b", "c"], category="category", title="title"
    ),
}

_VERTICES = fractions(1, 4, 3)
_COLOURS = bytes_array(1, 4, 3)
_FACES = np.array([[[0, 1, 2], [0, 2, 3]]])

MESHES: dict[str, Call] = {
    "points": lambda w: w.add_mesh("mesh", _VERTICES, global_step=1),
    "colours": lambda w: w.add_mesh("mesh", _VERTICES, colors=_COLOURS, walltime=GIVEN_S),
    "positional": lambda w: w.add_mesh(
        "mesh", _VERTICES, _COLOURS, _FACES, {"camera": {"fov": 60}}, 1, GIVEN_S
    ),
}

EMBEDDINGS: dict[str, Call] = {
    "plain": lambda w: w.add_embedding(fractions(6, 3)),
    "metadata": lambda w: w.add_embedding(
        fractions(6, 3), metadata=list("abcdef"), global_step=3, tag="my tag/x"
    ),
    "rows": lambda w: w.add_embedding(
        fractions(3, 2), [["a", 1], ["b", 2], ["c", 3]], None, 4, "rows", ["name", "number"]
    ),
    "two": lambda w: [w.add_embedding(fractions(4, 2), global_step=step, tag="t") for step in (0, 1)],
}

HPARAMS = {"lr": 0.1, "bsize": 32, "optimizer": "adam"}
METRICS = {"hparam/accuracy": 0.75, "hparam/loss": 1.5}
