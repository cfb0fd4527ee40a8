"""Films: decoded by Pillow and PyAV, compared with the frames that went in and with tensorboardX's writer."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sightline
from sightline import SummaryWriter
from sightline.formats.sniff import mime_type
from sightline.model.errors import BadArgumentError, MissingExtraError
from sightline.writer.media import films
from tests.writer.media import gif_frames, only_value, pixels_of
from tests.writer.reading import values_of


@pytest.fixture
def without_av(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sightline.writer.kinds.video.has_av", lambda: False)


def smooth(count: int = 1, length: int = 5, height: int = 24, width: int = 32) -> NDArray[np.float32]:
    """Films [N, T, C, H, W] of slowly moving colors, which every encoder can keep."""
    n, t, y, x = np.mgrid[:count, :length, :height, :width]
    channels = [
        0.5 + 0.5 * np.sin((x + 2 * t + n) / 9),
        (y + t) / (height + length),
        (x * y) / (height * width),
    ]
    return np.stack(channels, axis=2).astype(np.float32)


def film_frames(data: bytes) -> tuple[list[NDArray[np.uint8]], Any]:
    """Frames as RGB, and the stream with its facts, as PyAV decodes them."""
    av = pytest.importorskip("av")
    with av.open(io.BytesIO(data)) as container:
        stream = container.streams.video[0]
        frames = list(container.decode(stream))
        assert frames[0].time == 0
        return [frame.to_ndarray(format="rgb24") for frame in frames], stream


def mean_error(left: Any, right: Any) -> float:
    return float(np.abs(np.asarray(left, float) - np.asarray(right, float)).mean())


def expected_frames(array: NDArray[np.float32]) -> NDArray[np.uint8]:
    """The frames of a single film, THWC."""
    return (array[0] * 255).astype(np.uint8).transpose(0, 2, 3, 1)


# -- the value


def test_with_pyav_a_film_is_an_mp4_file(writer: SummaryWriter, tmp_path: Path) -> None:
    pytest.importorskip("av")
    film = smooth(length=10)
    writer.add_video("film", film, 3, fps=5, walltime=2.5)
    assert writer.close()
    ((step, value),) = values_of(tmp_path)
    assert (step, value.tag) == (3, "film")
    assert (value.image.height, value.image.width, value.image.colorspace) == (24, 32, 3)
    assert value.metadata.plugin_data.plugin_name == "images"
    data = value.image.encoded_image_string
    assert mime_type(data) == "video/mp4"
    assert data.index(b"moov") < data.index(b"mdat")  # plays before all of it is there
    frames, stream = film_frames(data)
    assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
    assert (stream.average_rate, stream.frames) == (5, 10)
    assert float(stream.duration * stream.time_base) == 2
    assert mean_error(frames, expected_frames(film)) < 5  # colors have half the resolution


def test_webm_is_there_for_the_asking(writer: SummaryWriter, tmp_path: Path) -> None:
    pytest.importorskip("av")
    film = smooth(length=10)
    writer.add_video("film", film, format="webm")
    assert writer.close()
    data = only_value(tmp_path).image.encoded_image_string
    assert mime_type(data) == "video/webm"
    frames, stream = film_frames(data)
    assert stream.codec_context.name == "vp9"
    assert stream.average_rate == 4
    assert len(frames) == 10
    assert mean_error(frames, expected_frames(film)) < 5  # colors have half the resolution


def test_gif_is_there_for_the_asking_and_has_no_metadata(writer: SummaryWriter, tmp_path: Path) -> None:
    film = smooth()
    writer.add_video("film", film, format="gif")
    assert writer.close()
    value = only_value(tmp_path)
    assert not value.HasField("metadata")
    assert (value.image.height, value.image.width, value.image.colorspace) == (24, 32, 3)
    frames, durations_ms, loop = gif_frames(value.image.encoded_image_string)
    assert (durations_ms, loop) == ([250] * 5, 0)
    assert mean_error(frames, expected_frames(film)) < 6


@pytest.mark.usefixtures("without_av")
def test_without_pyav_a_film_is_a_gif(writer: SummaryWriter, tmp_path: Path) -> None:
    writer.add_video("film", smooth())
    assert writer.close()
    assert mime_type(only_value(tmp_path).image.encoded_image_string) == "image/gif"


@pytest.mark.usefixtures("without_av")
@pytest.mark.parametrize("format", ["mp4", "webm"])
def test_a_format_without_its_extra_is_refused_in_the_call(writer: SummaryWriter, format: str) -> None:
    with pytest.raises(MissingExtraError, match=rf'{format}.*pip install "sightline\[video\]"'):
        writer.add_video("film", smooth(), format=format)


def test_a_broken_pyav_gives_a_gif_and_a_warning(
    writer: SummaryWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("sightline.writer.kinds.video.has_av", lambda: True)
    monkeypatch.setitem(sys.modules, "av", None)
    writer.add_video("film", smooth())
    assert writer.close()
    assert mime_type(only_value(tmp_path).image.encoded_image_string) == "image/gif"
    (record,) = caplog.records
    assert "'film': PyAV cannot write mp4, so a GIF is written instead" in record.message


def test_a_broken_pyav_and_a_wanted_format_is_an_error_in_the_log(
    writer: SummaryWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("sightline.writer.kinds.video.has_av", lambda: True)
    monkeypatch.setitem(sys.modules, "av", None)
    writer.add_video("film", smooth(), format="mp4")
    assert not writer.close()
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert not values_of(tmp_path)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": "avi"}, "mp4, webm, gif, not 'avi'"),
        ({"vid_tensor": np.zeros((5, 3, 8, 8))}, "names 5 axes, but the array has 4"),
        ({"vid_tensor": np.zeros((1, 5, 3, 8, 8)), "dataformats": "NCHWX"}, "different letters"),
        ({"vid_tensor": np.zeros((1, 3, 8, 8)), "dataformats": "NCHW"}, "which axis is time"),
        ({"vid_tensor": np.zeros((1, 5, 7, 8, 8))}, "channels, not 7"),
        ({"vid_tensor": np.zeros((1, 0, 3, 8, 8))}, "no pixel"),
        ({"fps": 0}, "fps"),
        ({"fps": float("nan")}, "fps"),
        ({"fps": "quick"}, "fps"),
        ({"fps": 1e9}, "fps"),
        ({"tag": None}, "tag"),
    ],
)
def test_what_makes_no_film_is_refused_in_the_call(
    writer: SummaryWriter, changes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(BadArgumentError, match=reason):
        writer.add_video(**{"tag": "film", "vid_tensor": smooth(), **changes})


@pytest.mark.parametrize("dataformats", ["NTCHW", "NTHWC", "NCTHW", "TNWHC", "TCHW", "THW"])
def test_axes_come_in_any_order_and_batch_and_channels_may_be_missing(
    tmp_path: Path, dataformats: str
) -> None:
    film = smooth()
    index = tuple(slice(None) if letter in dataformats else 0 for letter in "NTCHW")
    present = [letter for letter in "NTCHW" if letter in dataformats]
    array = film[index].transpose([present.index(letter) for letter in dataformats])
    with SummaryWriter(tmp_path, story=False) as writer:
        writer.add_video("film", array, dataformats=dataformats, format="gif")
    frames, _, _ = gif_frames(only_value(tmp_path).image.encoded_image_string)
    expected = expected_frames(film) if "C" in dataformats else expected_frames(film)[..., :1]
    assert mean_error(frames, np.broadcast_to(expected, (5, 24, 32, 3))) < 6


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", [np.float32, np.uint8])
@pytest.mark.parametrize("format", ["gif", "mp4", "webm"])
def test_every_number_of_channels_is_shown_without_alpha(
    tmp_path: Path, channels: int, dtype: Any, format: str
) -> None:
    if format != "gif":
        pytest.importorskip("av")
    color = np.array([200, 40, 90, 7][:channels])
    film = np.broadcast_to(color[:, None, None], (1, 3, channels, 16, 20)).astype(np.uint8)
    with SummaryWriter(tmp_path, story=False) as writer:
        writer.add_video("a", film if dtype is np.uint8 else (film / 255 + 1e-4).astype(dtype), format=format)
    image = only_value(tmp_path).image
    assert image.colorspace == channels
    data = image.encoded_image_string
    frames = gif_frames(data)[0] if format == "gif" else film_frames(data)[0]
    shown = color[:3] if channels >= 3 else color[[0, 0, 0]]
    assert len(frames) == 3
    assert np.abs(np.asarray(frames, int) - shown).max() <= (0 if format == "gif" else 4)


def test_our_own_reader_says_what_kind_of_film_it_is(writer: SummaryWriter, tmp_path: Path) -> None:
    pytest.importorskip("av")
    for format in films.FORMATS:
        writer.add_video(format, smooth(height=23), format=format)
    assert writer.close()
    with sightline.open(str(tmp_path)) as log:
        found = {tag: series[0] for tag, series in log.wait()["."].images.items()}
    assert {tag: item.mime_type for tag, item in found.items()} == {
        "mp4": "video/mp4",
        "webm": "video/webm",
        "gif": "image/gif",
    }
    assert {(item.width, item.height) for item in found.values()} == {(32, 23)}


# -- frames


@pytest.mark.parametrize("count", range(1, 18))
def test_a_batch_is_laid_out_as_by_tensorboardx(count: int) -> None:
    oracle = pytest.importorskip("tensorboardX.utils")
    films_in = np.random.default_rng(count).integers(0, 256, (count, 2, 3, 4, 5), dtype=np.uint8)
    theirs = oracle._prepare_video(films_in.astype(np.float64))
    ours = films.tiled_frames(films_in.transpose(0, 1, 3, 4, 2))
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.filterwarnings("ignore")
def test_a_gif_is_near_the_one_of_tensorboardx(tmp_path: Path) -> None:
    pytest.importorskip("moviepy")
    oracle = pytest.importorskip("tensorboardX.summary")
    film = smooth(count=3)
    theirs = oracle.video("a", film, fps=4).value[0].image
    with SummaryWriter(tmp_path, story=False) as writer:
        writer.add_video("a", film, fps=4, format="gif")
    ours = only_value(tmp_path).image
    for name in ("height", "width", "colorspace"):
        assert getattr(ours, name) == getattr(theirs, name)
    frames, _, loop = gif_frames(ours.encoded_image_string)
    their_first = pixels_of(theirs.encoded_image_string)
    assert frames[0].shape[:2] == their_first.shape[:2]
    assert (len(frames), loop) == (5, 0)


def test_a_gif_keeps_few_colors_exactly_and_equal_frames_all() -> None:
    rng = np.random.default_rng(1)
    palette = rng.integers(0, 256, (256, 3), dtype=np.uint8)
    frame = palette[rng.integers(0, 256, (300, 300))]
    frames, durations_ms, _ = gif_frames(films.gif_from(np.stack([frame] * 4), 10))
    assert durations_ms == [100] * 4
    np.testing.assert_array_equal(frames, np.stack([frame] * 4))


def test_frames_of_many_colors_have_no_bands_and_keep_small_marks() -> None:
    (frame,) = expected_frames(smooth(height=300, width=400, length=1))
    frame[100:103, 200:203] = (255, 0, 0)
    (shown,), _, _ = gif_frames(films.gif_from(frame[np.newaxis], 4))
    assert mean_error(shown, frame) < 12
    # Seen from a step back, ten pixels are one: bands would be off by several levels there.
    assert mean_error(_in_blocks(shown), _in_blocks(frame)) < 2.5
    assert mean_error(shown[101, 201], (255, 0, 0)) < 20


def _in_blocks(frame: NDArray[np.uint8]) -> NDArray[np.float64]:
    height, width, channels = frame.shape
    return frame.reshape(height // 10, 10, width // 10, 10, channels).mean(axis=(1, 3))


@pytest.mark.parametrize("fps", [0.01, 0.5, 1, 3, 4, 7.5, 24, 29.97, 30, 50])
def test_a_gif_keeps_its_time_as_a_whole(fps: float) -> None:
    _, durations_ms, _ = gif_frames(films.gif_from(np.zeros((61, 2, 2, 3), np.uint8), fps))
    assert len(durations_ms) == 61
    assert sum(durations_ms) == pytest.approx(61_000 / fps, abs=10)


def test_frames_of_a_gif_are_never_so_short_that_browsers_slow_down() -> None:
    _, durations_ms, _ = gif_frames(films.gif_from(np.zeros((5, 2, 2, 3), np.uint8), 500))
    assert durations_ms == [20] * 5


@pytest.mark.parametrize("container", ["mp4", "webm"])
@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 17, 31), (3, 2, 5), (7, 33, 2)])
def test_odd_sizes_and_single_frames_are_encoded(container: str, shape: tuple[int, int, int]) -> None:
    pytest.importorskip("av")
    length, height, width = shape
    frames, _ = film_frames(films.film_from(np.full((*shape, 3), 90, np.uint8), 4, container))
    assert len(frames) == length
    assert frames[0].shape == (height + height % 2, width + width % 2, 3)
    assert np.abs(np.asarray(frames, int) - 90).max() <= 3


@pytest.mark.parametrize("fps", [0.002, 0.5, 4, 23.976, 29.97, 60, 1000])
def test_films_keep_their_rate(fps: float) -> None:
    pytest.importorskip("av")
    frames = np.zeros((3, 16, 16, 3), np.uint8)
    _, stream = film_frames(films.film_from(frames, fps, "mp4"))
    assert float(stream.average_rate) == pytest.approx(fps, rel=1e-3)


@pytest.mark.parametrize("container", ["mp4", "webm"])
@pytest.mark.parametrize("color", [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (0, 0, 0)])
def test_colors_come_back(container: str, color: tuple[int, int, int]) -> None:
    """The file says which matrix was used, so that every player takes the same one."""
    pytest.importorskip("av")
    (frame, *_), stream = film_frames(
        films.film_from(np.broadcast_to(np.uint8(color), (2, 16, 16, 3)), 4, container)
    )
    assert (stream.codec_context.colorspace, stream.codec_context.color_range) == (6, 1)
    assert np.abs(frame.astype(int) - color).max() <= 4


def test_pixels_that_are_no_number_are_reported(
    writer: SummaryWriter, caplog: pytest.LogCaptureFixture
) -> None:
    film = smooth()
    film[0, 0, 0, 0, 0] = np.nan
    writer.add_video("film", film, format="gif")
    assert writer.close()
    assert "'film': 1 pixel values are not a number" in caplog.text
