"""The Tables routes: rows searched, filtered and sorted as NumPy and pandas would, CSV that spreadsheets and
programs take, pictures in cells and matrices."""

from __future__ import annotations

import csv
import io
import json
import math
import tracemalloc
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from PIL import Image

from sightline import SummaryWriter
from sightline.dashboards.tables import cells as cells_of_tables
from sightline.dashboards.tables import rows, values
from sightline.dashboards.tables.cells import shown_text_of, sorted_rows, text_of, text_test
from sightline.dashboards.tables.recent import Recent
from sightline.dashboards.tables.schemas import TableFilter, TableView
from sightline.formats import tables as table_format
from sightline.formats.items import TableItem
from sightline.formats.tensors import tensor_from_array
from sightline.log import open_log
from sightline.query.spreadsheets import safe_text
from tests.server.clients import InProcess, client_for

RNG = np.random.default_rng(6)
COUNT = 500
SCORES: list[float | None] = [
    None if i % 17 == 0 else math.nan if i % 13 == 0 else float(RNG.integers(0, 40)) / 4 for i in range(COUNT)
]
NAMES = [f"Sample {i % 37}" if i % 3 else f"sample {i % 37}" for i in range(COUNT)]


def png(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), (200, 30, 30)).save(out, "PNG")
    return out.getvalue()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> InProcess:
    directory = tmp_path_factory.mktemp("log")
    with SummaryWriter(directory / "run one") as writer:
        writer.add_table("scores", {"name": NAMES, "score": SCORES, "number": list(range(COUNT))}, 3)
        writer.add_table(
            "odd",
            [
                [1, "=HYPERLINK(0)", True, 2**60],
                [math.inf, "-5", False, 1],
                ["text", 'a "b", c\nd', None, 2],
                [None, "@x", True, 3],
            ],
            columns=["any", "text", "bool", "=big"],
        )
        writer.add_table("pictures", [[i, Image.new("L", (600 + i, 300), i)] for i in range(3)], 1)
        writer.add_table("long", [["x" * 5_000, "short"]])
        writer.add_table("wide", [list(range(1_500))])
        writer.add_confusion_matrix("matrix", [[8, 2], [1, 9]], labels=["cat", "dog"])
    client = client_for(open_log(directory, watch=False, cache=False).wait())
    assert client.api("runs")["id"] == [0]
    return client


STEPS = {"scores": 3, "pictures": 1}


def address(tag: str) -> dict[str, Any]:
    return {"run": 0, "tag": tag, "index": 0, "step": STEPS.get(tag, 0)}


def ask_rows(client: InProcess, tag: str, **more: Any) -> dict[str, Any]:
    answer = client.post("/api/v1/tables/rows", json={**address(tag), **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def get(client: InProcess, route: str, tag: str, **more: Any) -> httpx.Response:
    return client.get(f"/api/v1/tables/{route}", params={**address(tag), **more})


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("is_descending", [False, True])
def test_sorting_is_that_of_pandas(client: InProcess, is_descending: bool) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"score": [math.nan if one is None else one for one in SCORES]})
    expected = frame.sort_values("score", ascending=not is_descending, kind="stable", na_position="last")
    answer = ask_rows(client, "scores", sort_by=1, is_descending=is_descending, limit=1000)
    assert answer["row_numbers"] == expected.index.tolist()
    assert answer["matching_rows"] == answer["total_rows"] == COUNT


def test_sorting_numbers_is_that_of_numpy() -> None:
    cells = RNG.normal(size=300).round(1).tolist()
    assert sorted_rows(cells, range(300), is_descending=False) == np.argsort(cells, kind="stable").tolist()


@pytest.mark.parametrize("is_descending", [False, True])
def test_sorting_in_pieces_is_sorting_at_once(monkeypatch: pytest.MonkeyPatch, is_descending: bool) -> None:
    monkeypatch.setattr(cells_of_tables, "PIECE_ROWS", 7)
    numbers = RNG.integers(0, 20, 100).tolist()
    for cells in ([f"text {number:02}" for number in numbers], numbers):
        expected = sorted(range(100), key=lambda row: cells[row], reverse=is_descending)
        assert sorted_rows(cells, range(100), is_descending=is_descending) == expected


