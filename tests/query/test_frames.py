"""Selections as pandas, polars and Arrow tables."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sightline.model.errors import MissingExtraError
from sightline.query.selection import Selection
from tests.event_logs import points, read, write_restarted_run, write_run

COLUMNS = ["run", "tag", "step", "wall_time", "value"]


@pytest.fixture
def selection(tmp_path: Path) -> Selection:
    write_run(tmp_path / "a", points(range(3), tag="loss"), points([7], tag="acc", factor=math.nan))
    write_restarted_run(tmp_path / "b")
    return Selection(read(tmp_path).runs)


def expected_rows(selection: Selection) -> list[tuple[str, str, int, float, float]]:
    return [
        (series.run, series.tag, int(step), float(time), float(value))
        for series in selection
        for step, time, value in zip(series.step, series.wall_time, series.value, strict=True)
    ]


def assert_rows_equal(found: list[tuple[Any, ...]], wanted: list[tuple[Any, ...]]) -> None:
    np.testing.assert_equal([tuple(row) for row in found], wanted)  # NaN equals NaN here


def test_pandas_gets_one_row_per_point_and_categories(selection: Selection) -> None:
    table = selection.to_pandas()
    assert list(table.columns) == COLUMNS
    assert isinstance(table["run"].dtype, pd.CategoricalDtype)
    assert list(table["tag"].cat.categories) == ["loss", "acc"]
    assert [str(table[column].dtype) for column in COLUMNS[2:]] == ["int64", "float64", "float64"]
    assert_rows_equal(list(table.itertuples(index=False, name=None)), expected_rows(selection))


def test_polars_gets_the_same_rows(selection: Selection) -> None:
    table = selection.to_polars()
    assert table.columns == COLUMNS
    assert table.schema["step"] == pl.Int64
    assert table.schema["value"] == pl.Float64
    assert_rows_equal(table.rows(), expected_rows(selection))


def test_arrow_gets_the_same_rows_with_names_as_dictionaries(selection: Selection) -> None:
    table = selection.to_arrow()
    assert table.column_names == COLUMNS
    assert pa.types.is_dictionary(table.schema.field("run").type)
    rows = [tuple(row.values()) for row in table.to_pylist()]
    assert_rows_equal(rows, expected_rows(selection))


def test_any_arrow_library_takes_a_selection_itself(selection: Selection) -> None:
    table = pa.table(selection)
    assert len(table) == len(expected_rows(selection))
    assert pa.RecordBatchReader.from_stream(selection).schema == table.schema


def test_arrow_columns_are_the_memory_of_the_series(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(1000)))
    selection = Selection(read(tmp_path).runs)
    (series,) = selection
    batch = next(iter(pa.RecordBatchReader.from_stream(selection)))
    values = batch.column("value").to_numpy(zero_copy_only=True)
    assert np.shares_memory(values, series.value)


def test_an_arrow_table_outlives_the_log(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(1000)))
    table = Selection(read(tmp_path).runs).to_arrow()
    assert table.column("value").to_pylist() == list(range(1000))


@pytest.mark.parametrize("convert", [Selection.to_pandas, Selection.to_polars, Selection.to_arrow])
def test_an_empty_selection_is_an_empty_table_with_all_columns(convert: Callable[[Selection], Any]) -> None:
    table = convert(Selection(list))
    assert len(table) == 0
    assert list(getattr(table, "column_names", None) or table.columns) == COLUMNS


@pytest.mark.parametrize(
    ("module", "convert", "extra"),
    [
        ("pandas", Selection.to_pandas, "pandas"),
        ("polars", Selection.to_polars, "polars"),
        ("pyarrow", Selection.to_arrow, "parquet"),
    ],
)
def test_a_missing_library_is_named_with_the_line_that_installs_it(
    module: str, convert: Callable[[Selection], Any], extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=rf'pip install "sightline\[{extra}\]"'):
        convert(Selection(list))
