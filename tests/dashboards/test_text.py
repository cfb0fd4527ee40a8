"""The routes of texts: whole and cut, tables, odd bytes, files, and the search through all of them."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline import SummaryWriter
from sightline.formats.items import TextItem
from sightline.log import Log, open_log
from sightline.query.texts import MAX_CELLS, text_file, text_layout
from tests.event_logs import write_run
from tests.fixtures import event_bytes as eb
from tests.server.clients import InProcess, client_for

DT_STRING = 7


def text_tensor(tag: str, cells: list[bytes], *shape: int, step: int = 0) -> bytes:
    """A text of any shape, as TensorFlow writes it."""
    fields = [*(eb.blob(8, cell) for cell in cells), eb.shape(*shape)]
    return eb.tensor_record(tag.encode(), DT_STRING, *fields, step=step, meta=eb.metadata(b"text"))


def item_with(*cells: str, shape: tuple[int, ...] | None = None) -> TextItem:
    array = np.empty(len(cells), dtype=object)
    array[:] = cells
    return TextItem(step=0, wall_time=0.0, tag="t", array=array if shape is None else array.reshape(shape))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    root = tmp_path_factory.mktemp("log")
    with SummaryWriter(str(root / "a")) as writer:
        for step in range(5):
            writer.add_text("note", f"Step {step} of the *first* run, Straße", step)
        writer.add_text("large", "word " * 2_000_000, 0)
    write_run(
        root / "b",
        eb.text_record(b"note", b"The second run says needle", step=3),
        text_tensor("list", [b"one", b"two", b"three"], 3),
        text_tensor("table", [b"a", b"b", b"c", b"=1+1", b"-0.5", b'say "x", y'], 2, 3),
        text_tensor("cube", [bytes([97 + number]) for number in range(8)], 2, 2, 2),
        text_tensor("empty", [], 0),
        text_tensor("odd", [b"caf\xe9 \xff", b"fine"], 2),
        text_tensor("odd one", [b"caf\xe9"]),
        # States two cells, and has none.
        text_tensor("note", [], 2_000_000_000, step=4),
    )
    return open_log(root, watch=False, cache=False).wait()


@pytest.fixture(scope="module")
def client(log: Log) -> InProcess:
    client = client_for(log)
    assert client.api("runs")["name"] in (["a", "b"], ["b", "a"])
    return client


def run_number(client: InProcess, name: str) -> int:
    runs = client.api("runs")
    number: int = runs["id"][runs["name"].index(name)]
    return number


def text_item(client: InProcess, run: str, tag: str, *, index: int = 0, step: int = 0, **more: Any) -> Any:
    asked = {"run": run_number(client, run), "tag": tag, "index": index, "step": step, **more}
    return client.api("text/item", params=asked)


def note_tag(client: InProcess, run: str) -> str:
    """The writer's own tags end as torch's do."""
    return "note/text_summary" if run == "a" else "note"


# ── one text ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_text_is_told_as_it_was_logged(client: InProcess) -> None:
    answer = text_item(client, "b", "note", step=3)
    assert answer["cells"] == ["The second run says needle"]
    assert (answer["rows"], answer["columns"]) == (1, 1)
    assert answer["is_cut"] is False
    assert answer["notes"] == []
    assert answer["step"] == 3


def test_every_step_is_there(client: InProcess) -> None:
    tag = note_tag(client, "a")
    texts = [text_item(client, "a", tag, index=step, step=step)["cells"][0] for step in range(5)]
    assert texts == [f"Step {step} of the *first* run, Straße" for step in range(5)]


def test_torch_texts_have_shape_1_and_are_one_text(client: InProcess) -> None:
    answer = text_item(client, "a", note_tag(client, "a"))
    assert answer["shape"] == [1]
    assert (answer["rows"], answer["columns"]) == (1, 1)


def test_ten_megabytes_are_cut_and_say_so(client: InProcess) -> None:
    answer = text_item(client, "a", "large/text_summary")
    assert answer["cells"] == [("word " * 60_000)[:262_144]]
    assert answer["is_cut"] is True
    assert answer["total_chars"] == 10_000_000
    assert text_item(client, "a", "large/text_summary", limit=7)["cells"] == ["word wo"]
    assert text_item(client, "a", "large/text_summary", limit=0)["cells"] == [""]


def test_lists_and_tables_keep_their_cells(client: InProcess) -> None:
    one = text_item(client, "b", "list")
    assert (one["rows"], one["columns"], one["cells"]) == (3, 1, ["one", "two", "three"])
    two = text_item(client, "b", "table")
    assert (two["rows"], two["columns"], len(two["cells"])) == (2, 3, 6)
    assert two["shape"] == [2, 3]


def test_of_more_dimensions_the_first_slice_is_shown_with_a_note(client: InProcess) -> None:
    answer = text_item(client, "b", "cube")
    assert (answer["rows"], answer["columns"], answer["cells"]) == (2, 2, ["a", "b", "c", "d"])
    assert answer["shape"] == [2, 2, 2]
    assert "3 dimensions (2 × 2 × 2)" in answer["notes"][0]


def test_no_cells_at_all_is_an_answer_too(client: InProcess) -> None:
    answer = text_item(client, "b", "empty")
    assert (answer["rows"], answer["cells"], answer["is_cut"]) == (0, [], False)


def test_bytes_that_are_not_utf_8_show_with_a_note(client: InProcess) -> None:
    answer = text_item(client, "b", "odd")
    assert answer["cells"] == [r"caf\xe9 \xff", "fine"]
    assert answer["notes"] == [r"1 cell with bytes that are not UTF-8; they show as \xNN"]
    assert text_item(client, "b", "odd one")["notes"] == [r"Some bytes are not UTF-8; they show as \xNN"]


def test_a_text_that_lies_about_its_shape_gets_a_sentence(client: InProcess) -> None:
    asked = {"run": run_number(client, "b"), "tag": "note", "index": 1, "step": 4}
    answer = client.get("/api/v1/text/item", params=asked)
    assert answer.status_code == 422
    assert "Cannot decode the value" in answer.json()["error"]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"run": 99}, 404),
        ({"tag": "nothing"}, 404),
        ({"step": 77}, 404),
        ({"server_id": "another"}, 409),
        ({"limit": 99_999_999}, 422),
    ],
)
def test_what_is_not_there_is_told(client: InProcess, change: dict[str, Any], status: int) -> None:
    asked = {"run": run_number(client, "b"), "tag": "note", "index": 0, "step": 3, **change}
    answer = client.get("/api/v1/text/item", params=asked)
    assert answer.status_code == status
    assert answer.json()["error"]


def test_a_text_that_is_known_already_is_not_sent_again(client: InProcess) -> None:
    asked = {"run": run_number(client, "b"), "tag": "note", "index": 0, "step": 3}
    first = client.get("/api/v1/text/item", params=asked)
    known = {"if-none-match": first.headers["etag"]}
    assert client.get("/api/v1/text/item", params=asked, headers=known).status_code == 304
    other = client.get("/api/v1/text/item", params={**asked, "limit": 3}, headers=known)
    assert other.status_code == 200


@given(
    st.lists(st.text(max_size=20), max_size=12),
    st.integers(0, 60),
)
def test_a_cut_text_is_a_beginning_of_the_whole(cells: list[str], limit: int) -> None:
    layout = text_layout(item_with(*cells), limit=limit)
    assert sum(map(len, layout.cells)) == min(limit, sum(map(len, cells)))
    assert "".join(cells).startswith("".join(layout.cells))
    assert layout.is_cut == (layout.cells != cells)
    assert layout.total_chars == sum(map(len, cells))


def test_a_million_empty_cells_are_cut() -> None:
    array = np.full((1_000_000,), "", dtype=object)
    layout = text_layout(TextItem(step=0, wall_time=0.0, tag="t", array=array), limit=10)
    assert len(layout.cells) == MAX_CELLS
    assert layout.is_cut


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────


def download(client: InProcess, run: str, tag: str, *, step: int = 0) -> Any:
    asked = {"run": run_number(client, run), "tag": tag, "index": 0, "step": step}
    answer = client.get("/api/v1/text/download", params=asked)
    assert answer.status_code == 200, answer.text
    return answer


def test_one_text_is_downloaded_whole_and_plain(client: InProcess) -> None:
    answer = download(client, "a", "large/text_summary")
    assert answer.text == "word " * 2_000_000
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.headers["content-disposition"] == 'attachment; filename="large_step_0.txt"'


def test_a_table_is_downloaded_as_csv_without_formulas(client: InProcess) -> None:
    answer = download(client, "b", "table")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(io.StringIO(answer.text, newline="")))
    assert rows == [["a", "b", "c"], ["'=1+1", "-0.5", 'say "x", y']]


def test_a_billion_rows_of_no_columns_are_no_rows() -> None:
    layout = text_layout(item_with(shape=(10**9, 0)), limit=10)
    assert (layout.rows, layout.columns, layout.cells, layout.is_cut) == (0, 0, [], False)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=9), min_size=2, max_size=6))
def test_csv_gives_back_the_cells(cells: list[str]) -> None:
    text, ending = text_file(item_with(*cells))
    assert ending == "csv"
    # A NUL is a letter like all others to us, but not to every version of the reader.
    if "\0" not in text:
        rows = list(csv.reader(io.StringIO(text, newline="")))
        back = [row[0] if row else "" for row in rows]
        assert [cell.removeprefix("'") for cell in back] == [cell.removeprefix("'") for cell in cells]


# ── searching ────────────────────────────────────────────────────────────────────────────────────────────


def search(client: InProcess, text: str, **more: Any) -> Any:
    numbers = [run_number(client, "a"), run_number(client, "b")]
    queries = [{"tag": tag, "runs": numbers} for tag in ("note/text_summary", "note", "table")]
    answer = client.post("/api/v1/text/search", json={"text": text, "queries": queries, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_every_step_of_every_run_is_searched(client: InProcess) -> None:
    answer = search(client, "RUN")
    a, b = run_number(client, "a"), run_number(client, "b")
    assert [(hit["query"], hit["run"], hit["step"]) for hit in answer["hits"]] == [
        *((0, a, step) for step in range(5)),
        (1, b, 3),
    ]
    assert (answer["searched"], answer["total"], answer["is_complete"]) == (8, 8, True)


def test_the_first_place_is_shown_with_what_is_around(client: InProcess) -> None:
    (hit,) = search(client, "needle")["hits"]
    assert (hit["before"], hit["match"], hit["after"]) == ("The second run says ", "needle", "")
    assert hit["count"] == 1


def test_case_matters_only_when_asked(client: InProcess) -> None:
    assert search(client, "NEEDLE")["hits"]
    assert search(client, "NEEDLE", is_case_sensitive=True)["hits"] == []


def test_signs_of_regular_expressions_are_letters(client: InProcess) -> None:
    assert search(client, ".*")["hits"] == []
    assert [hit["match"] for hit in search(client, "=1+1")["hits"]] == ["=1+1"]


def test_damaged_values_are_counted_and_the_rest_is_searched(client: InProcess) -> None:
    (problem,) = search(client, "needle")["problems"]
    assert problem.startswith("b, note, step 4: Cannot decode the value")


def test_a_search_that_skips_more_than_there_is_ends(client: InProcess) -> None:
    answer = search(client, "run", skip=10_000)
    assert (answer["hits"], answer["searched"], answer["is_complete"]) == ([], 8, True)


def test_too_many_tags_times_runs_are_refused(client: InProcess) -> None:
    queries = [{"tag": "t", "runs": list(range(10_000))} for _ in range(30)]
    answer = client.post("/api/v1/text/search", json={"text": "x", "queries": queries})
    assert answer.status_code == 413


def test_a_removed_file_is_a_problem_of_the_search_and_no_failure(tmp_path: Path) -> None:
    write_run(tmp_path / "r", eb.text_record(b"t", b"words", step=1))
    log = open_log(tmp_path, watch=False, cache=False).wait()
    client = client_for(log)
    assert client.api("runs")["name"] == ["r"]
    for file in (tmp_path / "r").iterdir():
        file.unlink()
    answer = client.post(
        "/api/v1/text/search", json={"text": "words", "queries": [{"tag": "t", "runs": [0]}]}
    ).json()
    assert (answer["hits"], answer["is_complete"], len(answer["problems"])) == ([], True, 1)
