"""The restart and parallel-writer rule, case by case and against a naive per-point reference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sightline.store.branches import (
    Branches,
    Break,
    FileSpan,
    RestartTimes,
    Rows,
    Start,
    hidden_by_breaks,
    split_branches,
    write_order,
)


def steps(*values: int) -> NDArray[np.int64]:
    return np.array(values, dtype=np.int64)


def span(begin: float, end: float, *, name: str = "f", starts: Sequence[Start] = ()) -> FileSpan:
    return FileSpan(name=name, first_wall_time=begin, last_wall_time=end, starts=starts)


def split(*parts: Rows, others: Sequence[FileSpan] = ()) -> tuple[list[int], list[int]]:
    """Visible and superseded steps, in the order in which a reader would get them."""
    branches = split_branches(parts, RestartTimes([*(part.file for part in parts), *others]))
    everything = np.concatenate([part.step for part in parts])
    if branches is None:
        return everything.tolist(), []
    return everything[branches.visible].tolist(), everything[branches.superseded].tolist()


def test_one_part_leaves_nothing_to_decide() -> None:
    part = Rows(span(0, 10), steps(1, 2, 2, 1, 5))
    assert split_branches([part], RestartTimes([part.file])) is None


def test_a_restart_supersedes_the_points_that_were_written_again() -> None:
    before = Rows(span(0, 10), steps(0, 1, 2, 3, 4))
    after = Rows(span(20, 30), steps(3, 4, 5))
    assert split(before, after) == ([0, 1, 2, 3, 4, 5], [3, 4])


def test_a_later_file_that_goes_on_behind_the_last_step_supersedes_nothing() -> None:
    before = Rows(span(0, 10), steps(0, 1, 2))
    after = Rows(span(20, 30), steps(3, 4))
    assert split(before, after) == ([0, 1, 2, 3, 4], [])


def test_a_restart_from_the_beginning_supersedes_the_whole_earlier_file() -> None:
    before = Rows(span(0, 10), steps(0, 1, 2))
    after = Rows(span(20, 30), steps(0))
    assert split(before, after) == ([0], [0, 1, 2])


def test_each_of_three_attempts_keeps_what_no_later_one_wrote_again() -> None:
    first = Rows(span(0, 10), steps(0, 1, 2, 3, 4, 5))
    second = Rows(span(20, 30), steps(4, 5, 6, 7))
    third = Rows(span(40, 50), steps(6, 7, 8))
    assert split(first, second, third) == ([0, 1, 2, 3, 4, 5, 6, 7, 8], [4, 5, 6, 7])


def test_overlapping_files_are_merged_by_step_and_nothing_is_superseded() -> None:
    even = Rows(span(0, 10), steps(0, 2, 4, 6))
    odd = Rows(span(1, 9), steps(1, 3, 4, 5))
    assert split(even, odd) == ([0, 1, 2, 3, 4, 4, 5, 6], [])


def test_files_that_touch_at_one_moment_count_as_parallel() -> None:
    assert split(Rows(span(0, 10), steps(5, 6)), Rows(span(10, 20), steps(1, 2))) == ([1, 2, 5, 6], [])


def test_merging_keeps_the_own_order_of_a_part_whose_steps_go_back() -> None:
    zigzag = Rows(span(0, 10), steps(1, 5, 3, 8))
    steady = Rows(span(0, 10), steps(4, 6))
    assert split(zigzag, steady) == ([1, 4, 5, 3, 6, 8], [])


def test_overlap_is_not_transitive_so_only_the_file_that_ended_is_superseded() -> None:
    ended = Rows(span(0, 10), steps(0, 10, 20))
    bridge = Rows(span(5, 25), steps(5, 15, 25))
    restarted = Rows(span(12, 30), steps(10, 12))
    assert split(ended, bridge, restarted) == ([0, 5, 10, 12, 15, 25], [10, 20])


def test_duplicates_and_steps_going_back_inside_one_file_stay() -> None:
    part = Rows(span(0, 10), steps(1, 1, 3, 2))
    assert split(part, Rows(span(20, 30), steps(9))) == ([1, 1, 3, 2, 9], [])


def test_a_start_supersedes_earlier_files_for_tags_that_were_not_logged_again() -> None:
    old = Rows(span(0, 10), steps(0, 1, 2, 3))
    restarted = span(20, 30, starts=[(2, 20.0)])
    assert split(old, others=[restarted]) == ([0, 1], [2, 3])


def test_a_start_does_not_touch_files_that_were_still_being_written() -> None:
    parallel = Rows(span(0, 25), steps(0, 1, 2, 3))
    restarted = span(20, 30, starts=[(2, 20.0)])
    assert split(parallel, others=[restarted]) == ([0, 1, 2, 3], [])


def test_a_start_without_a_time_counts_from_the_beginning_of_its_file() -> None:
    old = Rows(span(0, 10), steps(0, 1, 2, 3))
    assert split(old, others=[span(20, 30, starts=[(2, math.nan)])]) == ([0, 1], [2, 3])


def test_a_file_never_supersedes_itself_when_its_clock_was_set_back() -> None:
    part = Rows(span(100, 60, starts=[(0, 101.0)]), steps(0, 1, 2))
    assert split(part) == ([0, 1, 2], [])


def test_a_start_inside_a_file_supersedes_the_rows_before_it() -> None:
    step = steps(0, 1, 2, 3, 2, 3)
    hidden = hidden_by_breaks(step, [(4, 2, 5.0)])
    assert hidden is not None
    assert split(Rows(span(0, 10), step, hidden)) == ([0, 1, 2, 3], [2, 3])


def test_a_start_above_everything_written_hides_nothing() -> None:
    assert hidden_by_breaks(steps(0, 1, 2), [(2, 2, 5.0), (3, 9, 6.0)]) is None


def test_rows_behind_the_last_start_stay_even_at_the_highest_step() -> None:
    highest = 2**63 - 1
    hidden = hidden_by_breaks(steps(highest, highest, 5, highest), [(1, highest, 5.0), (3, 5, 6.0)])
    assert hidden is not None
    assert hidden.tolist() == [True, True, True, False]


class CountedSteps(np.ndarray[tuple[int], np.dtype[np.int64]]):
    """Counts the numbers that go through NumPy's functions."""

    seen = 0

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        CountedSteps.seen += sum(np.size(given) for given in inputs)
        plain = [np.asarray(given) for given in inputs]
        return getattr(ufunc, method)(*plain, **options)


