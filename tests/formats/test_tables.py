"""The JSON of our own kinds: written and read, and what is wrong with it said and never more than bounded."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.formats import tables
from sightline.formats.tables import (
    ColumnType,
    ConfusionMatrix,
    ImageCell,
    Table,
    bytes_from_confusion_matrix,
    bytes_from_json,
    bytes_from_table,
    confusion_matrix_from_bytes,
    figure_from_bytes,
    json_from_bytes,
    table_from_strings,
)
from sightline.model import BadArgumentError, DamagedValueError


def table_json(**changes: Any) -> bytes:
    table = {"version": 1, "columns": [{"name": "a", "type": "any"}], "rows": [[1]], **changes}
    return json.dumps({name: value for name, value in table.items() if value is not None}).encode()


def test_a_table_comes_back_with_images_by_position() -> None:
    types = (ColumnType.number, ColumnType.any, ColumnType.image)
    written = Table(
        ("x", "y", "z"), types, ((math.inf, math.nan, ImageCell(2)), (1, "NaN", ImageCell(1)), (None,) * 3)
    )
    data = bytes_from_table(written)
    assert json.loads(data)["rows"][0] == ["Infinity", {"number": "NaN"}, {"image": 2}]
    names, kinds, rows = table_from_strings([data, b"first", b"second"])
    assert (names, kinds) == (written.names, types)
    assert (rows[0][0], rows[0][2]) == (math.inf, b"second")
    assert math.isnan(rows[0][1])
    assert rows[1:] == ((1, "NaN", b"first"), (None, None, None))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[NaN]", "not JSON"),
        (b"1" * 10_000, "not JSON"),
        (b"[" * 1_000_000, "nested too deep"),
        (b"[]", "object"),
        (table_json(version=None), "version"),
        (table_json(version=True), "version"),
        (table_json(version=0), "version"),
        (table_json(version=2), "version 2"),
        (table_json(columns=None), '"columns"'),
        (table_json(columns={}), '"columns"'),
        (table_json(columns=[1]), "no name"),
        (table_json(columns=[{"name": "a", "type": "any"}] * 2, rows=[]), "same name"),
        (table_json(columns=[{"name": 1}]), "no name"),
        (table_json(columns=[{"name": "a"}]), "type"),
        (table_json(columns=[{"name": "a", "type": ["any"]}]), "type"),
        (table_json(columns=[{"name": "a\n" * 1000, "type": "colour"}]), "type"),
        (table_json(rows=None), '"rows"'),
        (table_json(rows=[1]), "row 0"),
        (table_json(rows=[[1], [1, 2]]), "row 1"),
        (table_json(rows=[[[1]]]), "a list"),
        (table_json(rows=[[{}]]), "an object"),
        (table_json(rows=[[{"image": 1, "x": 2}]]), "an object"),
        (table_json(rows=[[{"image": 0}]]), "not there"),
        (table_json(rows=[[{"image": 2}]]), "not there"),
        (table_json(rows=[[{"image": -1}]]), "not there"),
        (table_json(rows=[[{"image": True}]]), "not there"),
        (table_json(rows=[[{"image": "1\n" * 1000}]]), "not there"),
        (table_json(rows=[[{"number": "nan\n"}]]), "number"),
        (table_json(rows=[[{"number": [1]}]]), "number"),
    ],
)
def test_a_table_that_is_none_is_called_damaged(data: bytes, reason: str) -> None:
    with pytest.raises(DamagedValueError, match=reason) as caught:
        table_from_strings([data, b"image"])
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("number", [1, 1.5, "NaN", "-Infinity", None], [True, "x", {"number": "NaN"}, {"image": 1}, []]),
        ("bool", [True, False, None], [1, "true", {"image": 1}]),
        ("text", ["", "NaN", None], [1, True, {"number": "NaN"}]),
        ("time", ["2026-01-01", None], [1, False]),
        ("image", [{"image": 1}, None], ["x", 1, True, {"number": "NaN"}]),
        ("any", [1, True, "x", {"image": 1}, {"number": "NaN"}, None], [[], {}, {"text": "x"}]),
    ],
)
def test_each_type_of_column_has_its_cells(kind: str, good: list[Any], bad: list[Any]) -> None:
    columns = [{"name": "a", "type": kind}]
    for cell in good:
        table_from_strings([table_json(columns=columns, rows=[[cell]]), b"image"])
    for cell in bad:
        with pytest.raises(DamagedValueError):
            table_from_strings([table_json(columns=columns, rows=[[cell]]), b"image"])


@pytest.mark.parametrize(
    "data", [b"[" + b"[]," * 200 + b"1]", b"[" + b"{}," * 200 + b"1]", b"[" + b"1," * 300 + b"1]"]
)
def test_json_of_too_many_values_is_not_even_parsed(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_JSON_VALUES", 300)
    monkeypatch.setattr("msgspec.json.decode", None)
    with pytest.raises(DamagedValueError, match="values"):
        json_from_bytes(data)


def test_values_are_counted_across_all_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_COUNTED_BYTES", 7)
    monkeypatch.setattr(tables, "MAX_JSON_VALUES", 101)
    data = b"[" + b"1," * 100 + b"1]"
    assert len(json_from_bytes(data)) == 101
    monkeypatch.setattr(tables, "MAX_JSON_VALUES", 100)
    with pytest.raises(DamagedValueError, match="about 101 values"):
        json_from_bytes(data)


@pytest.mark.parametrize(("rows", "is_one_at_a_time"), [(10, False), (200, True)])
def test_what_is_large_in_memory_is_parsed_one_at_a_time(
    rows: int, is_one_at_a_time: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the number of its values: few bytes of JSON make many objects."""
    monkeypatch.setattr(tables, "_LARGE_BYTES", 100 * tables._VALUE_BYTES)
    seen = []

    def decode(data: bytes) -> Any:
        seen.append(tables._parsing_large.locked())
        return json.loads(data)

    monkeypatch.setattr("msgspec.json.decode", decode)
    assert len(json_from_bytes(b"[" + b"1," * rows + b"1]")) == rows + 1
    assert seen == [is_one_at_a_time]


