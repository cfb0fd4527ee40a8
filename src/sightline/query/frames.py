"""Series as one long table: pandas, polars, pyarrow, and the Arrow stream that needs none of them.

The Arrow stream comes from the core and does not copy columns. pandas is built from NumPy directly, because
its route through Arrow would need pyarrow. The libraries are imported here, on use, and nowhere else.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sightline import _core
from sightline.model.errors import MissingExtraError
from sightline.store.series import ScalarSeries

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


def require(module: str, *, feature: str, extra: str) -> Any:
    """Import an optional library, or say which extra brings it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingExtraError(feature, extra) from None


def to_pandas(series: Iterable[ScalarSeries]) -> pandas.DataFrame:
    library = require("pandas", feature="A pandas table", extra="pandas")
    chosen = list(series)
    lengths = [len(one) for one in chosen]

    def category(names: list[str]) -> Any:
        codes, categories = coded(names, lengths)
        return library.Categorical.from_codes(codes, categories=categories)

    table: pandas.DataFrame = library.DataFrame(
        {
            "run": category([one.run for one in chosen]),
            "tag": category([one.tag for one in chosen]),
            "step": _joined([one.step for one in chosen], np.int64),
            "wall_time": _joined([one.wall_time for one in chosen], np.float64),
            "value": _joined([one.value for one in chosen], np.float64),
        }
    )
    return table


def coded(names: Sequence[str], lengths: Sequence[int]) -> tuple[NDArray[np.int32], list[str]]:
    """Names of series as a column with one number per point, and the names that the numbers stand for."""
    codes: dict[str, int] = {}
    of_series = np.array([codes.setdefault(name, len(codes)) for name in names], dtype=np.int32)
    return np.repeat(of_series, lengths), list(codes)


def _joined(columns: list[Any], dtype: type[np.generic]) -> Any:
    return np.concatenate(columns) if columns else np.empty(0, dtype=dtype)


def to_polars(stream: object) -> polars.DataFrame:
    library = require("polars", feature="A polars table", extra="polars")
    table: polars.DataFrame = library.DataFrame(stream)
    return table


def to_arrow(stream: object) -> pyarrow.Table:
    library = require("pyarrow", feature="A pyarrow table", extra="parquet")
    table: pyarrow.Table = library.table(stream)
    return table


def arrow_stream(series: Iterable[ScalarSeries]) -> object:
    """A PyCapsule ``arrow_array_stream``; it keeps the columns alive for as long as the consumer does."""
    chosen = list(series)
    return _core.arrow_stream(
        [one.run for one in chosen],
        [one.tag for one in chosen],
        [one.step for one in chosen],
        [one.wall_time for one in chosen],
        [one.value for one in chosen],
    )
