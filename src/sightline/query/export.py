"""Scalar points as files that other programs read: CSV, JSON Lines, Parquet.

Series go out one after the other and in pieces, so memory stays bounded whatever the size of the log. Numbers
survive exactly: floats are written with as many digits as it takes to read the same float back. What JSON has
no number for is written as the words NaN, Infinity and -Infinity (in CSV, too, where most readers know them).
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from sightline.query.frames import coded, require
from sightline.store.series import ScalarSeries

if TYPE_CHECKING:
    import pyarrow

Format = Literal["csv", "jsonl", "parquet"]
TextFormat = Literal["csv", "jsonl", "json"]
FORMATS: tuple[Format, ...] = ("csv", "jsonl", "parquet")
COLUMNS = ("run", "tag", "step", "wall_time", "value")

OnProgress = Callable[[int], object]
"""Told how many points have been written since the last call."""

_ROWS_PER_PIECE = 65_536
"""Points turned into text at a time: about 10 MB of Python objects."""

_ROWS_PER_GROUP = 1 << 20
"""Rows of a Parquet row group; what readers of Parquet recommend, and 40 MB of memory."""

_OPEN_ALREADY = re.compile(r"/dev/(stdout|stderr|fd/\d+)|/proc/[^/]+/fd/\d+")
"""Names for what a process has open: behind one may be a file, but replacing it is not what is meant."""


def write_points(
    series: Iterable[ScalarSeries], out: IO[Any], *, format: Format, on_progress: OnProgress = lambda _: None
) -> int:
    """Write to a text stream, Parquet to a binary one; returns the number of points. Parquet needs
    pyarrow."""
    if format == "parquet":
        return _write_parquet(series, out, on_progress)
    count = 0
    for text, point_count in text_pieces(series, format=format):
        out.write(text)
        count += point_count
        if point_count:
            on_progress(point_count)
    return count


def text_pieces(series: Iterable[ScalarSeries], *, format: TextFormat) -> Iterator[tuple[str, int]]:
    """Pieces of a text file, each with the number of its points; made when they are asked for.

    "json" is one JSON document: an array of the objects that "jsonl" has one by one.
    """
    if format == "csv":
        yield ",".join(COLUMNS) + "\n", 0
    elif format == "json":
        yield "[\n", 0
    is_first = True
    for one in series:
        for rows in _pieces(one):
            count = rows.stop - rows.start
            if format == "csv":
                yield csv_lines([one.run, one.tag], _columns(one, rows, quote="")), count
                continue
            objects = json_objects({"run": one.run, "tag": one.tag}, _columns(one, rows, quote='"'))
            if format == "jsonl":
                yield "\n".join([*objects, ""]), count
            else:
                yield ("" if is_first else ",\n") + ",\n".join(objects), count
            is_first = False
    if format == "json":
        yield "\n]\n", 0


@contextmanager
def new_file(path: Path, *, is_text: bool) -> Iterator[IO[Any]]:
    """A file that appears complete, or (after an error) not at all. A target that is no ordinary file (a
    device, a pipe) is simply written to."""
    options: Any = {"encoding": "utf-8", "newline": ""} if is_text else {}
    kind = "" if is_text else "b"
    if _is_special(path):
        with path.open(f"a{kind}", **options) as out:  # the shell may append to /dev/stdout
            yield out
        return
    path = path.resolve()
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with temporary.open(f"x{kind}", **options) as out:
            yield out
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _is_special(path: Path) -> bool:
    """No ordinary file, or the name of something that is open, whatever that is."""
    is_open_already = _OPEN_ALREADY.fullmatch(os.path.abspath(path)) is not None
    return is_open_already or (path.exists() and not path.is_file())


# ── text ─────────────────────────────────────────────────────────────────────────────────────────────────


def _pieces(series: ScalarSeries) -> Iterator[slice]:
    for begin in range(0, len(series), _ROWS_PER_PIECE):
        yield slice(begin, min(len(series), begin + _ROWS_PER_PIECE))


def _columns(series: ScalarSeries, rows: slice, *, quote: str) -> dict[str, list[str]]:
    return {
        "step": list(map(str, series.step[rows].tolist())),
        "wall_time": number_texts(series.wall_time[rows], quote=quote),
        "value": number_texts(series.value[rows], quote=quote),
    }


def csv_lines(names: Sequence[str], columns: Mapping[str, Sequence[str]]) -> str:
    """A line per place of the columns; all begin with the same names."""
    out = io.StringIO()
    # The writer quotes what is in its line end, too: only with both characters in it are names with one safe.
    csv.writer(out, lineterminator="\r\n").writerow(names)
    prefix = out.getvalue().removesuffix("\r\n")
    return "".join([f"{prefix},{','.join(cells)}\n" for cells in zip(*columns.values(), strict=True)])


def json_objects(names: Mapping[str, str], columns: Mapping[str, Sequence[str]]) -> list[str]:
    """The same as JSON; the columns hold texts of JSON."""
    prefix = "".join(f'"{key}":{json.dumps(text)},' for key, text in names.items())
    layout = "{" + prefix.replace("%", "%%") + ",".join(f'"{key}":%s' for key in columns) + "}"
    return [layout % cells for cells in zip(*columns.values(), strict=True)]


def number_texts(numbers: NDArray[np.float64], *, quote: str) -> list[str]:
    """The shortest texts that read back as the same floats; words, in quotes, for what is not finite."""
    texts = list(map(repr, numbers.tolist()))
    for position in np.flatnonzero(~np.isfinite(numbers)).tolist():
        texts[position] = f"{quote}{_word_of(numbers[position])}{quote}"
    return texts


def _word_of(number: float) -> str:
    """As JavaScript, Java and TensorBoard spell them."""
    if math.isnan(number):
        return "NaN"
    return "Infinity" if number > 0 else "-Infinity"


# ── Parquet ──────────────────────────────────────────────────────────────────────────────────────────────


def _write_parquet(series: Iterable[ScalarSeries], out: IO[bytes], on_progress: OnProgress) -> int:
    pyarrow = require("pyarrow", feature="Parquet", extra="parquet")
    parquet = require("pyarrow.parquet", feature="Parquet", extra="parquet")
    names = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    types = (names, names, pyarrow.int64(), pyarrow.float64(), pyarrow.float64())
    schema = pyarrow.schema(
        [pyarrow.field(*pair, nullable=False) for pair in zip(COLUMNS, types, strict=True)]
    )
    count = 0
    with parquet.ParquetWriter(out, schema) as writer:
        for group in _row_groups(series):
            table = _arrow_table(group, schema=schema, library=pyarrow)
            writer.write_table(table)
            count += len(table)
            on_progress(len(table))
    return count


def _row_groups(series: Iterable[ScalarSeries]) -> Iterator[list[tuple[ScalarSeries, slice]]]:
    """Series cut and gathered into groups of equal size: neither a million tiny ones nor one huge one."""
    group: list[tuple[ScalarSeries, slice]] = []
    room = _ROWS_PER_GROUP
    for one in series:
        begin = 0
        while begin < len(one):
            end = min(len(one), begin + room)
            group.append((one, slice(begin, end)))
            room -= end - begin
            begin = end
            if not room:
                yield group
                group, room = [], _ROWS_PER_GROUP
    if group:
        yield group


def _arrow_table(
    group: list[tuple[ScalarSeries, slice]], *, schema: pyarrow.Schema, library: Any
) -> pyarrow.Table:
    lengths = [rows.stop - rows.start for _, rows in group]

    def names(texts: list[str]) -> Any:
        codes, words = coded(texts, lengths)
        return library.DictionaryArray.from_arrays(
            library.array(codes), library.array(words, library.string())
        )

    columns = [
        names([one.run for one, _ in group]),
        names([one.tag for one, _ in group]),
        np.concatenate([one.step[rows] for one, rows in group]),
        np.concatenate([one.wall_time[rows] for one, rows in group]),
        np.concatenate([one.value[rows] for one, rows in group]),
    ]
    table: pyarrow.Table = library.table(columns, schema=schema)
    return table
