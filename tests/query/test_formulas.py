"""Formulas: how they read, what they compute, and what is said about those that cannot be read."""

from __future__ import annotations

import math
import pickle
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from sightline.model.errors import BadArgumentError, FormulaError
from sightline.query.formulas import MAX_LENGTH, Evaluated, evaluate, parse_formula
from sightline.query.formulas.functions import FUNCTION_NAMES
from sightline.query.formulas.parser import KnownTags
from sightline.query.formulas.program import MAX_OPERATIONS
from sightline.query.joins import Points

DOCS = Path(__file__).parents[2] / "docs" / "formulas.md"
BEGIN_S = 1_700_000_000.0
KNOWN = KnownTags(
    {
        *("a", "b", "loss", "train/loss", "val/loss", "val loss", "val-acc", "acc (%)", "mean(x)", "x/y/z"),
        *("2", "10k/loss", "q`t", "größe", "a*b*c", "step/x"),
    }
)


def points(values: list[float], steps: list[int] | None = None) -> Points:
    step = np.array(range(len(values)) if steps is None else steps, np.int64)
    wall = np.array(BEGIN_S + 2.0 * step, np.float64)
    return Points(step, wall, np.array(values, np.float64), BEGIN_S)


def computed(text: str, **series: Points) -> Evaluated:
    return evaluate(parse_formula(text, KnownTags(series.keys())), series)


def value_of(text: str, **values: float) -> float:
    """The formula over series of one point."""
    found = computed(text, **{tag: points([value]) for tag, value in values.items()}).points.value
    return float(found[0])


