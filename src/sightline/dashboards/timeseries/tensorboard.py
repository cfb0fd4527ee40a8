"""``/data/plugin/timeseries``: what TensorBoard's default tab asks for: scalars, histograms and images.

A request without a run is answered for every run, as TensorBoard does.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from sightline.dashboards.context import Context
from sightline.dashboards.descriptions import safe_html
from sightline.dashboards.kind_tags import KindTag, kind_tags
from sightline.dashboards.tensorboard_blobs import IMAGES, blobs_of, picture
from sightline.dashboards.tensorboard_histograms import VALUES_PER_PIECE
from sightline.dashboards.tensorboard_points import (
    AS_OBJECT,
    by_run_pieces,
    check_room,
    count_points,
    runs_with,
)
from sightline.model.kinds import Kind
from sightline.query.histograms import bucket_tables
from sightline.query.media_items import find_series, sample_count
from sightline.wire.tensorboard import Fields, Pieces, invalid_argument, list_pieces
from sightline.wire.text import wire_json

_PLUGINS = ("scalars", "histograms", "images")
_NEED_RUN = ("histograms", "images")
_MAX_DIGITS = 19
_BUCKET_BYTES = 16
"""In a file, at least where nearly all come from. To send one takes as long as to send a point."""
_POINTS_PER_PICTURE = 8
"""What takes as long as to make its key."""


def tags(context: Context, _: Fields) -> dict[str, Any]:
    return {
        "scalars": _run_tags(context, Kind.scalar),
        "histograms": _run_tags(context, Kind.histogram),
        "images": _image_tags(context),
    }


def _run_tags(context: Context, kind: Kind) -> dict[str, Any]:
    found = kind_tags(context, kind).all()
    run_tags: dict[str, list[str]] = defaultdict(list)
    for one in found:
        run_tags[one.run].append(one.tag)
    return {
        "runTagInfo": {run: sorted(names) for run, names in run_tags.items()},
        "tagDescriptions": _descriptions(found),
    }


def _image_tags(context: Context) -> dict[str, Any]:
    found = kind_tags(context, Kind.image).all()
    sampled: dict[str, dict[str, Any]] = defaultdict(dict)
    for one in found:
        sampled[one.tag][one.run] = {"maxSamplesPerStep": _most_samples(context, one)}
    return {"tagDescriptions": _descriptions(found), "tagRunSampledInfo": sampled}


def _most_samples(context: Context, one: KindTag) -> int:
    series = find_series(context.store, one.run, Kind.image, one.tag)
    return 0 if series is None else sample_count(series)


def _descriptions(found: list[KindTag]) -> dict[str, str]:
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


def time_series(context: Context, fields: Fields) -> Pieces:
    given = (
        next(iter(fields.of_form("requests")), None) if fields.method == "POST" else fields.first("requests")
    )
    if not given:
        raise invalid_argument("Missing 'requests' field")
    try:
        requests = json.loads(given, parse_int=_number)
    except (ValueError, RecursionError):
        raise invalid_argument("Unable to parse 'requests' as JSON") from None
    if not isinstance(requests, list) or not all(isinstance(one, dict) for one in requests):
        raise invalid_argument("'requests' is not a list of objects")
    check_room(_point_counts(context, requests))
    return Pieces(_pieces(context, requests))


def _number(digits: str) -> int | float:
    """What no JSON encoder of fixed width takes is no number of a sample either."""
    return int(digits) if len(digits) < _MAX_DIGITS else float(digits)


def _pieces(context: Context, requests: Sequence[Mapping[str, Any]]) -> Iterator[bytes]:
    mark = b"["
    for request in requests:
        problem = _problem(request)
        told = _repeated(request) if problem is None else {**_repeated(request), "error": problem}
        text = mark + wire_json(told)
        mark = b","
        if problem is not None:
            yield text
            continue
        yield text.removesuffix(b"}") + b',"runToSeries":'
        if request["plugin"] == "images":
            yield from _image_pieces(context, request)
        elif request["plugin"] == "histograms":
            yield from _histogram_pieces(context, request)
        else:
            yield from by_run_pieces(context, _runs_of(context, request), request["tag"], form=AS_OBJECT)
        yield b"}"
    yield b"]" if requests else b"[]"


def _image_pieces(context: Context, request: Mapping[str, Any]) -> Iterator[bytes]:
    run = request["run"]
    found = blobs_of(context, IMAGES, run, request["tag"], request["sample"])
    first = None if found is None else next(found, None)
    if found is None or first is None:
        yield b"{}"
        return
    yield b"{" + wire_json(run) + b":"
    entries = (
        {"step": one.step, "wallTime": one.wall_time, "imageId": one.key} for one in chain([first], found)
    )
    yield from list_pieces(entries)
    yield b"}"


def _histogram_pieces(context: Context, request: Mapping[str, Any]) -> Iterator[bytes]:
    found = bucket_tables(context.store, request["run"], request["tag"])
    if found is None:
        yield b"{}"
        return
    yield b"{" + wire_json(request["run"]) + b":"
    entries = (
        {
            "wallTime": wall_time,
            "step": step,
            "bins": [{"min": low, "max": high, "count": count} for low, high, count in table.tolist()],
        }
        for wall_time, step, table in found
    )
    yield from list_pieces(entries, per_piece=VALUES_PER_PIECE)
    yield b"}"


def image_data(context: Context, fields: Fields) -> Pieces:
    key = fields.first("imageId")
    if not key:
        raise invalid_argument("Missing 'imageId' field")
    return picture(context, key)


def _point_counts(context: Context, requests: Sequence[Mapping[str, Any]]) -> Iterator[int]:
    """What all of them come to, in points. A question that is asked a thousand times is counted once, and
    multiplied."""
    usable = [one for one in requests if _problem(one) is None]
    asked = Counter((one["plugin"], one["tag"], _run_of(one)) for one in usable)
    for (plugin, tag, run), times in asked.items():
        if plugin == "scalars":
            runs = kind_tags(context, Kind.scalar).runs_with(tag) if run is None else [run]
            for count in count_points(context, tag, runs):
                yield times * count
            continue
        kind = Kind.histogram if plugin == "histograms" else Kind.image
        series = find_series(context.store, run or "", kind, tag)
        if series is not None and kind is Kind.histogram:
            yield times * (len(series) + int(series.size_bytes.sum()) // _BUCKET_BYTES)
        elif series is not None:
            yield times * len(series) * _POINTS_PER_PICTURE


def _repeated(request: Mapping[str, Any]) -> dict[str, Any]:
    """What an answer repeats of its question."""
    answer = {"plugin": request.get("plugin"), "tag": request.get("tag")}
    if isinstance(request.get("run"), str):
        answer["run"] = request["run"]
    if isinstance(request.get("sample"), int):
        answer["sample"] = request["sample"]
    return answer


def _problem(request: Mapping[str, Any]) -> str | None:
    plugin = request.get("plugin")
    if not isinstance(request.get("tag"), str):
        return "Missing tag"
    if plugin not in _PLUGINS:
        return "Invalid plugin"
    if plugin in _NEED_RUN and not isinstance(request.get("run"), str):
        return "Missing run"
    if plugin == "images" and not _is_sample(request.get("sample")):
        return "Missing sample"
    return None


def _is_sample(sample: object) -> bool:
    return type(sample) is int and sample >= 0


def _run_of(request: Mapping[str, Any]) -> str | None:
    """None: all of them."""
    run = request.get("run")
    return run if isinstance(run, str) and run else None


def _runs_of(context: Context, request: Mapping[str, Any]) -> list[str]:
    run, tag = _run_of(request), request["tag"]
    return runs_with(context, kind_tags(context, Kind.scalar).runs_with(tag) if run is None else [run], tag)
