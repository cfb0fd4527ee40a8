"""Tables, HTML, Plotly figures and confusion matrices: written, and read back by our reader."""

from __future__ import annotations

import datetime
import io
import json
import math
from collections import Counter, namedtuple
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import PIL.Image
import plotly.graph_objects
import polars
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sightline
from sightline.cli import main
from sightline.formats import tables
from sightline.model import BadArgumentError, Kind
from sightline.writer.kinds import table_columns
from sightline.writer.kinds.confusion import matrix_from_classes
from tests.writer.plugin_facts import array_of, values_by_tag

WANTED = [("a", 1), ("b", 2)]


@pytest.fixture
def writer(tmp_path: Path) -> Any:
    with sightline.SummaryWriter(tmp_path / "run", story=False) as writer:
        yield writer


def read(writer: Any, kind: Kind = Kind.table, tag: str = "t") -> Any:
    """What was written last, as our reader gives it."""
    writer.flush()
    with sightline.open(writer.log_dir, watch=False, cache=False).wait() as log:
        return log["."].media(kind)[tag][-1]


def table_of(writer: Any, data: Any, **options: Any) -> Any:
    writer.add_table("t", data, **options)
    return read(writer)


# -- where a table may come from

Row = namedtuple("Row", ["name", "count"])
ARRAY = np.array([("a", 1), ("b", 2)], dtype=[("name", "U1"), ("count", "i4")])
SOURCES = {
    "rows": [["a", 1], ("b", 2)],
    "named tuples": [Row("a", 1), Row("b", 2)],
    "generator": (row for row in [("a", 1), ("b", 2)]),
    "dicts": [{"name": "a", "count": 1}, {"name": "b", "count": 2}],
    "columns": {"name": ["a", "b"], "count": np.array([1, 2])},
    "structured": ARRAY,
    "record array": ARRAY.view(np.recarray),
    "pandas": pandas.DataFrame({"name": ["a", "b"], "count": [1, 2]}),
    "polars": polars.DataFrame({"name": ["a", "b"], "count": [1, 2]}),
    "pyarrow": pyarrow.table({"name": ["a", "b"], "count": [1, 2]}),
}


@pytest.mark.parametrize("source", SOURCES)
def test_a_table_comes_from_anything_that_holds_one(writer: Any, source: str) -> None:
    has_names = source not in ("rows", "generator")
    item = table_of(writer, SOURCES[source], columns=None if has_names else ["name", "count"], global_step=3)
    assert (item.columns, item.types, item.step) == (("name", "count"), ("text", "number"), 3)
    assert list(item.rows) == WANTED
    assert item.column("count") == [1, 2]
    assert isinstance(item.column("count")[0], int)


def test_rows_without_names_are_numbered(writer: Any) -> None:
    item = table_of(writer, np.eye(2))
    assert (item.columns, item.rows) == (("0", "1"), ((1.0, 0.0), (0.0, 1.0)))
    assert table_of(writer, [[1, 2, 3]]).columns == ("0", "1", "2")
    assert table_of(writer, [[5], [6]], columns=("x",)).rows == ((5,), (6,))


def test_columns_choose_and_order(writer: Any) -> None:
    for source in ("dicts", "columns", "pandas", "polars", "pyarrow", "structured"):
        item = table_of(writer, SOURCES[source], columns=["count"])
        assert (item.columns, item.rows) == (("count",), ((1,), (2,)))


def test_missing_keys_are_missing_cells(writer: Any) -> None:
    item = table_of(writer, [{"a": 1}, {"b": "x", "a": None}, {}])
    assert (item.columns, item.types) == (("a", "b"), ("number", "text"))
    assert item.rows == ((1, None), (None, "x"), (None, None))


def test_a_table_may_have_no_rows(writer: Any) -> None:
    assert table_of(writer, [], columns=["a"]).rows == ()
    item = table_of(writer, {"a": [], "b": []})
    assert (item.columns, item.rows) == (("a", "b"), ())


def test_frames_of_pandas_keep_their_index_when_it_says_something(writer: Any) -> None:
    frame = pandas.DataFrame({"x": [1.5, 2.5, 3.5]})
    assert table_of(writer, frame[frame.x > 2]).columns == ("x",)
    assert table_of(writer, frame.set_index(pandas.Index(list("abc"), name="key"))).rows[0] == ("a", 1.5)
    assert table_of(writer, frame.set_index(pandas.Index(list("abc")))).columns == ("index", "x")
    assert table_of(writer, frame.x).columns == ("x",)


