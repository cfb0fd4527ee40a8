"""Kinds of our own: tables, HTML, Plotly figures and confusion matrices, as they lie in string tensors.

    plugin                        tensor
    sightline_table               [n]  JSON, then the images that its cells name by position
    sightline_html                []   HTML
    sightline_plotly              []   JSON: a figure with "data" and "layout"
    sightline_confusion_matrix    []   JSON: labels and counts

docs/format.md describes them. JSON is UTF-8 and standard: what is not a finite number stands there as text.
Both directions are here, so that the two cannot drift apart. Reading trusts nothing and raises
DamagedValueError; its memory is bounded by the size of the text and the number of commas and brackets in
it.
"""

from __future__ import annotations

import json
import math
import reprlib
import threading
from collections.abc import Sequence
from contextlib import nullcontext
from enum import Enum
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.model.errors import BadArgumentError, DamagedValueError

TABLE_PLUGIN = "sightline_table"
HTML_PLUGIN = "sightline_html"
PLOTLY_PLUGIN = "sightline_plotly"
CONFUSION_MATRIX_PLUGIN = "sightline_confusion_matrix"

VERSION = 1
# A byte of JSON can make fifty bytes of objects: the second keeps those below half a gigabyte or so. The text
# itself takes as many bytes as there are in the file while all of it is ASCII; with one emoji in it, four for
# each character, which is a gigabyte at worst. What is large is parsed one at a time, see below.
MAX_JSON_BYTES = 1 << 28
MAX_JSON_VALUES = 1 << 23
# At a time: other threads wait until they are counted.
_COUNTED_BYTES = 1 << 20
# Nobody looks at more, and the square of it has to fit above.
MAX_CLASSES = 2_000

# About what a number takes in memory, and its place in a list.
_VALUE_BYTES = 60
_LARGE_BYTES = 64 << 20
_parsing_large = threading.Lock()
"""What is large in memory is parsed one at a time: of many at once there would be gigabytes."""

_NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


class ColumnType(str, Enum):
    """What the cells of a column are; each of them may also be missing (null)."""

    number = "number"
    bool = "bool"
    text = "text"
    time = "time"  # ISO 8601: a date, a time of day, or both
    image = "image"
    any = "any"  # a mixture, or nothing at all

    def __str__(self) -> str:
        return self.value


class ImageCell(NamedTuple):
    """An image that lies at a position in the tensor."""

    position: int


class Table(NamedTuple):
    """Names and types of the columns, and the cells by row.

    A cell is None, a bool, a number, text, or an image: bytes when read, an ImageCell when written.
    """

    names: tuple[str, ...]
    types: tuple[ColumnType, ...]
    rows: tuple[tuple[Any, ...], ...]


# -- JSON with limits


def bytes_from_json(value: Any, what: str) -> bytes:
    """Compact, standard JSON as UTF-8. Raises BadArgumentError for what JSON cannot hold, or is too large."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadArgumentError(f"{what} cannot be written as JSON: {error}") from error
    return checked_json(text, what)


def checked_json(text: str, what: str) -> bytes:
    """JSON text as UTF-8, if it is not larger than what readers take."""
    data = text.encode("utf-8", "backslashreplace")
    reason = _too_large(data, _count_values(data))
    if reason:
        raise BadArgumentError(f"{what} is too large: {reason}. Log a part of it")
    return data


def json_from_bytes(data: bytes) -> Any:
    """The value of untrusted JSON."""
    import msgspec  # not for training jobs, which only write

    count = _count_values(data)
    reason = _too_large(data, count)
    if reason:
        raise DamagedValueError(f"it is too large: {reason}")
    try:
        with _parsing_large if count * _VALUE_BYTES + len(data) >= _LARGE_BYTES else nullcontext():
            return msgspec.json.decode(data)
    except RecursionError:
        raise DamagedValueError("its JSON is nested too deep") from None
    except ValueError as error:  # no UTF-8, or no JSON
        raise DamagedValueError(f"it is not JSON: {error}") from error


def _count_values(data: bytes) -> int:
    """Every value but the first has a comma or an opening bracket before it. What is too long is not
    counted: it is not read either."""
    if len(data) > MAX_JSON_BYTES:
        return 0
    return sum(
        data.count(sign, start, start + _COUNTED_BYTES)
        for start in range(0, len(data), _COUNTED_BYTES)
        for sign in (b",", b"[", b"{")
    )


def _too_large(data: bytes, count: int) -> str:
    if len(data) > MAX_JSON_BYTES:
        return f"{len(data):,} bytes of JSON, and at most {MAX_JSON_BYTES:,} are read"
    if count > MAX_JSON_VALUES:
        return f"about {count:,} values, and at most {MAX_JSON_VALUES:,} are read"
    return ""


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DamagedValueError(f"its JSON should be an object and is {_name_of(value)}")
    return value


def _versioned(data: bytes) -> dict[str, Any]:
    value = _object(json_from_bytes(data))
    version = value.get("version")
    if type(version) is not int or version < 1:
        raise DamagedValueError("it does not say which version of the format it has")
    if version > VERSION:
        raise DamagedValueError(f"it has version {version} of the format; this program knows {VERSION}")
    return value


def _list_of(value: dict[str, Any], name: str) -> list[Any]:
    found = value.get(name)
    if not isinstance(found, list):
        raise DamagedValueError(f'"{name}" should be a list and is {_name_of(found)}')
    return found


def _name_of(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "a truth value", type(None): "missing"}
    return names.get(type(value), "a number")


# -- tables


def bytes_from_table(table: Table) -> bytes:
    """The JSON of a table."""
    columns = [{"name": name, "type": str(kind)} for name, kind in zip(table.names, table.types, strict=True)]
    rows = [
        [_json_of_cell(cell, kind) for cell, kind in zip(row, table.types, strict=True)] for row in table.rows
    ]
    return bytes_from_json({"version": VERSION, "columns": columns, "rows": rows}, "The table")


def _json_of_cell(cell: Any, kind: ColumnType) -> Any:
    if isinstance(cell, ImageCell):
        return {"image": cell.position}
    if isinstance(cell, float) and not math.isfinite(cell):
        text = "NaN" if math.isnan(cell) else "Infinity" if cell > 0 else "-Infinity"
        return {"number": text} if kind is ColumnType.any else text
    return cell


def table_from_strings(strings: Sequence[bytes]) -> Table:
    """The table in a tensor's strings."""
    if not strings:
        raise DamagedValueError("a table needs one string at least, and there is none")
    value = _versioned(strings[0])
    columns = [_column(column) for column in _list_of(value, "columns")]
    names = tuple(name for name, _ in columns)
    types = tuple(kind for _, kind in columns)
    if len(set(names)) < len(names):
        raise DamagedValueError("two columns of a table have the same name")
    rows = _list_of(value, "rows")
    for number, row in enumerate(rows):
        if not isinstance(row, list) or len(row) != len(columns):
            raise DamagedValueError(f"row {number} of a table is no list of {len(columns)} cells")
        rows[number] = tuple(map(_cell, row, types, repeat(strings)))
    return Table(names, types, tuple(rows))


