"""Last values of metrics in all runs."""

from __future__ import annotations

import math
from pathlib import Path

from sightline.query.last_values import last_values
from tests.event_logs import points, read, write_restarted_run, write_run
from tests.fixtures import event_bytes as eb


def test_every_run_with_the_tag_has_its_last_visible_point(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(3)), points(range(9), tag="acc"))
    write_restarted_run(tmp_path / "b")
    write_run(tmp_path / "c", points(range(5), tag="acc"))
    acc, loss, nothing = last_values(read(tmp_path), ["acc", "loss", "nothing"])
    assert (acc.tag, acc.runs, acc.step.tolist()) == ("acc", ["a", "c"], [8, 4])
    assert (loss.runs, loss.step.tolist(), loss.value.tolist()) == (["a", "b"], [2, 7], [2, 70])
    assert (nothing.runs, len(nothing.step), len(nothing.value)) == ([], 0, 0)


def test_a_last_value_that_is_no_number_is_told(tmp_path: Path) -> None:
    write_run(tmp_path / "a", eb.scalar(1, 1.0, tag=b"loss"), eb.scalar(2, math.nan, tag=b"loss"))
    [loss] = last_values(read(tmp_path), ["loss"])
    assert math.isnan(loss.value[0])
    assert loss.step.tolist() == [2]