def test_what_is_missing_in_a_frame_is_missing_in_the_table(writer: Any) -> None:
    frame = pandas.DataFrame(
        {
            "number": [1.5, np.nan],
            "text": ["a", None],
            "integer": pandas.array([1, None], dtype="Int64"),
            "time": pandas.to_datetime(["2026-01-02T03:04:05", None]),
            "flag": pandas.array([True, None], dtype="boolean"),
            "group": pandas.Categorical(["u", None]),
        }
    )
    item = table_of(writer, frame)
    assert item.types == ("number", "text", "number", "time", "bool", "text")
    assert item.rows[0] == (1.5, "a", 1, "2026-01-02T03:04:05", True, "u")
    assert math.isnan(item.rows[1][0])
    assert item.rows[1][1:] == (None,) * 5
    typed = polars.DataFrame(
        {"time": [datetime.datetime(2026, 1, 2), None], "x": [None, 1.5], "y": ["a", None]}
    )
    item = table_of(writer, typed)
    assert item.types == ("time", "number", "text")
    assert item.rows == (("2026-01-02T00:00:00", None, "a"), (None, 1.5, None))


# -- cells


class Size(str, Enum):
    small = "S"


@pytest.mark.parametrize(
    ("cell", "kind", "wanted"),
    [
        (1, "number", 1),
        (2**70, "number", 2**70),
        (np.int8(-3), "number", -3),
        (np.float32(0.5), "number", 0.5),
        (math.inf, "number", math.inf),
        (-math.inf, "number", -math.inf),
        (Decimal("0.1"), "text", "0.1"),
        (np.array(2.5), "number", 2.5),
        (True, "bool", True),
        (np.bool_(False), "bool", False),
        ("grün\0🙂", "text", "grün\0🙂"),
        ("NaN", "text", "NaN"),
        (Size.small, "text", "S"),
        (b"text", "text", "text"),
        (None, "any", None),
        (datetime.date(2026, 2, 3), "time", "2026-02-03"),
        (datetime.time(4, 5), "time", "04:05:00"),
        (
            datetime.datetime(2026, 2, 3, 4, 5, 6, 7, tzinfo=datetime.timezone.utc),
            "time",
            "2026-02-03T04:05:06.000007+00:00",
        ),
        (np.datetime64("2026-02-03T04:05"), "time", "2026-02-03T04:05"),
        (np.datetime64("NaT"), "any", None),
        (pandas.NA, "any", None),
        ([1, 2], "text", "[1, 2]"),
        (np.array([1, 2]), "text", "[1, 2]"),
        (np.zeros(2000), "text", "float64 array of shape [2000]"),
        (datetime.timedelta(minutes=1), "text", "0:01:00"),
        (Path("/x"), "text", "/x"),
    ],
)
def test_a_cell_of_every_type_comes_back(writer: Any, cell: Any, kind: str, wanted: Any) -> None:
    item = table_of(writer, [[cell]])
    assert item.types == (kind,)
    assert item.rows == ((wanted,),)
    assert type(item.rows[0][0]) is type(wanted)


def test_a_column_of_several_types_keeps_each_cell(writer: Any) -> None:
    cells = [1, "NaN", math.nan, math.inf, True, None, datetime.date(2026, 1, 1), np.zeros((2, 2))]
    item = table_of(writer, [[cell] for cell in cells])
    assert item.types == ("any",)
    found = item.column("0")
    assert found[:2] == [1, "NaN"]
    assert math.isnan(found[2])
    assert found[3:7] == [math.inf, True, None, "2026-01-01"]
    assert found[7].startswith(b"\x89PNG")


def test_the_json_is_standard_and_what_the_format_says(writer: Any, tmp_path: Path) -> None:
    writer.add_table("t", [[math.nan, "x", np.zeros((2, 2), dtype=np.uint8)], [1.5, None, None]])
    writer.flush()
    value = values_by_tag(tmp_path / "run")["t"]
    assert value.metadata.plugin_data.plugin_name == "sightline_table"
    text, image = array_of(value).tolist()
    assert json.loads(text, parse_constant=pytest.fail) == {
        "version": 1,
        "columns": [
            {"name": "0", "type": "number"},
            {"name": "1", "type": "text"},
            {"name": "2", "type": "image"},
        ],
        "rows": [["NaN", "x", {"image": 1}], [1.5, None, None]],
    }
    assert image.startswith(b"\x89PNG")


