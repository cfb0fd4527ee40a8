"""Tables out of whatever holds one: rows, dicts, columns, arrays, data frames.

Everything becomes columns of plain cells: None, bool, number, text, an ISO date or time, or an image. What
is given may change after the call, so cells are copies; images are copied as pixels and become PNG later,
on the background thread. pandas, polars and pyarrow are not imported: a frame that came from one brings
what is needed.
"""

from __future__ import annotations

import datetime
import numbers
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.formats.sniff import mime_type
from sightline.formats.tables import ColumnType, ImageCell, Table
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.arguments import text_from
from sightline.writer.engine.arrays import array_from
from sightline.writer.media.pictures import arranged, pil_image, pixels_from, png_from

# With its commas a table of this size stays readable (formats.tables.MAX_JSON_VALUES).
MAX_CELLS = 4_000_000
MAX_IMAGE_BYTES = 1 << 30

_IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_CHANNELS = (1, 3, 4)
_MOST_ELEMENTS_SPELLED = 1_000

_Column = tuple[str, Sequence[Any]]


class Picture(NamedTuple):
    """An image that is not encoded yet: `encode` holds a copy of its pixels."""

    encode: Callable[[], bytes]
    size_bytes: int


def table_from(data: Any, columns: Sequence[str] | None) -> tuple[Table, list[Picture]]:
    """The table of any data, and the images of its cells: the one at position k is ``pictures[k - 1]``."""
    named = _columns_of(data, None if columns is None else _column_names(columns))
    names = [name for name, _ in named]
    most_common = Counter(names).most_common(1)
    if most_common and most_common[0][1] > 1:
        raise BadArgumentError(f"Several columns of the table are called {most_common[0][0]!r}")
    if len({len(cells) for _, cells in named}) > 1:
        sizes = ", ".join(f"{name!r} {len(cells)}" for name, cells in named[:10])
        raise BadArgumentError(f"The columns of a table need the same length, not {sizes}")
    count = sum(len(cells) for _, cells in named)
    if count > MAX_CELLS:
        raise BadArgumentError(
            f"A table of {count:,} cells is too large; {MAX_CELLS:,} are the most. Log a part of it"
        )
    pictures: list[Picture] = []
    types, cells_of_columns = [], []
    for name, raw in named:
        kind, cells = _plain_column(name, raw, pictures)
        types.append(kind)
        cells_of_columns.append(cells)
    if sum(picture.size_bytes for picture in pictures) > MAX_IMAGE_BYTES:
        raise BadArgumentError(
            f"The images of a table have more than {MAX_IMAGE_BYTES:,} bytes. Make them smaller"
        )
    rows = tuple(zip(*cells_of_columns, strict=True))
    return Table(tuple(names), tuple(types), rows), pictures


# -- columns


def _column_names(columns: Any) -> list[str]:
    if isinstance(columns, (str, bytes)) or not isinstance(columns, Iterable):
        raise BadArgumentError(f"columns is a list of names, not {columns!r}")
    return [text_from(name) for name in columns]


def _columns_of(data: Any, names: list[str] | None) -> list[_Column]:
    library = type(data).__module__.partition(".")[0]
    if library == "pandas" and hasattr(data, "iloc"):
        return _chosen(_columns_of_pandas(data), names)
    if library == "polars" and hasattr(data, "get_columns"):
        return _chosen([(column.name, column.to_list()) for column in data.get_columns()], names)
    if library == "pyarrow" and hasattr(data, "to_pydict"):
        return _chosen(list(data.to_pydict().items()), names)
    if isinstance(data, Mapping):
        return _chosen([(text_from(name), _cells(name, cells)) for name, cells in data.items()], names)
    if isinstance(data, np.ndarray) and data.dtype.names:
        flat = data.reshape(-1)
        return _chosen([(name, list(flat[name])) for name in data.dtype.names], names)
    if _is_array(data):
        return _columns_of_array(data, names)
    if isinstance(data, (str, bytes)) or not isinstance(data, Iterable):
        raise BadArgumentError(
            "A table is a list of rows or dicts, a dict of columns, an array or a data frame, "
            f"not {type(data).__name__}"
        )
    return _columns_of_rows(list(data), names)