# ── how a formula reads ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("train/loss - val/loss", ["train/loss", "val/loss"]),
        ("train/loss-val/loss", ["train/loss", "val/loss"]),
        ("  train/loss\n/\tval/loss ", ["train/loss", "val/loss"]),
        ("a/b", ["a", "b"]),
        ("a/b/loss", ["a", "b", "loss"]),
        ("x/y/z/a", ["x/y/z", "a"]),
        ("val loss + val-acc", ["val loss", "val-acc"]),
        ("acc (%) * 2", ["acc (%)"]),
        ("(acc (%))", ["acc (%)"]),
        ("mean(x) + 1", ["mean(x)"]),
        ("a*b*c", ["a*b*c"]),
        ("a*b", ["a", "b"]),
        ("`a*b`", ["a*b"]),
        ('"val loss"/`train/loss`', ["val loss", "train/loss"]),
        ("`q``t` + a", ["q`t", "a"]),
        ('"q`t" + a', ["q`t", "a"]),
        ("2*loss", ["loss"]),
        ("`2` * loss", ["2", "loss"]),
        ("10k/loss/10", ["10k/loss"]),
        ("größe ** 2", ["größe"]),
        ("step/x", ["step/x"]),
        ("step/a", ["a"]),
        ("a - a + b", ["a", "b"]),
        ("log(loss)/log(2)", ["loss"]),
        ("ema(train/loss, 0.9) - val/loss", ["train/loss", "val/loss"]),
        ("val/los + a", ["val/los", "a"]),
        ("nothing.at:all_9/x - a", ["nothing.at:all_9/x", "a"]),
        ("los/log(a)", ["los", "a"]),
    ],
)
def test_the_longest_known_tag_is_taken(text: str, tags: list[str]) -> None:
    assert list(parse_formula(text, KNOWN).tags) == tags


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b * 2", 3 + 4 * 2),
        ("(a + b) * 2", 14),
        ("a - b - 1", -2),
        ("a / b / 2", 3 / 4 / 2),
        ("a ** b ** 0.5", 3**2),
        ("a ^ 2", 9),
        ("-a ** 2", -9),
        ("a ** -1", 1 / 3),
        ("--a", 3),
        ("+a - +b", -1),
        ("2 * -a", -6),
        (".5 * a", 1.5),
        ("1e2 * a", 300),
        ("2.e-1*a", 2.0e-1 * 3),
        ("abs(-a)", 3),
        ("sign(-a)", -1),
        ("sqrt(b)", 2),
        ("exp(a)", math.exp(3)),
        ("log(a)", math.log(3)),
        ("log2(b)", 2),
        ("log10(a)", math.log10(3)),
        ("min(a, b, 1)", 1),
        ("max(a, b)", 4),
        ("clip(a, 0, 1)", 1),
        ("clip(b, a, a)", 3),
        ("a + step", 3),
        ("a + time", 3),
        ("log (a)", math.log(3)),
    ],
)
def test_operators_and_functions_are_those_of_arithmetic(text: str, expected: float) -> None:
    assert value_of(text, a=3, b=4) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("", 0, "empty"),
        ("   ", 0, "empty"),
        ("a b", 2, "operator is missing"),
        ("a +", 3, "ends where"),
        ("(a + b", 0, "not closed"),
        ("a * (b", 4, "not closed"),
        ("a + b)", 5, "closes nothing"),
        ("(a b)", 3, "missing here"),
        ("a + * b", 4, "expected here, not '*'"),
        ("a ? b", 2, "operator is missing"),
        ("?", 0, "expected here, not '?'"),
        ("`a", 0, "not closed"),
        ("min(a)", 0, "cummin"),
        ("abs(a, b)", 0, "takes 1 values, not 2"),
        ("sine(a)", 0, "no function `sine`"),
        ("a + ema(a)", 4, "ema(loss, 0.9)"),
        ("ema(a, 1)", 7, "from 0 to below 1, not 1"),
        ("ema(a, b)", 7, "a number, not a line"),
        ("mean(a, 2.5)", 8, "whole number from 1 to"),
        ("ema(2, 0.5)", 0, "needs a tag"),
        ("diff(a, 2)", 6, "no more"),
        ("1 + 2", 0, "at least one tag"),
        ("step * 2", 0, "at least one tag"),
        ("a + 1e999", 4, "too large"),
        ("-" * 100 + "a", 40, "nested too deeply"),
        ("(" * 100 + "a" + ")" * 100, 40, "nested too deeply"),
        ("a" + "^a" * 100, 81, "nested too deeply"),
        ("a" + "+a" * MAX_OPERATIONS, 501, f"at most {MAX_OPERATIONS} parts"),
        ("a" + " " * MAX_LENGTH, MAX_LENGTH, "4,096 characters"),
    ],
)
def test_an_error_says_what_is_wrong_and_where(text: str, position: int, words: str) -> None:
    with pytest.raises(FormulaError) as caught:
        parse_formula(text, KNOWN)
    assert words in caught.value.sentence
    assert caught.value.position == position
    assert str(caught.value).endswith(f"(at character {position + 1})")
    assert isinstance(caught.value, BadArgumentError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_every_function_and_name_is_in_the_manual() -> None:
    manual = DOCS.read_text()
    for name in FUNCTION_NAMES:
        assert f"`{name}(" in manual, name
    for name in ("step", "time"):
        assert f"`{name}`" in manual


# ── what it computes ─────────────────────────────────────────────────────────────────────────────────────


def test_equal_steps_are_joined_point_by_point_even_when_they_repeat() -> None:
    a, b = points([1, 2, 3, 4], [5, 5, 3, 5]), points([10, 20, 30, 40], [5, 5, 3, 5])
    found = computed("b - a", a=a, b=b)
    assert found.points.value.tolist() == [9, 18, 27, 36]
    assert found.points.step.tolist() == [5, 5, 3, 5]


def test_the_tag_with_the_fewest_points_gives_the_steps() -> None:
    often = points([float(v) for v in range(11)], list(range(0, 110, 10)))
    seldom = points([100.0, 200.0, 300.0, 400.0], [-5, 15, 40, 101])
    found = computed("seldom + often", seldom=seldom, often=often)
    # 15 lies between 10 and 20; before 0 and behind 100 there is nothing to take.
    assert found.points.step.tolist() == [15, 40]
    assert found.points.value.tolist() == [201.5, 304.0]
    assert found.points.wall.tolist() == [BEGIN_S + 30, BEGIN_S + 80]
    assert found.points.first_wall_s == BEGIN_S
    assert found.left_out == 2


def test_three_tags_are_each_interpolated_from_their_own_points() -> None:
    rng = np.random.default_rng(1)
    counts = {"a": 500, "b": 60, "c": 8}
    steps = {tag: np.sort(rng.choice(1000, count, replace=False)) for tag, count in counts.items()}
    series = {tag: points(rng.normal(size=len(s)).tolist(), s.tolist()) for tag, s in steps.items()}
    found = computed("a * b - c", **series).points
    inside = [s for s in steps["c"] if all(other[0] <= s <= other[-1] for other in steps.values())]
    assert found.step.tolist() == inside
    a, b, c = (np.interp(inside, steps[tag], series[tag].value) for tag in "abc")
    np.testing.assert_allclose(found.value, a * b - c, rtol=1e-12)


def test_a_smoothing_function_sees_the_full_series() -> None:
    often = points(np.sin(np.arange(100) / 7).tolist())
    seldom = points([0.0, 0.0], [50, 99])
    found = computed("ema(often, 0.9) - seldom", often=often, seldom=seldom).points.value
    state, shown = 0.0, []
    for count, value in enumerate(often.value, start=1):
        state = 0.9 * state + 0.1 * value
        shown.append(state / (1 - 0.9**count))
    np.testing.assert_allclose(found, [shown[50], shown[99]], rtol=1e-12)


def test_functions_of_a_line_agree_with_numpy() -> None:
    values = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0])
    series = points(values.tolist())

    def of(text: str) -> NDArray[np.float64]:
        return computed(text, x=series).points.value

    np.testing.assert_array_equal(of("diff(x)"), np.diff(values))
    np.testing.assert_array_equal(of("cumsum(x)"), np.cumsum(values))
    np.testing.assert_array_equal(of("cummin(x)"), np.minimum.accumulate(values))
    np.testing.assert_array_equal(of("cummax(x)"), np.maximum.accumulate(values))
    np.testing.assert_array_equal(of("lag(x, 2)"), values[:-2])
    np.testing.assert_array_equal(of("x - lag(x, 1)"), np.diff(values))
    np.testing.assert_allclose(of("mean(x, 3)")[1:-1], np.convolve(values, np.ones(3) / 3, "valid"))
    np.testing.assert_array_equal(of("cumsum(x * 2) + step"), np.cumsum(2 * values) + np.arange(7))
    np.testing.assert_array_equal(of("x + time / 2"), values + np.arange(7))
    assert computed("diff(x)", x=series).points.step.tolist() == [1, 2, 3, 4, 5, 6]
    assert computed("lag(x, 2)", x=series).points.step.tolist() == [2, 3, 4, 5, 6]
    assert len(computed("lag(x, 100)", x=series).points) == 0


