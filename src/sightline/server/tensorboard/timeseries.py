"""``/data/plugin/timeseries``: what TensorBoard's default tab asks for; scalars of it, so far.

A request without a run is answered for every run, as TensorBoard does.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from sightline.server.context import ServerContext
from sightline.server.scalar_tags import ScalarTag
from sightline.server.tensorboard.answers import Fields, invalid_argument
from sightline.server.tensorboard.descriptions import safe_html
from sightline.server.tensorboard.scalars import series_of
from sightline.wire.numbers import Number, json_numbers

_PLUGINS = ("scalars", "histograms", "images")
_NEED_RUN = ("histograms", "images")


class Datum(Struct, frozen=True, rename="camel"):
    """One point."""

    wall_time: Number
    step: int
    value: Number


def tags(context: ServerContext, _: Fields) -> dict[str, Any]:
    found = context.scalar_tags.all()
    run_tags: dict[str, list[str]] = defaultdict(list)
    for one in found:
        run_tags[one.run].append(one.tag)
    return {
        "scalars": {
            "runTagInfo": {run: sorted(names) for run, names in run_tags.items()},
            "tagDescriptions": _descriptions(found),
        },
        # Listed when they are served: see docs/http-api.md.
        "histograms": {"runTagInfo": {}, "tagDescriptions": {}},
        "images": {"tagDescriptions": {}, "tagRunSampledInfo": {}},
    }


def _descriptions(found: list[ScalarTag]) -> dict[str, str]:
    """Of each tag that has one; where runs disagree, all of them under the runs' names."""
    runs_by_text: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for one in found:
        if one.description:
            runs_by_text[one.tag][one.description].append(one.run)
    return {tag: _description(texts) for tag, texts in runs_by_text.items()}


def _description(runs_by_text: Mapping[str, list[str]]) -> str:
    if len(runs_by_text) == 1:
        return safe_html(next(iter(runs_by_text)))
    parts = ["<h1>Multiple descriptions</h1>"]
    for text in sorted(runs_by_text):
        runs = sorted(runs_by_text[text])
        noun = "runs" if len(runs) > 1 else "run"
        heading = safe_html(f"For {noun}: {', '.join(runs)}").removeprefix("<p>").removesuffix("</p>")
        parts += [f"<h2>{heading}</h2>", safe_html(text)]
    return "\n".join(parts)


def time_series(context: ServerContext, fields: Fields) -> list[dict[str, Any]]:
    given = (
        next(iter(fields.of_form("requests")), None) if fields.method == "POST" else fields.first("requests")
    )
    if not given:
        raise invalid_argument("Missing 'requests' field")
    try:
        requests = json.loads(given)
    except (ValueError, RecursionError):
        raise invalid_argument("Unable to parse 'requests' as JSON") from None
    if not isinstance(requests, list) or not all(isinstance(one, dict) for one in requests):
        raise invalid_argument("'requests' is not a list of objects")
    return [_answer(context, one) for one in requests]


def _answer(context: ServerContext, request: Mapping[str, Any]) -> dict[str, Any]:
    answer = {"plugin": request.get("plugin"), "tag": request.get("tag")}
    if isinstance(request.get("run"), str):
        answer["run"] = request["run"]
    if isinstance(request.get("sample"), int):
        answer["sample"] = request["sample"]
    problem = _problem(request)
    if problem is not None:
        return {**answer, "error": problem}
    return {**answer, "runToSeries": _run_to_series(context, request["tag"], request.get("run"))}


def _problem(request: Mapping[str, Any]) -> str | None:
    plugin = request.get("plugin")
    if not isinstance(request.get("tag"), str):
        return "Missing tag"
    if plugin not in _PLUGINS:
        return "Invalid plugin"
    if plugin in _NEED_RUN and not isinstance(request.get("run"), str):
        return "Missing run"
    if plugin == "images" and not isinstance(request.get("sample"), int):
        return "Missing sample"
    return None if plugin == "scalars" else f"This version of Sightline does not serve {plugin} yet"


def _run_to_series(context: ServerContext, tag: str, run: object) -> dict[str, list[Datum]]:
    runs = [run] if isinstance(run, str) and run else context.store.names()
    found = {name: series_of(context, name, tag) for name in runs}
    return {name: _data(series) for name, series in found.items() if series is not None}


def _data(series: Any) -> list[Datum]:
    wall, value = json_numbers(series.wall_time), json_numbers(series.value)
    return list(map(Datum, wall, series.step.tolist(), value))