def pixels_of(data: bytes) -> Any:
    return np.asarray(PIL.Image.open(io.BytesIO(data)))


RGB = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)


@pytest.mark.parametrize(
    ("image", "wanted"),
    [
        (RGB, RGB),
        (
            RGB.transpose(2, 0, 1).reshape(3, 2, 3)[:, :, :2],
            RGB[:, :2],
        ),  # CHW; three columns would look like HWC
        (RGB[:, :, :1].astype(bool), np.where(RGB[:, :, :1], 255, 0).repeat(3, axis=2)),
        (RGB[:, :, 0], RGB[:, :, :1].repeat(3, axis=2)),
        (RGB / 255, RGB),
        (np.dstack([RGB, RGB[:, :, 0]]), np.dstack([RGB, RGB[:, :, 0]])),
        (PIL.Image.fromarray(RGB), RGB),
        (PIL.Image.fromarray(RGB[:, :, 0]), RGB[:, :, 0]),
        (PIL.Image.fromarray(RGB).convert("F"), None),
    ],
)
def test_an_image_becomes_png(writer: Any, image: Any, wanted: Any) -> None:
    (row,) = table_of(writer, [{"image": image}]).rows
    found = pixels_of(row[0])
    if wanted is not None:
        assert np.array_equal(found, wanted)


def test_encoded_images_stay_as_they_are(writer: Any) -> None:
    out = io.BytesIO()
    PIL.Image.fromarray(RGB).save(out, "JPEG")
    item = table_of(writer, [[out.getvalue()], [bytearray(out.getvalue())]])
    assert item.types == ("image",)
    assert item.column("0") == [out.getvalue()] * 2


def test_images_and_cells_are_those_of_the_time_of_the_call(writer: Any) -> None:
    pixels, rows = np.zeros((2, 2, 3), dtype=np.uint8), [[1]]
    image = PIL.Image.fromarray(pixels.copy())
    writer.add_table("t", [[pixels, image, rows[0]]])
    pixels[:] = 255
    image.paste((255, 255, 255), (0, 0, 2, 2))
    rows[0].append(2)
    (row,) = read(writer).rows
    assert pixels_of(row[0]).max() == pixels_of(row[1]).max() == 0
    assert row[2] == "[1]"


@pytest.mark.parametrize(
    ("data", "columns", "reason"),
    [
        ([[1, 2], [3]], None, "Row 1 of the table has 1 cells"),
        ([[1], 2], None, "Row 1 of the table is a int"),
        ([{"a": 1}, [2]], None, "Row 1 of the table is a list"),
        ([[1], {"a": 2}], None, "Row 1 of the table is a dict"),
        ([], None, "columns="),
        ([[1, 2]], ["a"], "1 columns are named"),
        ([[1, 2]], ["a", "a"], "Several columns"),
        ([{"a": 1}], ["b"], "no column 'b'"),
        ([[1]], "a", "list of names"),
        ({"a": [1], "b": [1, 2]}, None, "same length"),
        ({"a": 1}, None, "list of cells"),
        ({"a": "text"}, None, "list of cells"),
        (np.zeros(3), None, "shape"),
        (np.zeros((1, 2, 3)), None, "shape"),
        ("text", None, "A table is"),
        (7, None, "A table is"),
        ([[np.zeros((2, 5, 7))]], None, "Row 0 of column '0': An image"),
        ([[np.zeros((0, 3, 3))]], None, "no pixel"),
        ([[1]] * 5, None, "5 cells is too large"),
    ],
)
def test_what_is_no_table_is_refused_with_a_reason(
    writer: Any, data: Any, columns: Any, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_columns, "MAX_CELLS", 4)
    with pytest.raises(BadArgumentError, match=reason):
        writer.add_table("t", data, columns=columns)


def test_a_table_that_could_not_be_read_back_is_refused(writer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_JSON_VALUES", 20)
    writer.add_table("t", [["a,b,c"]])
    with pytest.raises(BadArgumentError, match="too large"):
        writer.add_table("t", [["," * 30]])


cells = st.none() | st.booleans() | st.integers() | st.floats() | st.text()


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(cells, cells), max_size=6))
def test_any_rows_come_back(rows: list[Any]) -> None:
    table, pictures = table_columns.table_from(rows, ["a", "b"])
    assert pictures == []
    found = tables.table_from_strings([tables.bytes_from_table(table)])
    assert repr(found.rows) == repr(tuple(rows).__class__(tuple(map(_as_utf8, row)) for row in rows))


