"""Kinds that TensorBoard lacks: tables, HTML, Plotly figures, confusion matrices.

TensorBoard keeps them as tensors of a plugin it does not know, and is not disturbed. How they lie in the
file is the business of ``formats.tables``; here is what users may give.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sightline.formats import tables
from sightline.formats.messages import Value
from sightline.formats.tables import bytes_from_table
from sightline.formats.tensors import tensor_from_array
from sightline.model.errors import BadArgumentError, DamagedValueError
from sightline.writer.engine.arguments import check_size, checked_tag, text_from
from sightline.writer.engine.base import WriterBase, plugin_value
from sightline.writer.kinds.confusion import matrix_from_classes, matrix_from_counts
from sightline.writer.kinds.table_columns import table_from


class TableMethods(WriterBase):
    def add_table(
        self,
        tag: str,
        data: Any,
        global_step: int | None = None,
        walltime: float | None = None,
        *,
        columns: Sequence[str] | None = None,
    ) -> None:
        """Adds a table.

        `data` is a list of rows, a list of dicts, a dict of columns, a 2-D or structured array, or a data
        frame of pandas, polars or pyarrow. `columns` names the columns of rows, or chooses among those that
        have names.

        A cell is a number, a bool, text, None, a date or time, or an image: an array [height, width] or
        with 1, 3 or 4 channels behind or before that, an image of Pillow, or the bytes of an encoded one.
        Anything else is written as it prints.
        """
        checked_tag(tag)
        table, pictures = table_from(data, columns)
        text = bytes_from_table(table)

        def encode() -> list[Value]:
            strings = [text, *(picture.encode() for picture in pictures)]
            check_size(sum(map(len, strings)), f"The table {tag!r}")
            return [plugin_value(tag, tables.TABLE_PLUGIN, tensor=tensor_from_array(strings))]

        if pictures:
            size_bytes = len(text) + sum(picture.size_bytes for picture in pictures)
            self._defer(encode, global_step, walltime, size_bytes)
        else:
            self._write(encode(), global_step, walltime)

    def add_html(
        self, tag: str, html: Any, global_step: int | None = None, walltime: float | None = None
    ) -> None:
        """Adds HTML: text, or an object that shows itself as HTML in notebooks.

        Pages show it shut in a sandbox.
        """
        checked_tag(tag)
        if not isinstance(html, (str, bytes)) and callable(getattr(html, "_repr_html_", None)):
            html = html._repr_html_()
        if not isinstance(html, (str, bytes)):
            raise BadArgumentError(f"HTML is text, or an object with _repr_html_, not {type(html).__name__}")
        data = text_from(html).encode("utf-8", "backslashreplace")
        check_size(len(data), f"The HTML {tag!r}")
        self._add_string(tag, tables.HTML_PLUGIN, data, global_step, walltime)

    def add_plotly(
        self, tag: str, figure: Any, global_step: int | None = None, walltime: float | None = None
    ) -> None:
        """Adds an interactive figure: of Plotly, or a dict or JSON text of one ("data", "layout")."""
        self._add_string(checked_tag(tag), tables.PLOTLY_PLUGIN, figure_bytes(figure), global_step, walltime)

    def add_confusion_matrix(
        self,
        tag: str,
        matrix: Any = None,
        global_step: int | None = None,
        walltime: float | None = None,
        *,
        labels: Sequence[Any] | None = None,
        y_true: Any = None,
        y_pred: Any = None,
    ) -> None:
        """Adds a confusion matrix: the counts in `matrix`, or those of the classes `y_true` and `y_pred`.

        Row i, column j says how often class i was taken for class j. Classes are whole numbers, bools or
        texts. `labels` are all the classes, in order; or, when the classes are numbers from 0 on, their
        names. Give them when some class may not occur, so that the matrices of all steps have the same
        classes.
        """
        checked_tag(tag)
        if (matrix is None) == (y_true is None) or (y_true is None) != (y_pred is None):
            raise BadArgumentError("A confusion matrix needs either matrix, or both y_true and y_pred")
        if matrix is not None:
            found = matrix_from_counts(matrix, labels)
        else:
            found = matrix_from_classes(y_true, y_pred, labels)
        data = tables.bytes_from_confusion_matrix(found)
        self._add_string(tag, tables.CONFUSION_MATRIX_PLUGIN, data, global_step, walltime)

    def _add_string(
        self, tag: str, plugin: str, data: bytes, global_step: int | None, walltime: float | None
    ) -> None:
        self._write([plugin_value(tag, plugin, tensor=tensor_from_array(data))], global_step, walltime)


def figure_bytes(figure: Any) -> bytes:
    """The JSON of a Plotly figure in any of its forms.

    What is not a finite number becomes null, as in Plotly's own.
    """
    if isinstance(figure, (str, bytes)):
        text = text_from(figure)
    elif isinstance(figure, Mapping):
        text = _dumped(dict(figure))
    elif callable(getattr(figure, "to_json", None)):
        text = figure.to_json()
    elif callable(getattr(figure, "to_plotly_json", None)):
        text = _dumped(figure.to_plotly_json())
    else:
        raise BadArgumentError(
            f"A Plotly figure is a Figure, a dict or JSON text, not {type(figure).__name__}"
        )
    try:
        value = json.loads(text, parse_constant=lambda name: None)
        data = tables.bytes_from_json(value, "The figure")
        tables.figure_from_bytes(data)
    except (DamagedValueError, ValueError, RecursionError, TypeError) as error:
        raise BadArgumentError(f"This is no Plotly figure: {error}") from error
    return data


def _dumped(figure: Any) -> str:
    try:
        return json.dumps(figure, default=_json_of_other)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadArgumentError(f"The figure cannot be written as JSON: {error}") from error


def _json_of_other(value: Any) -> Any:
    for method in (
        "to_plotly_json",
        "tolist",
        "isoformat",
    ):  # parts of figures; arrays and NumPy's numbers; times
        if callable(getattr(value, method, None)):
            return getattr(value, method)()
    if isinstance(value, np.datetime64):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no place in it")
