"""Pictures: against tensorboardX's writer, Pillow and NumPy; torch's is asked in test_images_torch.py."""

from __future__ import annotations

import itertools
import logging
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import sightline
from sightline import SummaryWriter
from sightline.model.errors import BadArgumentError
from sightline.writer.kinds import images
from sightline.writer.media import boxes, pictures
from tests.writer.media import assert_same_image, only_value, pixels_of
from tests.writer.reading import events_of, values_of

rng = np.random.default_rng(7)
PHOTO = rng.random((3, 5, 4), dtype=np.float32)


# -- the value


def test_a_picture_is_a_png_in_the_legacy_field_without_metadata(
    writer: SummaryWriter, tmp_path: Path
) -> None:
    writer.add_image("photo", PHOTO, 3, walltime=12.5)
    assert writer.close()
    event = events_of(tmp_path)[-1]
    assert (event.step, event.wall_time) == (3, 12.5)
    (value,) = event.summary.value
    assert value.tag == "photo"
    assert value.WhichOneof("value") == "image"
    assert not value.HasField("metadata")
    assert (value.image.height, value.image.width, value.image.colorspace) == (5, 4, 3)
    expected = (PHOTO * 255).astype(np.uint8).transpose(1, 2, 0)
    np.testing.assert_array_equal(pixels_of(value.image.encoded_image_string), expected)


def shaped(sizes: dict[str, int], letters: str) -> Any:
    return rng.random([sizes[letter] for letter in letters], dtype=np.float32)


ALL_FORMATS = ["".join(letters) for axes in ("HW", "CHW", "NCHW") for letters in itertools.permutations(axes)]


@pytest.mark.parametrize("dataformats", ALL_FORMATS)
@pytest.mark.parametrize("channels", [1, 3, 4])
def test_any_order_of_axes_gives_what_tensorboardx_writes(
    tmp_path: Path, dataformats: str, channels: int
) -> None:
    oracle = pytest.importorskip("tensorboardX.summary")
    array = shaped({"N": 11, "C": channels, "H": 5, "W": 3}, dataformats)
    for data in (array, (array * 255).astype(np.uint8)):
        ours = encoded("add_image", tmp_path, data, dataformats=dataformats)
        assert_same_image(ours, oracle.image("a", data, dataformats=dataformats).value[0].image)


def encoded(method: str, directory: Path, *values: Any, **options: Any) -> Any:
    """The image message that a method writes."""
    run = directory / str(len(list(directory.iterdir())))
    with SummaryWriter(run, story=False) as writer:
        getattr(writer, method)("a", *values, **options)
    return only_value(run).image


def test_letters_may_be_small(tmp_path: Path) -> None:
    assert encoded("add_image", tmp_path, PHOTO, dataformats="chw").height == 5


def test_a_batch_without_channels_is_a_grid_of_grey_pictures(tmp_path: Path) -> None:
    array = rng.random((3, 5, 4), dtype=np.float32)
    ours = encoded("add_image", tmp_path, array, dataformats="NHW")
    assert_same_image(ours, encoded("add_images", tmp_path, array[:, None]))


def test_grey_with_alpha_keeps_its_two_channels(tmp_path: Path) -> None:
    array = rng.integers(0, 256, (2, 5, 4), dtype=np.uint8)
    ours = encoded("add_image", tmp_path, array)
    assert ours.colorspace == 2
    np.testing.assert_array_equal(pixels_of(ours.encoded_image_string), array.transpose(1, 2, 0))


@pytest.mark.parametrize(
    ("shape", "dataformats", "reason"),
    [
        ((5, 4), "CHW", r"names 3 axes, but the array has 2: shape \(5, 4\)"),
        ((3, 5, 4), "NCHW", "names 4 axes"),
        ((3, 5, 4), "HHW", "different letters"),
        ((3, 5, 4), "XYZ", "different letters of CHNW"),
        ((3, 5, 4), "NCW", "does not say which axis is height"),
        ((5,), "N", "height and width"),
        ((5, 5, 4), "CHW", "1 to 4 channels, not 5"),
        ((3, 5, 9), "HWC", "not 9"),
        ((3, 0, 4), "CHW", "no pixel"),
        ((0, 3, 5, 4), "NCHW", "no pixel"),
    ],
)
def test_what_makes_no_picture_is_refused_in_the_call(
    writer: SummaryWriter, shape: tuple[int, ...], dataformats: str, reason: str
) -> None:
    with pytest.raises(BadArgumentError, match=reason):
        writer.add_image("a", np.zeros(shape), dataformats=dataformats)


@pytest.mark.parametrize("value", [np.zeros((3, 5, 4), complex), np.full((3, 5, 4), "x"), None, object()])
def test_what_is_no_number_is_refused(writer: SummaryWriter, value: object) -> None:
    with pytest.raises(BadArgumentError):
        writer.add_image("a", value)