def _as_utf8(cell: Any) -> Any:
    return cell.encode("utf-8", "backslashreplace").decode() if isinstance(cell, str) else cell


# -- HTML


def test_html_is_kept_as_it_is(writer: Any) -> None:
    class Shown:
        def _repr_html_(self) -> str:
            return "<b>shown</b>"

    page = "<!doctype html><script>alert('ü')</script>"
    for html, wanted in ((page, page), (page.encode(), page), (Shown(), "<b>shown</b>"), ("", "")):
        writer.add_html("page", html, 2, 3.5)
        item = read(writer, Kind.html, "page")
        assert (item.html, item.step, item.wall_time) == (wanted, 2, 3.5)


def test_what_is_no_html_is_refused(writer: Any) -> None:
    with pytest.raises(BadArgumentError, match="_repr_html_"):
        writer.add_html("page", 7)


# -- Plotly

FIGURE = {"data": [{"type": "scatter", "x": [1, 2], "y": [3.5, None]}], "layout": {"title": {"text": "ü"}}}


class PlotlyLike:
    def to_plotly_json(self) -> Any:
        return FIGURE


@pytest.mark.parametrize("figure", [FIGURE, json.dumps(FIGURE), json.dumps(FIGURE).encode(), PlotlyLike()])
def test_a_figure_comes_in_many_forms(writer: Any, figure: Any) -> None:
    writer.add_plotly("f", figure, 4)
    item = read(writer, Kind.plotly, "f")
    assert item.figure == FIGURE
    assert json.loads(item.json) == FIGURE


def test_a_figure_of_plotly_is_the_json_that_plotly_makes(writer: Any) -> None:
    figure = plotly.graph_objects.Figure(
        data=[plotly.graph_objects.Bar(x=np.array(["a", "b"]), y=np.array([1.5, np.nan]))]
    )
    writer.add_plotly("f", figure)
    assert read(writer, Kind.plotly, "f").figure == json.loads(figure.to_json())


def test_arrays_and_times_in_a_dict_become_json(writer: Any) -> None:
    trace = {"x": np.arange(2), "y": [np.float32(0.5), math.nan, -math.inf], "t": datetime.date(2026, 1, 2)}
    writer.add_plotly("f", {"data": [trace]})
    (found,) = read(writer, Kind.plotly, "f").figure["data"]
    assert found == {"x": [0, 1], "y": [0.5, None, None], "t": "2026-01-02"}


@pytest.mark.parametrize(
    "figure",
    [
        "{",
        "[]",
        "{}",
        '{"data": {}}',
        {"data": 3},
        {"data": [], "layout": []},
        {"data": [object()]},
        {"layout": {}},
        7,
        None,
        "[" * 100_000,
    ],
)
def test_what_is_no_figure_is_refused(writer: Any, figure: Any) -> None:
    with pytest.raises(BadArgumentError):
        writer.add_plotly("f", figure)


# -- confusion matrices


def counted_one_by_one(true: Any, predicted: Any, labels: Any) -> list[list[int]]:
    pairs = Counter(zip(true, predicted, strict=True))
    return [[pairs[i, j] for j in labels] for i in labels]


@settings(max_examples=100, deadline=None)
@given(
    st.data(), st.sampled_from([0, -3, 70_000, 10**12]), st.sampled_from(["list", "int16", "float32", "text"])
)
def test_counts_are_those_of_a_plain_count(data: Any, spread: int, form: str) -> None:
    numbers = st.integers(-5, 5).map(lambda number: number * max(1, spread) + min(0, spread))
    count = data.draw(st.integers(1, 30))
    true = data.draw(st.lists(numbers, min_size=count, max_size=count))
    predicted = data.draw(st.lists(numbers, min_size=count, max_size=count))
    labels = sorted({*true, *predicted})
    given_true: Any = true
    given_predicted: Any = predicted
    if form == "text":
        given_true, given_predicted = [f"c{n}" for n in true], [f"c{n}" for n in predicted]
        labels = sorted({*given_true, *given_predicted})
    elif form != "list" and spread <= 0:
        given_true, given_predicted = np.array(true, dtype=form), np.array(predicted, dtype=form)
    matrix = matrix_from_classes(given_true, given_predicted, None)
    assert matrix.labels == tuple(map(str, labels))
    wanted = (given_true, given_predicted) if form == "text" else (true, predicted)
    assert matrix.counts.tolist() == counted_one_by_one(*wanted, labels)
    reversed_matrix = matrix_from_classes(given_true, given_predicted, labels[::-1])
    assert reversed_matrix.counts.tolist() == [row[::-1] for row in matrix.counts.tolist()[::-1]]


