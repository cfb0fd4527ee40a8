"""The files of an embedding: points, labels and thumbnails, and the configuration that lists them.

    <log_dir>/projector_config.pbtxt             tensor_name "<tag>:<step>", and the paths below
    <log_dir>/<step>/<tag>/tensors.tsv           a point per line, numbers between tabs
    <log_dir>/<step>/<tag>/metadata.tsv          a label per line; several columns have a header line
    <log_dir>/<step>/<tag>/sprite.png            a square grid of thumbnails

Names and layout are those of torch. A file appears under its name when it is complete, the configuration
last, so that a reader never sees half of anything. The configuration may belong to an earlier process, or to
another one that runs now: it is read, extended and replaced under a lock.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import math
import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.formats.projector import (
    EmbeddingInfo,
    ProjectorConfig,
    SpriteMetadata,
    parse_projector_config,
    text_from_projector_config,
)
from sightline.model.errors import DamagedValueError
from sightline.writer.engine.background import forks_wait
from sightline.writer.media.pictures import pil_image, png_from

log = logging.getLogger("sightline.writer")

CONFIG_NAME = "projector_config.pbtxt"
# What browsers can put into one texture; TensorBoard refuses more.
MAX_SPRITE_PX = 8192
# Of points turned into text at a time: bounds memory, and lets other threads run in between.
_BLOCK_ROWS = 256
# Nine digits bring every float32 back exactly, and projectors compute with float32.
_NUMBER = "%.9g"
# Whatever some reader takes for the end of a cell or a line.
_BREAKS = re.compile("[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")
_BLANK = "-"


class Sprite(NamedTuple):
    png: bytes
    width_px: int
    height_px: int
    """Of one thumbnail."""


class EmbeddingPlace(NamedTuple):
    """Where an embedding is written, and what it is called."""

    log_dir: str
    tag: str
    step: int

    @property
    def tensor_name(self) -> str:
        return f"{self.tag}:{self.step:05d}"

    @property
    def folder(self) -> str:
        """Relative to the configuration, with the separators of the format."""
        return f"{self.step:05d}/{folder_of_tag(self.tag)}"

    @property
    def is_taken(self) -> bool:
        """Whether there is an earlier embedding of the same name."""
        return os.path.exists(os.path.join(self.log_dir, self.folder, "tensors.tsv"))


def folder_of_tag(tag: str) -> str:
    """The tag as a file name: what would lead elsewhere is percent-encoded."""
    name = re.sub("[%/\\\\\0]", lambda found: f"%{ord(found.group()):02x}", tag)
    return name.replace(".", "%2e") if name in (".", "..") else name


def write_embedding(
    place: EmbeddingPlace, points: NDArray[Any], metadata: bytes | None, sprite: Sprite | None
) -> None:
    """Writes all files. Raises OSError."""
    directory = os.path.join(place.log_dir, place.folder)
    os.makedirs(directory, exist_ok=True)
    info = EmbeddingInfo(tensor_name=place.tensor_name, tensor_path=f"{place.folder}/tensors.tsv")
    _write_file(os.path.join(directory, "tensors.tsv"), _lines_of_points(points))
    if metadata is not None:
        info.metadata_path = f"{place.folder}/metadata.tsv"
        _write_file(os.path.join(directory, "metadata.tsv"), [metadata])
    if sprite is not None:
        info.sprite = SpriteMetadata(
            image_path=f"{place.folder}/sprite.png", single_image_dim=[sprite.width_px, sprite.height_px]
        )
        _write_file(os.path.join(directory, "sprite.png"), [sprite.png])
    with _locked(place.log_dir):
        _add_to_config(os.path.join(place.log_dir, CONFIG_NAME), info)


def _lines_of_points(points: NDArray[Any]) -> Iterator[bytes]:
    """The text of the points. One format string per line: the loop over its numbers is not Python's."""
    with np.errstate(over="ignore"):
        numbers = points.astype(np.float32, copy=False)
    line = "\t".join([_NUMBER] * numbers.shape[1]) + "\n"
    for start in range(0, len(numbers), _BLOCK_ROWS):
        rows = numbers[start : start + _BLOCK_ROWS].tolist()
        yield "".join([line % tuple(row) for row in rows]).encode()


def metadata_lines(rows: Iterable[Sequence[str]]) -> bytes:
    """The text of labels. A line stays a line: breaks become spaces, and projectors skip blank lines."""
    lines = []
    for row in rows:
        line = "\t".join([_BREAKS.sub(" ", cell) for cell in row])
        lines.append(line if line.strip() else _BLANK + line.lstrip(" "))
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def sprite_from(thumbnails: NDArray[np.uint8], max_px: int = MAX_SPRITE_PX) -> Sprite:
    """Thumbnails, NHWC, as a square grid from the top left. For a grid too large they are scaled down."""
    with forks_wait():
        from PIL import Image

    count, height, width, _ = thumbnails.shape
    columns = math.ceil(math.sqrt(count))
    scale = min(1.0, max_px / (columns * max(width, height)))
    small_width, small_height = max(1, int(width * scale)), max(1, int(height * scale))
    rows = []
    # Row by row: all thumbnails at full size may not fit into memory a second time.
    for start in range(0, count, columns):
        row = _row_of(thumbnails[start : start + columns], columns)
        if scale < 1:
            # Averages over whole pixels: no thumbnail bleeds into its neighbour.
            shrunk = pil_image(row).resize((columns * small_width, small_height), Image.Resampling.BOX)
            row = np.asarray(shrunk)
        rows.append(row)
    rows.extend([np.zeros_like(rows[0])] * (columns - len(rows)))
    return Sprite(png_from(pil_image(np.concatenate(rows))), small_width, small_height)


def _row_of(thumbnails: NDArray[np.uint8], columns: int) -> NDArray[np.uint8]:
    count, height, width, channels = thumbnails.shape
    row = np.zeros((height, columns, width, channels), dtype=np.uint8)
    row[:, :count] = thumbnails.swapaxes(0, 1)
    return row.reshape(height, columns * width, channels)


def _add_to_config(path: str, info: EmbeddingInfo) -> None:
    """Puts an embedding into the configuration, instead of an earlier one of the same name."""
    config = _read_config(path)
    others = [one for one in config.embeddings if one.tensor_name != info.tensor_name]
    config.embeddings = [*others, info]
    _write_file(path, [text_from_projector_config(config)])


def _read_config(path: str) -> ProjectorConfig:
    try:
        with open(path, "rb") as file:
            return parse_projector_config(file.read())
    except FileNotFoundError:
        return ProjectorConfig()
    except DamagedValueError as error:
        aside = f"{path}.damaged"
        os.replace(path, aside)
        log.warning("a new configuration begins: %s. The old one is %s", error, aside)
        return ProjectorConfig()


# Half a second in all: far longer than writing takes, far shorter than anyone waits for.
_LOCK_PAUSES_S = (0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.165)


@contextlib.contextmanager
def _locked(directory: str) -> Iterator[None]:
    """Keeps other processes out, on file systems that know how; the lock leaves no file behind."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        for pause_s in _LOCK_PAUSES_S:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:  # somebody else's for now; if for good, we must not hang with them
                time.sleep(pause_s)
            except OSError:
                break
            else:
                break
        yield
    finally:
        os.close(descriptor)


def _write_file(path: str, pieces: Iterable[bytes]) -> None:
    """Writes a file beside the final name, then puts it there."""
    unfinished = f"{path}.{os.getpid()}.tmp"
    try:
        with open(unfinished, "wb") as file:
            file.writelines(pieces)
        os.replace(unfinished, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise
