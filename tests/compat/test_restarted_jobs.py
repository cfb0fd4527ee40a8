"""Restarts and parallel writers in logs of real programs: what is shown, and what is kept but hidden.

The expected points are written out by hand from what the jobs did (scripts/fixtures): values are the step
plus 100 (or 60) for each part, so that a value tells which part it came from.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import sightline
from tests.compat.test_real_logs import LOGS


@contextmanager
def run_of(name: str) -> Iterator[sightline.Run]:
    with sightline.open(LOGS / name, watch=False, cache=False) as log:
        yield log.wait(timeout_s=60)["."]


VISIBLE_AND_SUPERSEDED = {
    ("torch/restart_without_start", "loss"): (
        [*range(6), *range(106, 112), *range(312, 318)],
        [*range(6, 12), *range(112, 115), *range(215, 220)],
    ),
    ("torch/restart_without_start", "every third"): ([0, 3, 106, 109, 312, 315], [6, 9, 112, 215, 218]),
    ("torch/purge_step", "loss"): ([*range(8), *range(108, 116)], [*range(8, 12)]),
    ("torch/purge_step", "every third"): ([0, 3, 6, 109, 112, 115], [9]),
    ("tensorboardx/purge_step", "loss"): ([*range(4), *range(64, 70)], [*range(4, 8)]),
    ("tf1/restart_with_start", "loss"): (
        [*range(5), *range(105, 108), *range(208, 214)],
        [*range(5, 10), *range(108, 112)],
    ),
    ("tf1/restart_with_start", "even"): ([0, 2, 4, 106, 208, 210, 212], [6, 8, 108, 110]),
    ("tf1/restart_in_one_file", "loss"): ([*range(4), *range(104, 110), 210], [*range(4, 8), 110, 111]),
    ("torch/parallel_writers", "loss"): ([*range(10)], []),
    ("torch/parallel_writers", "rank1/loss"): ([*range(10)], []),
    ("torch/reopened", "loss"): ([*range(6)], []),
}


@pytest.mark.parametrize(("log", "tag"), VISIBLE_AND_SUPERSEDED)
def test_a_restarted_job_shows_the_branch_that_went_on(log: str, tag: str) -> None:
    visible, superseded = VISIBLE_AND_SUPERSEDED[log, tag]
    with run_of(log) as run:
        series = run.scalars[tag]
        assert series.value.tolist() == visible
        assert series.superseded.value.tolist() == superseded
        assert sorted(series.all.value.tolist()) == sorted(visible + superseded)


def test_visible_steps_of_a_restarted_job_never_go_back() -> None:
    for log, tag in VISIBLE_AND_SUPERSEDED:
        with run_of(log) as run:
            steps = run.scalars[tag].step.tolist()
            assert steps == sorted(set(steps))