@pytest.mark.parametrize("method", ["add_image", "add_images", "add_figure"])
def test_a_tag_that_is_no_text_is_refused_in_the_call(writer: SummaryWriter, method: str) -> None:
    with pytest.raises(BadArgumentError, match="tag"):
        getattr(writer, method)(5, np.zeros((1, 3, 5, 4))[0 if method == "add_image" else slice(None)])


# -- pixels


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_floats_are_0_to_1_and_clipped(dtype: Any) -> None:
    array = np.array([-3, 0, 0.5, 1, 7, np.inf, -np.inf], dtype)
    assert pictures.pixels_from(array).values.tolist() == [0, 0, 127, 255, 255, 255, 0]


def test_bools_are_black_and_white() -> None:
    assert pictures.pixels_from(np.array([True, False])).values.tolist() == [255, 0]


def test_bytes_are_taken_as_they_are() -> None:
    array = np.arange(256, dtype=np.uint8)
    assert pictures.pixels_from(array).values.tolist() == list(range(256))


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.uint16, np.int32, np.int64, np.uint64])
def test_other_integers_are_0_to_1_too(dtype: Any) -> None:
    mask = pictures.pixels_from(np.array([0, 1, 1], dtype))
    assert mask == pictures.Pixels(mask.values)
    assert mask.values.tolist() == [0, 255, 255]
    assert pictures.pixels_from(np.array([0, 1, 100], dtype)).is_integer_clipped


