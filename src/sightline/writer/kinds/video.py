"""Films: ``add_video``.

The value is a legacy ``image`` whose bytes are a GIF, as torch writes it, or an MP4 or WebM file; the first
bytes tell which. TensorBoard shows GIFs only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.formats.messages import Image, PluginData, SummaryMetadata, Value
from sightline.model.errors import BadArgumentError, MissingExtraError
from sightline.writer.engine.arguments import checked_number, checked_tag
from sightline.writer.engine.arrays import array_from
from sightline.writer.engine.base import WriterBase
from sightline.writer.media.films import FORMATS, film_from, gif_from, has_av, tiled_frames
from sightline.writer.media.pictures import arranged, logged_pixels

_EXTRA = "video"
# Beyond these, the clocks inside the files overflow.
_SLOWEST_FPS, _FASTEST_FPS = 0.002, 1000


class VideoMethods(WriterBase):
    def add_video(
        self,
        tag: str,
        vid_tensor: Any,
        global_step: Any = None,
        fps: float = 4,
        walltime: float | None = None,
        dataformats: str = "NTCHW",
        *,
        format: str | None = None,
    ) -> None:
        """Logs a film: [N, T, C, H, W], or other axes as `dataformats` names them; N and C may be missing.

        A batch is laid out as one grid. Pixels are read as by ``add_image``; alpha is dropped. `format` is
        "mp4", "webm" or "gif". Without it, MP4 is written if the extra `video` (PyAV) is installed, else GIF.
        TensorBoard can show GIFs only: say format="gif" if you look at the log with TensorBoard too.

        Raises BadArgumentError for wrong shapes and formats, and MissingExtraError when MP4 or WebM is
        asked for and PyAV is not there.
        """
        checked_tag(tag)
        container = _container(format)
        films = arranged(array_from(vid_tensor, is_copy=True), dataformats, order="NTHWC")
        rate = checked_number(
            fps, f"fps is a number from {_SLOWEST_FPS} to {_FASTEST_FPS}", _SLOWEST_FPS, _FASTEST_FPS
        )

        def encode() -> list[Value]:
            frames = tiled_frames(_without_alpha(logged_pixels(self, tag, films)))
            height, width = frames.shape[1:3]
            encoded = self._encoded(tag, frames, rate, container, is_wanted=format is not None)
            image = Image(
                height=height, width=width, colorspace=films.shape[-1], encoded_image_string=encoded
            )
            return [Value(tag=tag, image=image, metadata=_metadata(encoded))]

        self._defer(encode, global_step, walltime, films.nbytes)

    def _encoded(
        self, tag: str, frames: NDArray[np.uint8], fps: float, container: str, *, is_wanted: bool
    ) -> bytes:
        if container == "gif":
            return gif_from(frames, fps)
        try:
            return film_from(frames, fps, container)
        except Exception as error:  # PyAV may be broken, or built without this encoder
            if is_wanted:
                raise
            self._warn_once(
                tag, "%r: PyAV cannot write %s, so a GIF is written instead: %s", container, error
            )
            return gif_from(frames, fps)


def _container(wanted: str | None) -> str:
    if wanted is None:
        return "mp4" if has_av() else "gif"
    if wanted not in FORMATS:
        raise BadArgumentError(f"A film is written as {', '.join(FORMATS)}, not {wanted!r}")
    if wanted != "gif" and not has_av():
        raise MissingExtraError(f"Writing a film as {wanted}", _EXTRA)
    return wanted


def _without_alpha(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """RGB of RGB, RGBA, or grey with alpha."""
    if pixels.shape[-1] == 2:
        return np.repeat(pixels[..., :1], 3, axis=-1)
    return pixels[..., :3]


def _metadata(encoded: bytes) -> SummaryMetadata | None:
    """A GIF goes without, as in torch. Other films name the plugin: not every reader knows their bytes."""
    if encoded.startswith(b"GIF"):
        return None
    return SummaryMetadata(plugin_data=PluginData(plugin_name="images"))