def test_a_matrix_comes_back(writer: Any) -> None:
    writer.add_confusion_matrix("c", [[3, 1], [0, 2]], 5, 6.5, labels=["cat", "dog"])
    item = read(writer, Kind.confusion_matrix, "c")
    assert (item.labels, item.step, item.wall_time) == (("cat", "dog"), 5, 6.5)
    assert item.counts.tolist() == [[3, 1], [0, 2]]
    assert item.counts.dtype == np.int64
    assert not item.counts.flags.writeable
    writer.add_confusion_matrix("c", np.array([[0.25, 0.75], [1, 0]]))
    item = read(writer, Kind.confusion_matrix, "c")
    assert (item.labels, item.counts.tolist()) == (("0", "1"), [[0.25, 0.75], [1, 0]])


def test_rows_are_the_true_classes_and_labels_may_be_names(writer: Any) -> None:
    writer.add_confusion_matrix("c", y_true=[0, 0, 2], y_pred=[1, 0, 2], labels=["a", "b", "c"])
    item = read(writer, Kind.confusion_matrix, "c")
    assert item.labels == ("a", "b", "c")
    assert item.counts.tolist() == [[1, 1, 0], [0, 0, 0], [0, 0, 1]]


@pytest.mark.parametrize(
    ("arguments", "labels", "counts"),
    [
        ({"y_true": [True, False], "y_pred": [True, True]}, ("False", "True"), [[0, 1], [0, 1]]),
        ({"y_true": [1, 0], "y_pred": [True, True]}, ("0", "1"), [[0, 1], [0, 1]]),
        ({"y_true": [[1], [0]], "y_pred": [1, 0]}, ("0", "1"), [[1, 0], [0, 1]]),
        ({"y_true": np.array(["b", "a"], dtype=object), "y_pred": ["a", "a"]}, ("a", "b"), [[1, 0], [1, 0]]),
        ({"y_true": np.array([b"x"]), "y_pred": np.array([b"x"])}, ("x",), [[1]]),
        ({"y_true": [], "y_pred": [], "labels": [1, 2]}, ("1", "2"), [[0, 0], [0, 0]]),
        ({"y_true": [5, 3], "y_pred": [5, 5], "labels": [5, 3]}, ("5", "3"), [[1, 0], [1, 0]]),
        ({"y_true": np.array([7], dtype=np.uint64), "y_pred": np.array([-7])}, ("-7", "7"), [[0, 0], [1, 0]]),
        (
            {"y_true": np.array([2**63 - 1]), "y_pred": [-(2**63)]},
            (str(-(2**63)), str(2**63 - 1)),
            [[0, 0], [1, 0]],
        ),
        ({"y_true": [2**63 - 1], "y_pred": [2**63 - 1]}, (str(2**63 - 1),), [[1]]),
        ({"y_true": [-(2**63)], "y_pred": [-(2**63)]}, (str(-(2**63)),), [[1]]),
        ({"matrix": [[True, False], [False, True]]}, ("0", "1"), [[1, 0], [0, 1]]),
        ({"matrix": np.zeros((0, 0))}, (), []),
    ],
)
def test_classes_may_be_bools_numbers_and_texts(
    writer: Any, arguments: Any, labels: Any, counts: Any
) -> None:
    writer.add_confusion_matrix("c", **arguments)
    item = read(writer, Kind.confusion_matrix, "c")
    assert item.labels == labels
    assert item.counts.tolist() == counts


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "either"),
        ({"y_true": [1]}, "both"),
        ({"matrix": [[1]], "y_true": [1], "y_pred": [1]}, "either"),
        ({"matrix": [[1, 2]]}, "square"),
        ({"matrix": [[np.nan]]}, "finite"),
        ({"matrix": [[-1]]}, "from 0"),
        ({"matrix": [["a"]]}, "numbers"),
        ({"matrix": [[1]], "labels": ["a", "b"]}, "2 labels"),
        ({"matrix": [[1]], "labels": "a"}, "list"),
        ({"matrix": np.zeros((2001, 2001))}, "at most 2,000"),
        ({"y_true": [1, 2], "y_pred": [1]}, "one class for each"),
        ({"y_true": [], "y_pred": []}, "empty"),
        ({"y_true": [1.5], "y_pred": [1]}, "not whole"),
        ({"y_true": [np.nan], "y_pred": [1]}, "not whole"),
        ({"y_true": [np.inf], "y_pred": [1]}, "too large"),
        ({"y_true": np.array([2**63], dtype=np.uint64), "y_pred": [1]}, "too large"),
        ({"y_true": ["a"], "y_pred": [1]}, "both"),
        ({"y_true": [1], "y_pred": [[0.1, 0.9]]}, "argmax"),
        ({"y_true": [0, 7], "y_pred": [0, 1], "labels": ["a", "b"]}, "y_true has 1 classes .* such as 7"),
        ({"y_true": ["a"], "y_pred": ["z"], "labels": ["a", "b"]}, "such as 'z'"),
        ({"y_true": [0], "y_pred": [0], "labels": []}, "no labels"),
        ({"y_true": [0], "y_pred": [0], "labels": [0, 0]}, "differ"),
        ({"y_true": np.arange(3000), "y_pred": np.arange(3000)}, "at most 2,000"),
        ({"y_true": [1j], "y_pred": [1]}, "whole numbers"),
    ],
)
def test_what_is_no_confusion_matrix_is_refused(writer: Any, arguments: Any, reason: str) -> None:
    with pytest.raises(BadArgumentError, match=reason):
        writer.add_confusion_matrix("c", **arguments)