def test_many_starts_in_one_file_do_not_multiply_the_work() -> None:
    count = 1000
    step = np.tile(np.arange(10, dtype=np.int64), count // 10).view(CountedSteps)
    CountedSteps.seen = 0
    hidden = hidden_by_breaks(step, [(row, 0, 0.0) for row in range(0, count, 10)])
    assert hidden is not None
    assert hidden.sum() == count - 10
    assert CountedSteps.seen <= 4 * count


def test_a_file_of_unknown_time_is_taken_as_a_parallel_writer() -> None:
    known = Rows(span(0, 10), steps(5, 6))
    unknown = Rows(span(math.nan, math.nan), steps(1, 7))
    assert split(known, unknown) == ([1, 5, 6, 7], [])


def test_files_are_ordered_by_start_then_by_name_with_unknown_ones_last() -> None:
    files = [
        span(math.nan, math.nan, name="a"),
        span(5, 6, name="z"),
        span(5, 9, name="b"),
        span(1, 2, name="q"),
    ]
    assert write_order(files) == [3, 2, 1, 0]


def test_extreme_steps_are_compared_exactly() -> None:
    low, high = -(2**63), 2**63 - 1
    before = Rows(span(0, 1), steps(low, 2**53, 2**53 + 1, high - 1))
    after = Rows(span(2, 3), steps(2**53 + 1))
    assert split(before, after) == ([low, 2**53, 2**53 + 1], [2**53 + 1, high - 1])


# ── against a naive reference ────────────────────────────────────────────────────────────────────────────

WHEN = st.one_of(st.integers(0, 12).map(float), st.just(math.nan))
STEP = st.integers(-3, 12)


@st.composite
def files_of_a_run(draw: st.DrawFn) -> list[tuple[FileSpan, list[int], list[Break]]]:
    files = []
    for number in range(draw(st.integers(1, 5))):
        begin = draw(WHEN)
        end = begin + draw(st.integers(0, 4))
        starts = draw(st.lists(st.tuples(STEP, WHEN), max_size=2))
        step = draw(st.lists(STEP, max_size=6))
        breaks = draw(st.lists(st.tuples(st.integers(0, len(step)), STEP, WHEN), max_size=2))
        files.append((span(begin, end, name=f"f{number}", starts=starts), step, breaks))
    return files


def naive_is_superseded(
    files: Sequence[tuple[FileSpan, list[int], list[Break]]], position: int, row: int
) -> bool:
    """The rule of the contract read aloud for one point."""
    file, step, breaks = files[position]
    for start_row, start_step, _ in breaks:
        if row < start_row and step[row] >= start_step:
            return True
    for other, other_step, _ in files:
        if other is file:
            continue
        if file.end < other.begin and other_step and step[row] >= other_step[0]:
            return True
        for start_step, start_time in other.starts:
            time = other.begin if math.isnan(start_time) else start_time
            if file.end < time and step[row] >= start_step:
                return True
    return False


def naive_merge(parts: list[list[tuple[int, int]]]) -> list[int]:
    """Repeatedly take the head with the lowest step; ties go to the earlier part."""
    heads = [list(part) for part in parts]
    merged = []
    while any(heads):
        best = min((part for part in heads if part), key=lambda part: part[0][0])
        merged.append(best.pop(0)[1])
    return merged


@given(files_of_a_run())
@example([(span(0, 0, name="f0"), [], []), (span(1, 1, name="f1"), [], [])])
def test_the_rule_agrees_with_a_naive_reference_point_by_point(
    files: list[tuple[FileSpan, list[int], list[Break]]],
) -> None:
    files = [files[position] for position in write_order([file for file, _, _ in files])]
    parts = []
    for file, step, breaks in files:
        array = steps(*step)
        parts.append(Rows(file, array, hidden_by_breaks(array, breaks)))
    total = sum(len(step) for _, step, _ in files)
    branches = split_branches(parts, RestartTimes(file for file, _, _ in files))
    if branches is None:
        branches = Branches(visible=np.arange(total), superseded=np.arange(0))

    visible: list[list[tuple[int, int]]] = []
    superseded = []
    row = 0
    for position, (_, step, _) in enumerate(files):
        visible.append([])
        for row_in_file, value in enumerate(step):
            if naive_is_superseded(files, position, row_in_file):
                superseded.append(row)
            else:
                visible[-1].append((value, row))
            row += 1
    assert branches.superseded.tolist() == superseded
    assert branches.visible.tolist() == naive_merge(visible)


@given(files_of_a_run())
def test_every_point_is_either_visible_or_superseded_and_none_is_lost(
    files: list[tuple[FileSpan, list[int], list[Break]]],
) -> None:
    parts = [Rows(file, steps(*step), hidden_by_breaks(steps(*step), breaks)) for file, step, breaks in files]
    total = sum(len(part.step) for part in parts)
    branches = split_branches(parts, RestartTimes(part.file for part in parts))
    if branches is not None:
        rows = np.concatenate([branches.visible, branches.superseded])
        assert sorted(rows.tolist()) == list(range(total))
