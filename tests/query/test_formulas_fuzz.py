"""Formulas that nobody would write: whatever comes in, there is a formula or a FormulaError."""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.model.errors import FormulaError
from sightline.query.formulas import MAX_LENGTH, Formula, evaluate, parse_formula
from sightline.query.formulas.functions import FUNCTION_NAMES
from sightline.query.formulas.parser import KnownTags
from sightline.query.joins import Points

TAGS = ("a", "a/b", "val loss", "x-y", "acc (%)", "step", "3", "", "`", "log")
PIECES = (
    *FUNCTION_NAMES,
    *TAGS,
    *'+-*/^(),`" .0123456789e',
    *("**", "1e300", "0.5", "step", "time", "ema(a, 0.5)", "unknown/tag", "\n", "é", "\x00", "\ud800"),
)

COLUMNS = st.lists(
    st.tuples(
        st.integers(-5, 30) | st.sampled_from([-(2**63), 2**63 - 1]),
        st.floats(width=64) | st.sampled_from([0.0, 1.0, math.nan, math.inf]),
    ),
    max_size=12,
)


def points(rows: list[tuple[int, float]]) -> Points:
    step = np.array([step for step, _ in rows], np.int64)
    value = np.array([value for _, value in rows], np.float64)
    return Points(step, step.astype(np.float64), value, 0.0)


def parsed(text: str, tags: Collection[str] = TAGS) -> Formula | None:
    """None: it cannot be read, for a reason that is told with its place. Any other exception fails."""
    try:
        return parse_formula(text, KnownTags(tags))
    except FormulaError as error:
        is_told = bool(error.sentence) and 0 <= error.position <= len(text)
    assert is_told
    return None


@given(st.text(max_size=200))
def test_any_text_is_a_formula_or_an_error_with_a_place_in_it(text: str) -> None:
    parsed(text)


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=30), COLUMNS, COLUMNS)
def test_whatever_can_be_read_can_be_computed(
    pieces: list[str], first: list[tuple[int, float]], second: list[tuple[int, float]]
) -> None:
    formula = parsed("".join(pieces))
    if formula is None:
        return
    columns = [points(first), points(second)]
    series = {tag: columns[number % 2] for number, tag in enumerate(formula.tags)}
    found = evaluate(formula, series)
    assert len(found.points.value) == len(found.points.step) == len(found.points.wall)
    assert found.points.value.dtype == np.float64


@given(
    st.lists(st.text(alphabet="ab/- ", min_size=1, max_size=6), max_size=30), st.text("ab/- ", max_size=12)
)
def test_the_longest_tag_is_found_among_any_others(tags: list[str], text: str) -> None:
    def may_end(end: int) -> bool:
        return text[end : end + 1] in ("", "/", "-", " ")

    for begin in range(len(text)):
        fitting = [tag for tag in tags if text.startswith(tag, begin) and may_end(begin + len(tag))]
        assert KnownTags(tags).longest_at(text, begin) == max(fitting, key=len, default="")


@given(st.text(alphabet="(-+a1*^,", min_size=1000, max_size=5000))
def test_long_formulas_are_refused_and_not_run_out_of_stack(text: str) -> None:
    formula = parsed(text, {"a"})
    assert formula is None or len(text) <= MAX_LENGTH


@given(COLUMNS, COLUMNS)
def test_a_join_is_what_straight_lines_between_points_give(
    first: list[tuple[int, float]], second: list[tuple[int, float]]
) -> None:
    small = [(step, value) for step, value in first if abs(step) < 100]
    other = [(step, value) for step, value in second if abs(step) < 100]
    found = evaluate(
        parse_formula("a + 0 * b", KnownTags("ab")), {"a": points(small), "b": points(other)}
    ).points
    if [step for step, _ in small] == [step for step, _ in other] or not small or not other:
        return
    grid, rest = (small, other) if len(small) <= len(other) else (other, small)
    known = sorted({step for step, _ in rest})
    assert found.step.tolist() == [step for step, _ in grid if known[0] <= step <= known[-1]]