# -- all of them


def add_all(writer: Any) -> None:
    writer.add_table("table", [[1, "x", np.zeros((2, 2))]], 1)
    writer.add_html("html", "<p>", 1)
    writer.add_plotly("plotly", FIGURE, 1)
    writer.add_confusion_matrix("matrix", [[1]], 1)
    writer.add_scalar("loss", 0.5, 1)


def test_a_log_offers_each_kind_and_inspect_lists_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with sightline.SummaryWriter(tmp_path / "a", story=False) as writer:
        add_all(writer)
    with sightline.open(tmp_path, watch=False).wait() as log:
        run = log["a"]
        assert run.tables["table"][0].rows[0][:2] == (1, "x")
        assert run.html["html"][0].html == "<p>"
        assert run.plotly["plotly"].at_step(1).figure == FIGURE
        assert run.confusion_matrices["matrix"][0].labels == ("0",)
        assert list(run.tensors) == []
    assert main(["inspect", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    for kind in ("table", "html", "plotly", "confusion_matrix"):
        assert kind in shown


def test_tensorboard_is_not_disturbed_by_kinds_it_does_not_know(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    with sightline.SummaryWriter(tmp_path, story=False) as writer:
        add_all(writer)
        writer.add_text("note", "hello", 1)
    accumulator = EventAccumulator(str(tmp_path))
    accumulator.Reload()
    tags = accumulator.Tags()
    assert set(tags["tensors"]) == {"table", "html", "plotly", "matrix", "note/text_summary"}
    assert [event.value for event in accumulator.Scalars("loss")] == [0.5]
    assert accumulator.Tensors("html")[0].tensor_proto.string_val[0] == b"<p>"
    plugins = {accumulator.SummaryMetadata(tag).plugin_data.plugin_name for tag in tags["tensors"]}
    assert plugins == {
        "text",
        *(f"sightline_{kind}" for kind in ("table", "html", "plotly", "confusion_matrix")),
    }


def test_no_library_is_imported_for_the_sake_of_a_plain_table(tmp_path: Path) -> None:
    import subprocess
    import sys

    program = (
        "import sys, sightline\n"
        f"with sightline.SummaryWriter({str(tmp_path)!r}, story=False) as writer:\n"
        "    writer.add_table('t', [{'a': 1}]); writer.add_plotly('p', {'data': []})\n"
        "    writer.add_confusion_matrix('c', [[1]]); writer.add_html('h', '')\n"
        "    writer.add_hparams({'a': 1}, {})\n"
        "print(sorted({'pandas', 'polars', 'pyarrow', 'plotly', 'torch', 'PIL'} & set(sys.modules)))\n"
    )
    shown = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert shown == "[]\n"