def test_a_tensor_without_strings_is_no_table() -> None:
    with pytest.raises(DamagedValueError, match="there is none"):
        table_from_strings([])


def test_json_of_too_many_bytes_is_not_even_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_JSON_BYTES", 100)
    with pytest.raises(DamagedValueError, match="bytes"):
        json_from_bytes(b'"' + b"x" * 100 + b'"')
    with pytest.raises(BadArgumentError, match="too large"):
        bytes_from_json("x" * 100, "It")


@pytest.mark.parametrize("value", [math.nan, {"a": object()}, {(1, 2): 3}])
def test_what_json_cannot_hold_is_not_written(value: Any) -> None:
    with pytest.raises(BadArgumentError, match="JSON"):
        bytes_from_json(value, "It")


@pytest.mark.parametrize(
    "data", [b"{}", b"[]", b'{"data":1}', b'{"data":[],"layout":[]}', b'{"data":[]', b'{"data":[NaN]}']
)
def test_a_figure_without_data_is_called_damaged(data: bytes) -> None:
    with pytest.raises(DamagedValueError):
        figure_from_bytes(data)


def test_a_matrix_comes_back_as_whole_numbers_or_not() -> None:
    for counts in ([[1, 2], [3, 4]], [[0.5, 0], [0, 1]], [[2**62, 0], [0, 0]]):
        matrix = confusion_matrix_from_bytes(
            bytes_from_confusion_matrix(ConfusionMatrix(("a", "b"), np.array(counts)))
        )
        assert matrix.labels == ("a", "b")
        assert matrix.counts.tolist() == counts
        assert matrix.counts.dtype == np.array(counts).dtype
    empty = confusion_matrix_from_bytes(b'{"version":1,"labels":[],"counts":[]}')
    assert empty.counts.shape == (0, 0)


@pytest.mark.parametrize(
    ("labels", "counts"),
    [
        (["a"], []),
        (["a"], [[1, 2]]),
        (["a"], [1]),
        (["a"], {"a": 1}),
        ("a", [[1]]),
        ([1], [[1]]),
        (["a"], [["1"]]),
        (["a"], [[True]]),
        (["a"], [[None]]),
        (["a"], [[[1]]]),
        (["a"], [[10**30]]),
        (["a"], [[-1]]),
        (["a", "b"], [[10**400, 0.5], [1, 1]]),
        (["a"] * 2001, []),
    ],
)
def test_a_matrix_that_is_none_is_called_damaged(labels: Any, counts: Any) -> None:
    with pytest.raises(DamagedValueError):
        confusion_matrix_from_bytes(json.dumps({"version": 1, "labels": labels, "counts": counts}).encode())


def test_a_count_beyond_all_numbers_is_called_damaged() -> None:
    with pytest.raises(DamagedValueError):
        confusion_matrix_from_bytes(b'{"version":1,"labels":["a"],"counts":[[1e999]]}')


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda children: (
        st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=5), children, max_size=3)
    ),
    max_leaves=10,
)


@settings(deadline=None, max_examples=200)
@given(
    st.fixed_dictionaries(
        {"version": st.just(1) | json_values},
        optional=dict.fromkeys(("columns", "rows", "labels", "counts", "data", "layout"), json_values),
    )
)
def test_whatever_the_json_is_nothing_but_a_damaged_value_comes_out(value: Any) -> None:
    data = json.dumps(value).encode()
    for decode in (
        lambda: table_from_strings([data]),
        lambda: figure_from_bytes(data),
        lambda: confusion_matrix_from_bytes(data),
    ):
        try:
            decode()
        except DamagedValueError as error:
            assert str(error).isprintable()  # noqa: PT017  # also the message must be fit for one line