def test_bytes_in_a_wide_type_are_reported_once_per_tag(
    writer: SummaryWriter, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(3):
        writer.add_image("photo", np.full((3, 5, 4), 200))
    writer.close()
    (record,) = caplog.records
    assert "'photo': pixels of type int64" in record.message
    assert "Pass uint8" in record.message


def test_pixels_that_are_no_number_become_0_and_are_reported_once_per_tag(
    writer: SummaryWriter, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    array = np.ones((3, 5, 4), np.float32)
    array[1, 2, 3] = np.nan
    for step in range(3):
        writer.add_image("a", array, step)
    writer.add_image("b", array)
    assert writer.close()
    assert [record.message for record in caplog.records] == [
        f"{tag!r}: 1 pixel values are not a number; they are written as 0 (said once per tag)" for tag in "ab"
    ]
    expected = np.full((5, 4, 3), 255)
    expected[2, 3, 1] = 0
    assert len(values_of(tmp_path)) == 4
    for _, value in values_of(tmp_path):
        np.testing.assert_array_equal(pixels_of(value.image.encoded_image_string), expected)


def test_infinities_of_both_signs_are_clipped_without_a_word(
    writer: SummaryWriter, caplog: pytest.LogCaptureFixture
) -> None:
    writer.add_image("a", np.array([[np.inf, -np.inf]]), dataformats="HW")
    writer.close()
    assert not caplog.records


# -- threads and memory


def test_the_pixels_are_those_of_the_moment_of_the_call(
    writer: SummaryWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_encode = threading.Event()
    threads = []
    encode = images.png_from

    def late(image: Any) -> bytes:
        may_encode.wait()
        threads.append(threading.current_thread())
        return encode(image)

    monkeypatch.setattr(images, "png_from", late)
    array = np.ones((3, 5, 4), np.float32)
    writer.add_image("a", array)
    array[:] = 0
    may_encode.set()
    writer.close()
    assert pixels_of(only_value(tmp_path).image.encoded_image_string).min() == 255
    assert threading.main_thread() not in threads


def test_a_picture_that_cannot_be_encoded_is_logged_and_counted(
    writer: SummaryWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(images, "png_from", lambda image: 1 / 0)
    writer.add_image("a", PHOTO)
    assert not writer.close()
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert not values_of(tmp_path)


def test_our_own_reader_gives_the_picture_back(writer: SummaryWriter, tmp_path: Path) -> None:
    writer.add_image("a", PHOTO, 4)
    writer.close()
    with sightline.open(str(tmp_path)) as log:
        item = log.wait()["."].images["a"].at_step(4)
    assert (item.mime_type, item.width, item.height) == ("image/png", 4, 5)
    np.testing.assert_array_equal(pixels_of(item.bytes)[..., 0], (PHOTO[0] * 255).astype(np.uint8))


# -- several pictures


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 16, 17])
def test_a_batch_becomes_a_grid_of_at_most_8_columns(tmp_path: Path, count: int) -> None:
    batch = rng.integers(0, 256, (count, 3, 5, 4), dtype=np.uint8)
    ours = encoded("add_images", tmp_path, batch)
    grid = pixels_of(ours.encoded_image_string)
    assert grid.shape == (5 * -(-count // 8), 4 * min(8, count), 3)
    for position, picture in enumerate(batch):
        row, column = divmod(position, 8)
        cell = grid[row * 5 : row * 5 + 5, column * 4 : column * 4 + 4]
        np.testing.assert_array_equal(cell, picture.transpose(1, 2, 0))
    empty = -count % 8 if count > 8 else 0
    if empty:
        assert grid[-5:, -4 * empty :].max() == 0


@pytest.mark.parametrize("dataformats", ["CHW", "NCHW"])
def test_a_list_of_pictures_is_a_batch(tmp_path: Path, dataformats: str) -> None:
    batch = rng.random((9, 3, 5, 4), dtype=np.float32)
    ours = encoded("add_images", tmp_path, list(batch), dataformats=dataformats)
    assert_same_image(ours, encoded("add_images", tmp_path, batch))


@pytest.mark.filterwarnings("ignore")
def test_a_list_gives_what_tensorboardx_writes(tmp_path: Path) -> None:
    pytest.importorskip("torch")  # tensorboardX needs it for lists
    tensorboardx = pytest.importorskip("tensorboardX")
    batch = list(rng.random((9, 5, 4, 3), dtype=np.float32))
    with tensorboardx.SummaryWriter(str(tmp_path / "theirs")) as theirs:
        theirs.add_images("a", batch, 2, dataformats="HWC")
    ours = encoded("add_images", tmp_path, batch, 2, dataformats="HWC")
    assert_same_image(ours, only_value(tmp_path / "theirs").image)


def test_pictures_of_a_list_may_differ_in_size_and_type(tmp_path: Path) -> None:
    grey = np.full((4, 2), 255, np.uint8)
    color = np.ones((3, 1, 5), np.float32)
    ours = encoded("add_images", tmp_path, [grey[None], color])
    expected = np.zeros((4, 10, 3), np.uint8)
    expected[:4, :2] = 255
    expected[:1, 5:10] = 255
    np.testing.assert_array_equal(pixels_of(ours.encoded_image_string), expected)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ([], "no picture in the list"),
        ([np.zeros((3, 5, 4)), np.zeros((4, 5, 4))], r"same channels, not \[3, 4\]"),
        ([np.zeros((3, 5, 4)), np.zeros((5, 4))], "names 3 axes"),
    ],
)
def test_a_list_that_makes_no_grid_is_refused(writer: SummaryWriter, value: Any, reason: str) -> None:
    with pytest.raises(BadArgumentError, match=reason):
        writer.add_images("a", value)


# -- boxes

BOXES = np.array([[1, 2, 30, 40.5], [10, 10, 50, 20], [-5, 30, 70, 55]])
CANVAS = rng.random((3, 48, 64), dtype=np.float32)


@pytest.mark.parametrize("labels", [None, ["cat", "", "a dog with a long name"], ("ä", 3, "x\ny")])
@pytest.mark.parametrize("rescale", [1, 0.5, 2])
def test_boxes_are_drawn_as_by_tensorboardx(tmp_path: Path, labels: Any, rescale: float) -> None:
    oracle = pytest.importorskip("tensorboardX.summary")
    ours = encoded("add_image_with_boxes", tmp_path, CANVAS, BOXES, labels=labels, rescale=rescale)
    texts = None if labels is None else [str(label) for label in labels]
    theirs = oracle.image_boxes("a", CANVAS, BOXES, rescale=rescale, labels=texts).value[0].image
    assert_same_image(ours, theirs)
    assert (ours.height, ours.width) == (48, 64)  # before resizing
    assert pixels_of(ours.encoded_image_string).shape == (48 * rescale, 64 * rescale, 3)


def test_a_single_label_is_that_of_a_single_box(tmp_path: Path) -> None:
    ours = encoded("add_image_with_boxes", tmp_path, CANVAS, BOXES[:1], labels="cat")
    assert_same_image(ours, encoded("add_image_with_boxes", tmp_path, CANVAS, BOXES[:1], labels=["cat"]))


def test_no_boxes_leave_the_picture_as_it_is(tmp_path: Path) -> None:
    for none in (np.zeros((0, 4)), []):
        ours = encoded("add_image_with_boxes", tmp_path, CANVAS, none)
        assert_same_image(ours, encoded("add_image", tmp_path, CANVAS))


def test_a_box_that_is_no_number_is_left_out_and_reported(
    writer: SummaryWriter, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken = np.array([[1, 2, np.nan, 40], [1e30, 0, -1e30, 9], [np.inf, 0, 1, 1]])
    writer.add_image_with_boxes("a", CANVAS, broken, labels=["a", "b", "c"])
    assert writer.close()
    assert [record.message for record in caplog.records] == [
        "'a': 2 boxes are not drawn: a corner is not a number (said once per tag)"
    ]
    assert only_value(tmp_path).image.height == 48


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"box_tensor": np.zeros((3, 5))}, r"\[count, 4\]"),
        ({"box_tensor": np.zeros(4)}, r"\[count, 4\]"),
        ({"labels": ["a", "b"]}, "2 labels do not fit 3 boxes"),
        ({"labels": "a"}, "1 labels"),
        ({"rescale": 0}, "rescale"),
        ({"rescale": float("nan")}, "rescale"),
        ({"dataformats": "HW"}, "axes"),
    ],
)
def test_boxes_that_make_no_sense_are_refused(
    writer: SummaryWriter, changes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(BadArgumentError, match=reason):
        writer.add_image_with_boxes("a", **{"img_tensor": CANVAS, "box_tensor": BOXES, **changes})


@pytest.mark.parametrize("dtype", [np.float16, np.float64, np.uint8, np.int64])
def test_boxes_are_numbers_of_any_type(tmp_path: Path, dtype: Any) -> None:
    whole = BOXES[1:2]
    ours = encoded("add_image_with_boxes", tmp_path, CANVAS, whole.astype(dtype), labels="cat")
    assert_same_image(ours, encoded("add_image_with_boxes", tmp_path, CANVAS, whole, labels="cat"))


def test_drawing_tells_how_many_boxes_it_left_out() -> None:
    assert boxes.draw_boxes(Image.new("RGB", (9, 9)), np.array([[0, 0, np.nan, 3.0]]), None) == 1


# -- figures


@pytest.fixture
def pyplot(monkeypatch: pytest.MonkeyPatch) -> Any:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    return pytest.importorskip("matplotlib.pyplot")


def plot(pyplot: Any, width_in: float = 2) -> Any:
    figure = pyplot.figure(figsize=(width_in, 1.5), dpi=50)
    figure.gca().plot([1, 3, 2])
    return figure


def test_a_figure_has_the_pixels_that_matplotlib_draws(tmp_path: Path, pyplot: Any) -> None:
    figure = plot(pyplot)
    figure.canvas.draw()
    expected = np.asarray(figure.canvas.buffer_rgba())[:, :, :3]
    ours = encoded("add_figure", tmp_path, figure, 1)
    assert (ours.height, ours.width, ours.colorspace) == (75, 100, 3)
    np.testing.assert_array_equal(pixels_of(ours.encoded_image_string), expected)
    assert not pyplot.get_fignums()


@pytest.mark.filterwarnings("ignore")
def test_figures_give_what_tensorboardx_writes(tmp_path: Path, pyplot: Any) -> None:
    tensorboardx = pytest.importorskip("tensorboardX")
    for name, figures in (("one", plot(pyplot)), ("list", [plot(pyplot), plot(pyplot)])):
        with tensorboardx.SummaryWriter(str(tmp_path / name)) as theirs:
            theirs.add_figure("a", figures, 1, close=False)
        ours = encoded("add_figure", tmp_path, figures, 1)
        assert_same_image(ours, only_value(tmp_path / name).image)


def test_a_figure_that_stays_open_keeps_its_canvas(tmp_path: Path, pyplot: Any) -> None:
    figure = plot(pyplot)
    canvas = figure.canvas
    encoded("add_figure", tmp_path, figure, close=False)
    assert figure.canvas is canvas
    assert pyplot.fignum_exists(figure.number)
    pyplot.close(figure)


def test_figures_of_different_sizes_get_white_margins(tmp_path: Path, pyplot: Any) -> None:
    ours = encoded("add_figure", tmp_path, [plot(pyplot, 2), plot(pyplot, 1)])
    grid = pixels_of(ours.encoded_image_string)
    assert grid.shape == (75, 200, 3)
    assert grid[:, 150:].min() == 255
    assert not pyplot.get_fignums()


def test_a_figure_made_without_pyplot_is_drawn(tmp_path: Path) -> None:
    figure = pytest.importorskip("matplotlib.figure").Figure(figsize=(1, 1), dpi=50)
    assert encoded("add_figure", tmp_path, figure).height == 50


@pytest.mark.parametrize("value", ["a figure", None, np.zeros((3, 4, 4)), ["a"]])
def test_what_is_no_figure_is_refused(writer: SummaryWriter, value: Any) -> None:
    with pytest.raises(BadArgumentError, match="figure of matplotlib"):
        writer.add_figure("a", value)


def test_an_empty_list_of_figures_is_refused(writer: SummaryWriter) -> None:
    with pytest.raises(BadArgumentError, match="no picture"):
        writer.add_figure("a", [])


def test_warnings_go_to_the_logger_of_the_writer(
    writer: SummaryWriter, caplog: pytest.LogCaptureFixture
) -> None:
    writer.add_image("a", np.full((3, 5, 4), np.nan))
    writer.close()
    assert [(one.name, one.levelno) for one in caplog.records] == [("sightline.writer", logging.WARNING)]