def _chosen(columns: list[_Column], names: list[str] | None) -> list[_Column]:
    """The named columns, in that order; all of them without names."""
    if names is None:
        return columns
    known = dict(columns)
    for name in names:
        if name not in known:
            raise BadArgumentError(f"The table has no column {name!r}; it has {list(known)[:20]}")
    return [(name, known[name]) for name in names]


def _cells(name: Any, cells: Any) -> Sequence[Any]:
    if isinstance(cells, np.ndarray) and cells.ndim > 0:
        return list(cells)
    if isinstance(cells, (list, tuple)):
        return cells
    if isinstance(cells, (str, bytes, Mapping)) or not hasattr(cells, "__len__") or np.ndim(cells) == 0:
        raise BadArgumentError(
            f"Column {name!r} of a dict of columns is a list of cells, not {type(cells).__name__}"
        )
    return list(cells)


def _columns_of_pandas(frame: Any) -> list[_Column]:
    if not hasattr(frame, "columns"):  # a Series
        frame = frame.to_frame()
    index = frame.index
    # An index of row numbers says nothing; any other one is part of the table.
    is_named = any(name is not None for name in index.names)
    if is_named or getattr(index.dtype, "kind", "O") not in "iu":
        frame = frame.reset_index()
    columns = []
    for position, name in enumerate(frame.columns):
        series = frame.iloc[:, position]
        cells = series.tolist()
        if getattr(series.dtype, "kind", "") != "f":  # elsewhere pandas means "missing" by a NaN
            cells = [None if isinstance(cell, float) and cell != cell else cell for cell in cells]
        columns.append((text_from(name), cells))
    return columns


def _columns_of_array(data: Any, names: list[str] | None) -> list[_Column]:
    array = array_from(data)
    if array.ndim != 2:
        raise BadArgumentError(f"A table is an array of rows and columns, not of shape {list(array.shape)}")
    names = _checked_names(names, array.shape[1])
    return list(zip(names, (list(column) for column in array.T), strict=True))


def _columns_of_rows(rows: list[Any], names: list[str] | None) -> list[_Column]:
    if not rows:
        if names is None:
            raise BadArgumentError("A table without rows needs its columns: pass columns=[…]")
        return [(name, []) for name in names]
    if isinstance(rows[0], Mapping):
        return _columns_of_dicts(rows, names)
    for number, row in enumerate(rows):
        if not (isinstance(row, (list, tuple)) or (_is_array(row) and np.ndim(row) == 1)):
            raise BadArgumentError(
                f"Row {number} of the table is a {type(row).__name__}; rows are lists, or all dicts"
            )
    width = len(rows[0])
    for number, row in enumerate(rows):
        if len(row) != width:
            raise BadArgumentError(
                f"Row {number} of the table has {len(row)} cells, the first one has {width}"
            )
    names = _checked_names(names or list(getattr(rows[0], "_fields", ())) or None, width)
    return [(name, [row[position] for row in rows]) for position, name in enumerate(names)]


def _columns_of_dicts(rows: list[Any], names: list[str] | None) -> list[_Column]:
    found: dict[Any, None] = {}
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise BadArgumentError(
                f"Row {number} of the table is a {type(row).__name__}, the first one is a dict"
            )
        found.update(dict.fromkeys(row))
    return _chosen([(text_from(key), [row.get(key) for row in rows]) for key in found], names)


def _checked_names(names: list[str] | None, width: int) -> list[str]:
    if names is None:
        return [str(position) for position in range(width)]
    if len(names) != width:
        raise BadArgumentError(f"{len(names)} columns are named, and the rows have {width} cells")
    return names


