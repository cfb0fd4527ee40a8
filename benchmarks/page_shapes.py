"""Log directories of the page's benchmark: two of the reading benchmark's, and three of its own."""

from __future__ import annotations

from benchmarks.logdirs import SHAPES as READING_SHAPES
from benchmarks.logdirs import Shape

SPIKE_STEP = 7_654_321
SPIKE_VALUE = 1e6  # the generator's default

SHAPES = {
    shape.name: shape
    for shape in (
        READING_SHAPES["S2"],
        READING_SHAPES["S3"],
        Shape(
            name="spike",
            summary="1 run, 1 tag, 10 M scalars, one of them a spike",
            arguments=("--preset", "S1", "--steps", "10000000", "--spike", str(SPIKE_STEP)),
            sample_arguments=(),
            points=10_000_000,
        ),
        Shape(
            name="lines",
            summary="1,000 runs, 2 tags, 1,000 steps",
            arguments=("--kind", "scalar", "--runs", "1000", "--tags", "2", "--steps", "1000"),
            sample_arguments=(),
            points=2_000_000,
        ),
        Shape(
            name="cards",
            summary="20 runs, 200 tags, 1,000 steps",
            arguments=("--kind", "scalar", "--runs", "20", "--tags", "200", "--steps", "1000"),
            sample_arguments=(),
            points=4_000_000,
        ),
    )
}
