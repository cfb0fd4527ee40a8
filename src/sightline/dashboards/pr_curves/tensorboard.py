"""``/data/plugin/pr_curves``: the curve of every step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sightline.dashboards.context import Context
from sightline.dashboards.kind_tags import tag_facts
from sightline.model.errors import BadArgumentError
from sightline.model.kinds import Kind
from sightline.query.decoded_series import MAX_NUMBERS
from sightline.query.pr_curves import PrCurveSeries, pr_curves_of
from sightline.wire.numbers import json_numbers
from sightline.wire.routes import ApiError
from sightline.wire.tensorboard import Fields, Pieces, list_pieces
from sightline.wire.text import wire_json

_COUNTS = ("true_positives", "false_positives", "true_negatives", "false_negatives")
_VALUES_PER_PIECE = 16


def tags(context: Context, _: Fields) -> dict[str, dict[str, dict[str, str]]]:
    return tag_facts(context, Kind.pr_curve)


def pr_curves(context: Context, fields: Fields) -> Pieces:
    runs = list(dict.fromkeys(fields.of_query("run")))
    if not runs:
        raise ApiError(400, "No runs provided when fetching PR curve data")
    tag = fields.first("tag")
    if not tag:
        raise ApiError(400, "No tag provided when fetching PR curve data")
    try:
        found = dict(pr_curves_of(context.store, runs, tag))
    except BadArgumentError as error:
        raise ApiError(
            413, f"The answer would have more than {MAX_NUMBERS:,} numbers: ask for fewer runs"
        ) from error
    for run in runs:
        if run not in found:
            raise ApiError(400, f"No PR curves could be found for run {run!r} and tag {tag!r}")
    return Pieces(_by_run(found))


def _by_run(found: dict[str, PrCurveSeries]) -> Iterator[bytes]:
    mark = b"{"
    for run, series in found.items():
        yield mark + wire_json(run) + b":"
        yield from list_pieces(_entries(series), per_piece=_VALUES_PER_PIECE)
        mark = b","
    yield b"}"


def _entries(series: PrCurveSeries) -> Iterator[dict[str, Any]]:
    """What cannot be read is left out, and so are counts that are no numbers."""
    end = 0
    for position, size in enumerate(series.size.tolist()):
        begin, end = end, end + size
        counts = {name: getattr(series, name)[begin:end] for name in _COUNTS}
        if size == 0 or not all(np.isfinite(numbers).all() for numbers in counts.values()):
            continue
        shown = _shown_count(np.trunc(counts["true_positives"]) + np.trunc(counts["false_positives"]))
        yield {
            "wall_time": float(series.wall_time[position]),
            "step": int(series.step[position]),
            "precision": json_numbers(series.precision[begin : begin + shown]),
            "recall": json_numbers(series.recall[begin : begin + shown]),
            **{name: list(map(int, numbers[:shown].tolist())) for name, numbers in counts.items()},
            "thresholds": np.linspace(0.0, 1.0, size)[:shown].tolist(),
        }


def _shown_count(predicted: np.ndarray[Any, np.dtype[np.float64]]) -> int:
    """Without the thresholds at the end above all scores; one is always left."""
    filled = np.flatnonzero(predicted)
    return int(filled[-1]) + 1 if len(filled) else 1