def test_a_value_that_is_not_finite_stays_alone() -> None:
    series = points([1.0, math.nan, 3.0, 4.0])
    np.testing.assert_array_equal(computed("cumsum(x)", x=series).points.value, [1, math.nan, 4, 8])
    np.testing.assert_array_equal(computed("cummax(x)", x=series).points.value, [1, 1, 3, 4])
    np.testing.assert_array_equal(computed("x * 2", x=series).points.value, [2, math.nan, 6, 8])
    assert computed("x * 2", x=series).trouble == {}


def test_there_is_no_interpolation_beside_a_value_that_is_not_finite() -> None:
    often = points([0.0, math.nan, 2.0, math.inf, 4.0, 5.0], [0, 10, 20, 30, 40, 50])
    seldom = points([0.0] * 5, [0, 5, 10, 35, 45])
    found = computed("often + seldom", often=often, seldom=seldom).points.value
    np.testing.assert_array_equal(found, [0, math.nan, math.nan, math.nan, 4.5])


@pytest.mark.filterwarnings("error")
def test_what_is_not_finite_is_counted_by_its_reason() -> None:
    x = points([1.0, 0.0, -1.0, math.nan])
    found = computed("1 / x", x=x)
    np.testing.assert_array_equal(found.points.value, [1, math.inf, -1, math.nan])
    assert found.trouble == {"division by zero": 1}
    assert computed("0 / x", x=x).trouble == {"division by zero": 1}
    assert computed("x / 0", x=x).trouble == {"division by zero": 3}
    assert computed("1 / 0 + x", x=x).trouble == {"division by zero": 4}
    assert computed("log(x)", x=x).trouble == {"the logarithm of a number that is not above 0": 2}
    assert computed("sqrt(x)", x=x).trouble == {"the root of a negative number": 1}
    assert computed("exp(x * 1e6)", x=x).trouble == {"numbers that are too large": 1}
    assert computed("x ** 0.5", x=x).trouble == {"powers that are no number or too large": 1}
    assert computed("cumsum(1 / x)", x=x).trouble == {"division by zero": 1}
    assert computed("min(1 / x, 5)", x=x).trouble == {}, "healed by what came after"
    assert computed("x * 2", x=x).trouble == {}


def test_steps_at_the_ends_of_their_range_do_not_overflow() -> None:
    low, high = int(np.iinfo(np.int64).min), int(np.iinfo(np.int64).max)
    wide = points([0.0, 1.0, 1.0], [low, high - 1, high])
    found = computed("wide + middle", wide=wide, middle=points([0.0], [0]))
    np.testing.assert_allclose(found.points.value, [0.5])


def test_a_long_line_is_computed_in_pieces_that_fit_together() -> None:
    rng = np.random.default_rng(0)
    value = rng.normal(size=200_001)
    value[::50_000] = 0.0
    line = points(value.tolist())
    found = computed("1 / a + step * 0.5 - time + ema(a, 0.5)", a=line)
    smooth = computed("ema(a, 0.5)", a=line).points.value
    with np.errstate(all="ignore"):
        wanted = 1 / value + line.step * 0.5 - 2.0 * line.step + smooth
    np.testing.assert_array_equal(found.points.value, wanted)
    assert found.trouble == {"division by zero": 5}


def test_memory_does_not_grow_with_the_length_of_a_formula() -> None:
    line = points([1.0] * 500_000)
    tracemalloc.start()
    try:
        found = computed(f"max({', '.join(f'a * {n}' for n in range(60))})", a=line)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (found.points.value == 59).all()
    assert peak < 60 * 1_000_000  # all columns at once have 60 times 4 MB