def test_an_order_packed_in_pieces_is_whole(client: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "PIECE_ROWS", 7)
    monkeypatch.setattr(rows, "_RECENT_ORDERS", Recent(max_cost=1, max_count=8, keep_s=60))
    answer = ask_rows(client, "scores", sort_by=2, is_descending=True, limit=1000)
    assert answer["row_numbers"] == list(range(COUNT))[::-1]


def test_whole_numbers_beyond_doubles_are_told_apart() -> None:
    assert sorted_rows([2**60 + 1, 2**60, float(2**60)], range(3), is_descending=False) == [1, 2, 0]


def test_texts_are_sorted_without_regard_to_case_first() -> None:
    assert sorted_rows(["b", "A", "a", "B"], range(4), is_descending=False) == [1, 2, 3, 0]


def test_a_mixed_column_has_an_order(client: InProcess) -> None:
    answer = ask_rows(client, "odd", sort_by=0)
    assert [row[0] for row in answer["rows"]] == [1, "Infinity", "text", None]
    answer = ask_rows(client, "odd", sort_by=0, is_descending=True)
    assert [row[0] for row in answer["rows"]] == ["text", "Infinity", 1, None]


def test_filters_and_search_leave_what_numpy_leaves(client: InProcess) -> None:
    score = np.array([math.nan if one is None else one for one in SCORES])
    has_name = np.array(["sample 1" in name.lower() for name in NAMES])
    expected = np.flatnonzero((score >= 2.5) & (score <= 7) & has_name)
    answer = ask_rows(
        client,
        "scores",
        filters=[{"column": 1, "least": 2.5, "greatest": 7}, {"column": 0, "text": "SAMPLE 1"}],
        limit=1000,
    )
    assert answer["row_numbers"] == expected.tolist()
    assert len(expected) > 5
    found = ask_rows(client, "scores", text="499")
    assert found["row_numbers"] == [499]
    assert found["matching_rows"] == 1