# -- cells


def _is_array(value: Any) -> bool:
    """Of NumPy, torch, TensorFlow or JAX."""
    return hasattr(value, "shape") and hasattr(value, "dtype")


def _plain_column(name: str, raw: Sequence[Any], pictures: list[Picture]) -> tuple[ColumnType, list[Any]]:
    kinds: set[ColumnType | None] = set()
    cells = []
    for number, value in enumerate(raw):
        try:
            kind, cell = _plain_cell(value, pictures)
        except BadArgumentError as error:
            raise BadArgumentError(f"Row {number} of column {name!r}: {error}") from error
        kinds.add(kind)
        cells.append(cell)
    kinds.discard(None)
    return (kinds.pop() or ColumnType.any) if len(kinds) == 1 else ColumnType.any, cells


def _plain_cell(value: Any, pictures: list[Picture]) -> tuple[ColumnType | None, Any]:
    """What a cell is, and its value as the format has it."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):  # of pandas
        return None, None
    if isinstance(value, str):
        return ColumnType.text, text_from(value)
    if isinstance(value, (bool, np.bool_)):
        return ColumnType.bool, bool(value)
    if isinstance(value, numbers.Integral):
        return ColumnType.number, int(value)
    if isinstance(value, numbers.Real):
        return ColumnType.number, float(value)
    if isinstance(value, (datetime.date, datetime.time)):  # a datetime is a date
        return ColumnType.time, value.isoformat()
    if isinstance(value, np.datetime64):
        return (None, None) if np.isnat(value) else (ColumnType.time, str(value))
    if isinstance(value, (bytes, bytearray)):
        if mime_type(bytes(value[:32])) in _IMAGE_TYPES:
            data = bytes(value)
            return ColumnType.image, _kept(Picture(lambda: data, len(data)), pictures)
        return ColumnType.text, text_from(value)
    if type(value).__module__.startswith("PIL.") and hasattr(value, "save"):
        image = value.copy()
        size_bytes = image.width * image.height * len(image.getbands())
        return ColumnType.image, _kept(Picture(lambda: _png_of_pillow(image), size_bytes), pictures)
    if _is_array(value):
        return _cell_of_array(array_from(value, is_copy=True), pictures)
    return ColumnType.text, str(value)


def _cell_of_array(array: NDArray[Any], pictures: list[Picture]) -> tuple[ColumnType | None, Any]:
    if array.ndim == 0:
        return _plain_cell(array.item(), pictures)
    if array.ndim in (2, 3):
        pixels = arranged(array, _axes_of(array), order="NHWC")
        return ColumnType.image, _kept(Picture(lambda: _png_of_pixels(pixels), array.nbytes), pictures)
    if array.size > _MOST_ELEMENTS_SPELLED:
        return ColumnType.text, f"{array.dtype} array of shape {list(array.shape)}"
    return ColumnType.text, str(array.tolist())


def _axes_of(array: NDArray[Any]) -> str:
    """Where the channels of a picture are: at the end as in files, or at the beginning as in torch."""
    if array.ndim == 2:
        return "HW"
    if array.shape[2] in _CHANNELS:
        return "HWC"
    if array.shape[0] in _CHANNELS:
        return "CHW"
    raise BadArgumentError(
        f"An image has 1, 3 or 4 channels in its last or first axis, not shape {list(array.shape)}"
    )


def _kept(picture: Picture, pictures: list[Picture]) -> ImageCell:
    pictures.append(picture)
    return ImageCell(len(pictures))  # position 0 is the table itself


def _png_of_pixels(batch: NDArray[Any]) -> bytes:
    return png_from(pil_image(pixels_from(batch).values[0]))


def _png_of_pillow(image: Any) -> bytes:
    # PNG has these; all other modes (CMYK, HSV, float …) do not fit in it.
    known = ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")
    return png_from(image if image.mode in known else image.convert("RGB"))
