"""Text: one piece, shown as Markdown, or a table of pieces.

A single text becomes a tensor of shape [1] under the tag with ``/text_summary`` behind it: that is what torch
and tensorboardX write, and readers take the suffix away again. A list becomes a column, a list of lists a
table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightline.formats.messages import Value
from sightline.formats.plugin_messages import TextPluginData
from sightline.formats.tensors import tensor_from_array
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arguments import check_size, checked_tag, text_from
from sightline.writer.engine.base import WriterBase, plugin_value

_SUFFIX = "/text_summary"


class TextMethods(WriterBase):
    def add_text(
        self, tag: str, text_string: Any, global_step: int | None = None, walltime: float | None = None
    ) -> None:
        """Adds text; readers show it as Markdown.

        `text_string` is a text, or a list (of lists) of texts: a column (a table). Bytes are taken as
        UTF-8, and other objects as they print.
        """
        value = text_value(checked_tag(tag), text_string)
        self._write([value], global_step, walltime)


def text_value(tag: str, text: Any) -> Value:
    """The value of a text or of a table of texts."""
    texts = _texts(text)
    check_size(sum(map(len, texts.ravel().tolist())), f"The text of {tag!r}")
    return plugin_value(
        tag + _SUFFIX, "text", tensor=tensor_from_array(texts), content=TextPluginData().encode()
    )


def _texts(text: Any) -> NDArray[np.object_]:
    """All pieces as UTF-8, in the shape they were given in."""
    if callable(getattr(text, "numpy", None)):  # TensorFlow
        text = text.numpy()
    is_table = isinstance(text, (list, tuple)) or (isinstance(text, np.ndarray) and text.ndim > 0)
    shape = _shape_of(text) if is_table else (1,)
    if 0 in shape:
        raise BadArgumentError("A table of texts needs at least one text; it is empty")
    texts = np.empty(shape, dtype=object)
    for position in np.ndindex(shape):
        piece = text
        for index in position if is_table else ():
            piece = piece[index]
        texts[position] = text_from(piece).encode("utf-8", "backslashreplace")
    return texts


def _shape_of(table: Any) -> tuple[int, ...]:
    """The shape of a column or table. NumPy would guess at ragged rows, and at texts among lists."""
    if isinstance(table, np.ndarray):
        shape: tuple[int, ...] = table.shape
        return shape
    if not any(isinstance(row, (list, tuple)) for row in table):
        return (len(table),)
    widths = {len(row) if isinstance(row, (list, tuple)) else -1 for row in table}
    if len(widths) > 1 or -1 in widths:
        raise BadArgumentError("The rows of a table of texts need the same number of texts each")
    return (len(table), widths.pop())