NUMBERS = json.loads((Path(__file__).parents[1] / "fixtures/table_numbers.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", NUMBERS, ids=lambda case: str(case["text"]))
def test_numbers_are_found_as_they_are_shown_and_as_they_are_copied(case: dict[str, Any]) -> None:
    """grid-window.test.ts has the same numbers from JavaScript."""
    number = float(case["number"])
    assert text_of(number) == case["text"]
    for text in (case["text"], case["shown"], case["shown"].upper()):
        assert text_test(text)(number), text
    assert number.is_integer() or shown_text_of(number) == case["shown"]
    assert float(case["text"]) == number


PLACE: dict[str, Any] = {"step": 0, "wall_time": 0.0, "tag": "t"}


def test_search_and_filters_find_numbers_by_what_is_shown() -> None:
    table = TableItem(
        **PLACE,
        columns=("lr", "any"),
        types=("number", "any"),
        rows=((3e-5, 0.123456789), (1e-4, "3e-5"), (3.0, None)),
    )

    def found(**view: Any) -> list[int]:
        return list(rows._computed_order(table, TableView(run=0, tag="t", index=0, step=0, **view)))

    assert found(text="3e-5") == [0, 1]
    assert found(text="0.00003") == [0]
    assert found(text="0.123457") == found(text="0.123456789") == [0]
    assert found(text="3e-05") == []
    assert found(filters=[TableFilter(column=1, text="0.123457")]) == [0]


def test_a_value_costs_what_it_takes_in_memory() -> None:
    """By the standard library's account."""
    count = 5_000
    for cells, kind in (
        ("1", "number"),
        ("0.12345", "number"),
        ('"\u0100b"', "text"),
        ('"%s"' % ("x" * 90), "text"),
    ):
        columns = json.dumps([{"name": name, "type": kind} for name in "abc"])
        json_rows = ",".join([f"[{cells},{cells},{cells}]"] * count)
        data = f'{{"version":1,"columns":{columns},"rows":[{json_rows}]}}'.encode()
        tracemalloc.start()
        try:
            table = table_format.table_from_strings([data])
            taken, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        item = TableItem(**PLACE, columns=table.names, types=table.types, rows=table.rows)
        assert 0.6 < values.bytes_in_memory(item) / taken < 4, cells


def test_pages_put_together_are_the_whole(client: InProcess) -> None:
    whole = ask_rows(client, "scores", sort_by=0, limit=1000)["row_numbers"]
    parts = [
        ask_rows(client, "scores", sort_by=0, offset=at, limit=60)["row_numbers"] for at in range(0, 540, 60)
    ]
    assert [number for part in parts for number in part] == whole
    assert ask_rows(client, "scores", offset=10**9)["rows"] == []


def test_cells_that_json_or_browsers_cannot_hold_are_text(client: InProcess) -> None:
    answer = ask_rows(client, "odd")
    assert [row[3] for row in answer["rows"]] == [str(2**60), 1, 2, 3]
    assert [row[2] for row in answer["rows"]] == [True, False, None, True]
    assert ask_rows(client, "scores", filters=[{"column": 1, "text": "nan"}])["rows"][0][1] == "NaN"


def test_long_texts_are_cut_and_there_whole_when_asked_for(client: InProcess) -> None:
    answer = ask_rows(client, "long")
    assert len(answer["rows"][0][0]) == rows.MAX_CELL_CHARS
    assert answer["long_cells"] == [{"row": 0, "column": 0, "chars": 5_000}]
    assert get(client, "cell", "long", row=0, column=0).text == "x" * 5_000


def test_of_very_many_columns_the_first_come(client: InProcess) -> None:
    answer = ask_rows(client, "wide")
    assert answer["rows"][0] == list(range(1_000))
    assert (len(answer["columns"]), answer["total_columns"]) == (1_000, 1_500)


@pytest.mark.parametrize("more", [{"sort_by": 3}, {"filters": [{"column": 7, "text": "x"}]}])
def test_a_column_that_is_not_there_is_said(client: InProcess, more: dict[str, Any]) -> None:
    answer = client.post("/api/v1/tables/rows", json={**address("scores"), **more})
    assert answer.status_code == 422
    assert "3 columns" in answer.json()["error"]


def test_what_is_not_there_is_not_found(client: InProcess) -> None:
    for wrong in ({"run": 9}, {"tag": "nothing"}, {"step": 77}):
        assert client.post("/api/v1/tables/rows", json={**address("scores"), **wrong}).status_code == 404
    assert get(client, "image", "scores", row=0, column=0).status_code == 404
    assert get(client, "cell", "scores", row=COUNT, column=0).status_code == 404
    wrong_start = {**address("scores"), "server_id": "other"}
    assert client.post("/api/v1/tables/rows", json=wrong_start).status_code == 409


def test_scrolling_reads_a_table_once(client: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "_RECENT", Recent(max_cost=1, max_count=8, keep_s=60))
    monkeypatch.setattr(rows, "_RECENT_ORDERS", Recent(max_cost=1, max_count=8, keep_s=60))
    counts = {"reads": 0, "sorts": 0}
    read = table_format.table_from_strings

    def count_reads(strings: Any) -> Any:
        counts["reads"] += 1
        return read(strings)

    def count_sorts(*given: Any, **more: Any) -> Any:
        counts["sorts"] += 1
        return sorted_rows(*given, **more)

    monkeypatch.setattr("sightline.formats.values.table_from_strings", count_reads)
    monkeypatch.setattr(rows, "sorted_rows", count_sorts)
    for offset in range(0, 500, 100):
        ask_rows(client, "scores", sort_by=1, offset=offset)
    assert counts == {"reads": 1, "sorts": 1}


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────


def test_csv_holds_the_whole_table(client: InProcess) -> None:
    answer = get(client, "export", "scores")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="run_one_scores_step_3.csv"'
    lines = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    assert [line["name"] for line in lines] == NAMES
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(io.StringIO(answer.text))
    expected = np.array([math.nan if one is None else one for one in SCORES])
    np.testing.assert_array_equal(frame["score"].to_numpy(), expected)


def test_csv_of_a_view_has_its_rows_in_its_order(client: InProcess) -> None:
    view = {"sort_by": 1, "is_descending": True, "text": "sample 3"}
    shown = ask_rows(client, "scores", **view, limit=1000)["row_numbers"]
    answer = client.post("/api/v1/tables/export", json={**address("scores"), **view})
    lines = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    assert [int(line["number"]) for line in lines] == shown


def test_csv_gives_spreadsheets_no_formulas_unless_asked(client: InProcess) -> None:
    lines = list(csv.reader(io.StringIO(get(client, "export", "odd").text, newline="")))
    assert lines == [
        ["any", "text", "bool", "'=big"],
        ["1", "'=HYPERLINK(0)", "true", str(2**60)],
        ["Infinity", "-5", "false", "1"],
        ["text", 'a "b", c\nd', "", "2"],
        ["", "'@x", "true", "3"],
    ]
    exact = list(csv.reader(io.StringIO(get(client, "export", "odd", is_exact=True).text, newline="")))
    assert exact[0][3] == "=big"
    assert exact[1][1] == "=HYPERLINK(0)"


@pytest.mark.parametrize("text", ["=1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\r=1", "-", "+1a"])
def test_texts_that_spreadsheets_would_run_are_marked(text: str) -> None:
    assert safe_text(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-1", "+2.5e-3", "-.5", "a=1", "", " =1"])
def test_numbers_and_plain_texts_stay(text: str) -> None:
    assert safe_text(text) == text


def test_images_are_names_in_csv(client: InProcess) -> None:
    lines = list(csv.reader(io.StringIO(get(client, "export", "pictures").text, newline="")))
    assert lines[2] == ["1", "row-1-column-1.png"]


@pytest.mark.parametrize(
    ("route", "tag", "more"),
    [
        ("export", "scores", {}),
        ("image", "pictures", {"row": 0, "column": 1}),
        ("image", "pictures", {"row": 0, "column": 1, "size": 128}),
        ("image", "pictures", {"row": 0, "column": 1, "download": True}),
        ("cell", "long", {"row": 0, "column": 0}),
    ],
)
def test_logged_bytes_can_do_nothing_in_a_tab_of_their_own(
    client: InProcess, route: str, tag: str, more: dict[str, Any]
) -> None:
    answer = get(client, route, tag, **more)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-security-policy"] == "sandbox; default-src 'none'"


# ── pictures ─────────────────────────────────────────────────────────────────────────────────────────────


def test_pictures_in_cells(client: InProcess) -> None:
    assert ask_rows(client, "pictures")["rows"][2][1] == {"row": 2, "column": 1, "width": 602, "height": 300}
    original = get(client, "image", "pictures", row=2, column=1)
    assert original.headers["content-type"] == "image/png"
    assert original.headers["content-security-policy"] == "sandbox; default-src 'none'"
    with Image.open(io.BytesIO(original.content)) as picture:
        assert (picture.size, picture.getpixel((0, 0))) == ((602, 300), 2)
    small = get(client, "image", "pictures", row=2, column=1, size=128)
    with Image.open(io.BytesIO(small.content)) as picture:
        assert picture.size == (128, 64)
    again = client.get(
        "/api/v1/tables/image",
        params={**address("pictures"), "row": 2, "column": 1, "size": 128},
        headers={"if-none-match": small.headers["etag"]},
    )
    assert again.status_code == 304


def test_what_is_no_picture_is_not_served_as_one(client: InProcess, tmp_path: Path) -> None:
    # The writer refuses such cells; other writers may not.
    strings = [
        json.dumps(
            {
                "version": 1,
                "columns": [{"name": "p", "type": "image"}],
                "rows": [[{"image": 1}], [{"image": 2}], [{"image": 3}]],
            }
        ).encode(),
        b"\x89PNG\r\n\x1a\n" + b"\0" * 20,
        b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>",
        png(2, 2)[:16] + (30_000).to_bytes(4, "big") * 2 + png(2, 2)[24:],
    ]
    from sightline.writer.engine.base import plugin_value

    with SummaryWriter(tmp_path / "a") as writer:
        value = plugin_value("bad", table_format.TABLE_PLUGIN, tensor=tensor_from_array(strings))
        writer._write([value], 0, 1.0)
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    assert client.api("runs")["id"] == [0]
    assert ask_rows(client, "bad")["total_rows"] == 3
    for row in range(3):
        for size in ({}, {"size": 128}):
            answer = get(client, "image", "bad", row=row, column=0, **size)
            assert answer.status_code == 422, (row, size, answer.content)
            assert answer.json()["error"]
        saved = get(client, "image", "bad", row=row, column=0, download=True)
        assert saved.content == strings[row + 1]
        assert saved.headers["content-type"] == "application/octet-stream"
        assert saved.headers["content-disposition"].startswith("attachment")


# ── matrices ──────────────────────────────────────────────────────────────────────────


def test_a_matrix_is_as_it_was_logged(client: InProcess) -> None:
    answer = get(client, "matrix", "matrix")
    assert answer.json() == {"labels": ["cat", "dog"], "counts": [[8, 2], [1, 9]]}
    assert answer.headers["etag"]
