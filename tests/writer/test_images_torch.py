"""Pictures against torch's own writer, in every type and layout it takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sightline import SummaryWriter
from tests.writer.media import assert_same_image, only_value

torch = pytest.importorskip("torch")
tensorboard = pytest.importorskip("torch.utils.tensorboard")
pytestmark = pytest.mark.filterwarnings("ignore")  # of the oracle


def compare(directory: Path, method: str, *values: Any, **options: Any) -> None:
    """The same call to both writers: the same image."""
    with tensorboard.SummaryWriter(directory / "theirs") as theirs:
        getattr(theirs, method)("a", *values, **options)
    with SummaryWriter(directory / "ours", story=False) as ours:
        getattr(ours, method)("a", *values, **options)
    written, expected = only_value(directory / "ours"), only_value(directory / "theirs")
    assert written.tag == expected.tag
    assert written.HasField("metadata") == expected.HasField("metadata")
    assert_same_image(written.image, expected.image)


def image(*shape: int) -> Any:
    return torch.rand(shape, generator=torch.Generator().manual_seed(3)) * 1.4 - 0.2  # also out of range


@pytest.mark.parametrize(
    "dtype",
    ["float32", "float64", "float16", "bfloat16", "uint8", "bool", "int64", "int32", "int16", "int8"],
)
def test_every_type_has_the_pixels_of_torch(tmp_path: Path, dtype: str) -> None:
    kind = getattr(torch, dtype)
    array = image(3, 21, 30)
    compare(tmp_path, "add_image", (array * 200).to(kind) if dtype in ("uint8", "int64") else array.to(kind))


@pytest.mark.parametrize(
    ("shape", "dataformats"),
    [
        ((1, 9, 8), "CHW"),
        ((2, 9, 8), "CHW"),
        ((4, 9, 8), "CHW"),
        ((9, 8, 3), "HWC"),
        ((8, 3, 9), "WCH"),
        ((9, 8), "HW"),
        ((9, 8), "WH"),
        ((10, 3, 9, 8), "NCHW"),
        ((10, 9, 8, 1), "NHWC"),
        ((3, 10, 8, 9), "CNWH"),
    ],
)
def test_every_layout_is_that_of_torch(tmp_path: Path, shape: tuple[int, ...], dataformats: str) -> None:
    compare(tmp_path, "add_image", image(*shape), dataformats=dataformats)


@pytest.mark.parametrize("count", [1, 3, 8, 9, 20])
def test_grids_are_those_of_torch(tmp_path: Path, count: int) -> None:
    compare(tmp_path, "add_images", image(count, 3, 7, 6), 5)


def test_a_tensor_with_a_gradient_or_a_view_is_taken(tmp_path: Path) -> None:
    compare(tmp_path, "add_image", image(3, 20, 18).requires_grad_()[:, ::2, ::3])


@pytest.mark.parametrize("labels", [None, ["cat", "dog"]])
@pytest.mark.parametrize("rescale", [1, 0.5, 1.7])
@pytest.mark.parametrize("channels", [1, 3, 4])
def test_boxes_are_those_of_torch(tmp_path: Path, labels: Any, rescale: float, channels: int) -> None:
    boxes = torch.tensor([[1, 2.5, 30, 40], [12, 10, 50, 45]])
    compare(
        tmp_path,
        "add_image_with_boxes",
        image(channels, 50, 61),
        boxes,
        rescale=rescale,
        labels=labels,
    )


def test_boxes_of_integers_on_hwc_bytes_are_those_of_torch(tmp_path: Path) -> None:
    boxes = np.array([[1, 2, 30, 40]])
    photo = (image(50, 61, 3).clip(0, 1) * 255).to(torch.uint8)
    compare(tmp_path, "add_image_with_boxes", photo, boxes, dataformats="HWC", labels="cat")


def test_figures_are_those_of_torch(tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    figures = [pyplot.figure(figsize=(2, 1.5), dpi=60) for _ in range(3)]
    for figure in figures:
        figure.gca().plot([1, 3, 2])
    compare(tmp_path / "list", "add_figure", figures, close=False)
    compare(tmp_path / "one", "add_figure", figures[0], 3, False)
    pyplot.close("all")


def test_a_list_of_tensors_is_a_batch(tmp_path: Path) -> None:
    batch = image(5, 3, 7, 6)
    for name, value in (("list", list(batch)), ("batch", batch)):
        with SummaryWriter(tmp_path / name, story=False) as writer:
            writer.add_images("a", value)
    assert_same_image(only_value(tmp_path / "list").image, only_value(tmp_path / "batch").image)
