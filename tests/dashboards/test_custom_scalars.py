"""Layouts of charts, put together over runs, and the expressions that TensorBoard's route takes."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from sightline import SummaryWriter
from sightline.dashboards.custom_scalars import expressions, layouts
from sightline.dashboards.custom_scalars.expressions import BadExpressionError, Expression
from sightline.log import open_log
from sightline.query.media_items import FoundItem
from sightline.wire.routes import ApiError
from tests.event_logs import write_run
from tests.fixtures import event_bytes as eb
from tests.server.clients import InProcess, client_for

TAG = b"custom_scalars__config__"


def write(directory: Path, layout: Any, **scalars: float) -> None:
    with SummaryWriter(str(directory)) as writer:
        writer.add_custom_scalars(layout)
        for tag, value in scalars.items():
            writer.add_scalar(tag, value, 0)


def raw_layout(data: bytes, *, step: int = 0) -> bytes:
    return eb.tensor_record(
        TAG, 7, eb.shape(), eb.blob(8, data), step=step, meta=eb.metadata(b"custom_scalars")
    )


def ask(directory: Path) -> InProcess:
    return client_for(open_log(directory, watch=False, cache=False).wait())


def titles(answer: dict[str, Any]) -> dict[str, list[str]]:
    return {one["title"]: [chart["title"] for chart in one["charts"]] for one in answer["categories"]}


def lines(*tags: str) -> list[Any]:
    return ["Multiline", list(tags)]


def test_categories_of_one_title_are_one_without_what_is_there_already(tmp_path: Path) -> None:
    write(tmp_path / "b", {"losses": {"one": lines("a"), "two": lines("b")}, "own": {"x": lines("x")}})
    write(tmp_path / "a", {"losses": {"one": lines("a")}})
    write(tmp_path / "c", {"own": {"y": lines("y")}, "losses": {"one": lines("other")}})
    answer = ask(tmp_path).api("custom_scalars/layout")
    # "one" of c has other tags: it is another chart. TensorBoard loses "y".
    assert titles(answer) == {"losses": ["one", "two", "one"], "own": ["x", "y"]}
    assert len(answer["runs"]) == 3
    assert answer["problems"] == []


def test_a_margin_has_three_tags(tmp_path: Path) -> None:
    write(tmp_path, {"c": {"m": ["Margin", ["v", "l", "u"]]}})
    ((chart,),) = [one["charts"] for one in ask(tmp_path).api("custom_scalars/layout")["categories"]]
    assert chart == {"title": "m", "expressions": [], "margins": [{"value": "v", "lower": "l", "upper": "u"}]}


def test_the_last_layout_of_a_run_counts(tmp_path: Path) -> None:
    first, last = (eb.blob(2, eb.blob(1, title)) for title in (b"first", b"last"))
    write_run(tmp_path / "run", raw_layout(first), raw_layout(last))
    assert titles(ask(tmp_path).api("custom_scalars/layout")) == {"last": []}


def test_a_layout_that_cannot_be_read_is_told_and_takes_no_other_with_it(tmp_path: Path) -> None:
    write_run(tmp_path / "damaged", raw_layout(b"\x12\xff\xff\xff"))
    write_run(tmp_path / "huge", raw_layout(b"\x12\x00" * (layouts.MAX_LAYOUT_BYTES // 2 + 1)))
    write_run(
        tmp_path / "no layout",
        eb.tensor_record(
            TAG, 1, eb.shape(), eb.blob(4, b"\x00\x00\x80\x3f"), meta=eb.metadata(b"custom_scalars")
        ),
    )
    write(tmp_path / "good", {"c": {"x": lines("x")}})
    client = ask(tmp_path)
    answer = client.api("custom_scalars/layout")
    assert titles(answer) == {"c": ["x"]}
    assert [problem.split(" cannot")[0] for problem in answer["problems"]] == [
        "The layout of damaged",
        "The layout of huge",
        "The layout of no layout",
    ]
    assert client.get("/data/plugin/custom_scalars/layout").json()["category"][0]["title"] == "c"


def test_more_charts_than_can_be_shown_are_left_out_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layouts, "MAX_CHARTS", 2)
    write(tmp_path / "a", {"c": {"1": lines("x"), "2": lines("x"), "3": lines("x")}})
    answer = ask(tmp_path).api("custom_scalars/layout")
    assert titles(answer) == {"c": ["1", "2"]}
    assert "left out" in answer["problems"][0]


@pytest.mark.parametrize(("name", "most"), [("MAX_CATEGORIES", 2), ("MAX_BYTES", 6)])
def test_more_categories_than_can_be_shown_are_left_out_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, most: int
) -> None:
    monkeypatch.setattr(layouts, name, most)
    data = b"".join(eb.blob(2, eb.blob(1, title)) for title in (b"one", b"two", b"six"))
    write_run(tmp_path / "run", raw_layout(data))
    answer = ask(tmp_path).api("custom_scalars/layout")
    assert titles(answer) == {"one": [], "two": []}
    assert answer["problems"] == ["There are more categories than can be shown: some of run are left out"]


def test_without_a_layout_there_is_none(tmp_path: Path) -> None:
    with SummaryWriter(str(tmp_path)) as writer:
        writer.add_scalar("x", 1, 0)
    client = ask(tmp_path)
    answer = client.api("custom_scalars/layout")
    assert (answer["categories"], answer["runs"]) == ([], [])
    assert client.get("/data/plugin/custom_scalars/layout").json() == {}


def test_layouts_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"c": {"x": lines("x")}})
    client = ask(tmp_path)
    client.api("custom_scalars/layout")
    monkeypatch.setattr(FoundItem, "read", lambda _: pytest.fail("read again"))
    assert titles(client.api("custom_scalars/layout")) == {"c": ["x"]}


ATOMS = [
    "a",
    "b",
    "/",
    ".",
    r"\d",
    r"\w",
    r"\S",
    "[ab]",
    "[^a]",
    "(a|b)",
    "(ab|a)",
    r"\b",
    "^",
    "$",
    "(?:)",
    "x",
    "[abcß]",
    "[^kſ]",
    "[a-z]",
    "[^G-Za-c/]",
    "[À-ÿ]",
    "[ℐ-ℯ]",
    r"[\dſİ]",
    "ß",
    "i",
    "K",
    "\N{KELVIN SIGN}",
]
QUANTIFIERS = ["", "", "*", "+", "?", "{2}", "{1,3}", "*?", "{0}", "{2,}"]
TEXTS = ["", "a", "ab", "aab/b", "abc", "b/1", "x\n", "a b", "A/b", "train/loss", "äß", "ba"]
TEXTS += ["ẞ", "ſ", "s", "S", "İ", "i", "ı", "I", "\N{KELVIN SIGN}", "k", "K", "Ä", "𐐨", "ſß", "Kſ", "İi"]


def any_expression(rng: random.Random) -> str:
    parts = [rng.choice(ATOMS) + rng.choice(QUANTIFIERS) for _ in range(rng.randint(1, 4))]
    whole = "".join(parts)
    return rng.choice(["", "(?i)", "(?i)", "(?ia)", "(?s)", "(?m)"]) + (
        f"(?:{whole}|{rng.choice(ATOMS)})?" if rng.random() < 0.3 else whole
    )


def test_expressions_match_what_python_matches() -> None:
    rng = random.Random(5)
    compared = 0
    for _ in range(1_000):
        source = any_expression(rng)
        try:
            real = re.compile(source)
        except re.error:
            with pytest.raises(BadExpressionError):
                Expression(source)
            continue
        own = Expression(source)
        for text in TEXTS:
            compared += 1
            assert own.matches(text) == (real.match(text) is not None), (source, text)
    assert compared > 3_000


def test_letters_are_the_same_without_their_case_where_python_says_so() -> None:
    letters = [chr(code) for code in range(0x2_0000) if chr(code).lower() != chr(code).upper()]
    classes = ["[a-z]", "[^À-ſ]", "[Ͱ-Ͽ]", "[ℐ-ℯ]", "[\u1e00-\u1fff]", "[𐐀-𐐧]", "[ꭰ-\uabbf]", "[kßıſ]"]
    # In (?ia) the matcher takes "𐐨" for "𐐀", though neither is ASCII, and "𐐀" not for "𐐨".
    odd = "(?ia)[𐐀-𐐧]"
    for source in {flags + one for flags in ("(?i)", "(?ia)", "") for one in classes} - {odd}:
        own, real = Expression(source), re.compile(source)
        assert [*own.matching(letters)] == [letter for letter in letters if real.match(letter)], source


def test_large_classes_cost_no_more_than_small_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    asked: list[str] = []

    class CountedClass(expressions.LetterClass):
        def __init__(self, *given: Any, **more: Any) -> None:
            super().__init__(*given, **more)
            made.append(self)

        def takes(self, letter: str, cases: Any) -> bool:
            asked.append(letter)
            return super().takes(letter, cases)

    monkeypatch.setattr(expressions, "LetterClass", CountedClass)
    many = "".join(chr(code) for code in range(0x4E00, 0x4E00 + 2 * 940, 2))
    own = Expression(f"(?i)(?:[{many}]?){{1990}}z")
    assert not own.matches(many[-1] * 100)
    assert (len(made), len(asked)) == (2, 200)


def test_work_for_an_expression_has_an_end() -> None:
    assert not Expression("(a+)+$").matches("a" * 5_000 + "b")
    with pytest.raises(ApiError, match="takes too long"):
        list(Expression("(?:.*.?){300}x").matching(["a" * 65_000]))
    for source in (r"(a)\1", "(?=a)a", "a{1,999999}", "(?:a{1000}){1000}", "a" * 1_001, "(?i:a)b"):
        with pytest.raises(ApiError):
            Expression(source)