def _column(column: Any) -> tuple[str, ColumnType]:
    name, kind = (column.get("name"), column.get("type")) if isinstance(column, dict) else (None, None)
    if not isinstance(name, str):
        raise DamagedValueError("a column of a table has no name")
    try:
        return name, ColumnType(kind)
    except ValueError:
        raise DamagedValueError(f"column {name[:80]!r} of a table has no known type") from None


def _cell(cell: Any, kind: ColumnType, strings: Sequence[bytes]) -> Any:
    if cell is None:
        return None
    if isinstance(cell, dict):
        if len(cell) == 1 and "image" in cell and kind in (ColumnType.image, ColumnType.any):
            return _image_at(cell["image"], strings)
        if len(cell) == 1 and "number" in cell and kind is ColumnType.any:
            return _not_finite(cell["number"])
    elif isinstance(cell, bool):
        if kind in (ColumnType.bool, ColumnType.any):
            return cell
    elif isinstance(cell, (int, float)):
        if kind in (ColumnType.number, ColumnType.any):
            return cell
    elif isinstance(cell, str):
        if kind in (ColumnType.text, ColumnType.time, ColumnType.any):
            return cell
        if kind is ColumnType.number:
            return _not_finite(cell)
    raise DamagedValueError(f"a cell of type {kind} of a table is {_name_of(cell)}")


def _image_at(position: Any, strings: Sequence[bytes]) -> bytes:
    if type(position) is not int or not 0 < position < len(strings):
        raise DamagedValueError(
            f"a cell of a table names an image that is not there: {reprlib.repr(position)}"
        )
    return strings[position]


def _not_finite(text: Any) -> float:
    number = _NOT_FINITE.get(text) if isinstance(text, str) else None
    if number is None:
        raise DamagedValueError(f"a number of a table is {reprlib.repr(text)}")
    return number


# -- figures and matrices


def figure_from_bytes(data: bytes) -> dict[str, Any]:
    """A Plotly figure: an object with a list of traces, and a layout if it has one."""
    figure = _object(json_from_bytes(data))
    _list_of(figure, "data")
    if not isinstance(figure.get("layout", {}), dict):
        raise DamagedValueError('"layout" of a figure should be an object')
    return figure


class ConfusionMatrix(NamedTuple):
    """``counts[i, j]``: how often class i was taken for class j."""

    labels: tuple[str, ...]
    counts: NDArray[Any]


def bytes_from_confusion_matrix(matrix: ConfusionMatrix) -> bytes:
    value = {"version": VERSION, "labels": list(matrix.labels), "counts": matrix.counts.tolist()}
    return bytes_from_json(value, "The confusion matrix")


def confusion_matrix_from_bytes(data: bytes) -> ConfusionMatrix:
    value = _versioned(data)
    labels, counts = _list_of(value, "labels"), _list_of(value, "counts")
    if not all(isinstance(label, str) for label in labels):
        raise DamagedValueError("a label of a confusion matrix is no text")
    if len(labels) > MAX_CLASSES:
        raise DamagedValueError(f"a confusion matrix of {len(labels):,} classes is too large")
    is_square = len(counts) == len(labels) and all(
        isinstance(row, list) and len(row) == len(labels) for row in counts
    )
    if not is_square:
        raise DamagedValueError(f"{len(labels)} labels need as many rows and columns of counts")
    if not all(type(count) in (int, float) for row in counts for count in row):
        raise DamagedValueError("a count of a confusion matrix is no number")
    try:
        array: NDArray[Any] = np.array(counts, dtype=None if labels else np.int64)
    except OverflowError:
        raise DamagedValueError("a count of a confusion matrix is too large") from None
    if array.dtype.kind not in "iuf" or not np.isfinite(array).all():  # numbers beyond 64 bits
        raise DamagedValueError("a count of a confusion matrix is too large")
    if (array < 0).any():
        raise DamagedValueError("a count of a confusion matrix is negative")
    array.flags.writeable = False
    return ConfusionMatrix(tuple(labels), array.reshape(len(labels), len(labels)))
