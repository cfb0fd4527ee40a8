"""ETags of single values, over all routes that have them: another answer has another one, the same answer the
same, and what a file held before never comes back once it holds something else.

Values of different shades have the same size and lie at the same places, so that nothing but the content of
the file tells them apart.
"""

from __future__ import annotations

import io
import json
import os
import wave
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import numpy as np
import pytest
from msgspec.structs import fields

from sightline.dashboards import all_dashboards
from sightline.dashboards.tables import values as values_of_tables
from sightline.dashboards.tables.recent import Recent
from sightline.formats import tables
from sightline.log import Log, open_log
from sightline.wire.value_schemas import ItemParameters
from tests.event_logs import image_tensor_record, write_run
from tests.fixtures import event_bytes as eb
from tests.media.encoded import encode, image
from tests.server.clients import InProcess, client_for

FLOAT, STRING = 1, 7
STEPS = (0, 0, 1)
"""Of each series: the first step was logged twice."""


# ── a log ────────────────────────────────────────────────────────────────────────────────────────────────


def picture(shade: int, number: int = 0) -> bytes:
    """Of a size that all have: it is not compressed."""
    pixels = np.random.default_rng([shade, number]).integers(0, 256, (120, 160, 1), dtype=np.uint8)
    return encode(image(pixels), "PNG", compress_level=0)


def sound(shade: int, number: int) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes((np.arange(100, dtype="<i2") * shade + number).tobytes())
    data = out.getvalue()
    return data[:40] + bytes(4) + data[44:]  # as when it is recorded into a pipe: mended for playing


TABLE_COLUMNS = {"p": "image", "q": "image", "t": "text", "u": "text"}


def table(shade: int) -> list[bytes]:
    """Two rows of two pictures and two texts."""
    columns = [{"name": name, "type": kind} for name, kind in TABLE_COLUMNS.items()]
    rows = [
        [{"image": 1 + 2 * row}, {"image": 2 + 2 * row}, f"t {row} {shade}", f"u {row} {shade}"]
        for row in range(2)
    ]
    text = json.dumps({"version": 1, "columns": columns, "rows": rows})
    return [text.encode(), *(picture(shade, number) for number in range(4))]


def strings_record(tag: str, plugin: str, step: int, strings: list[bytes], *shape: int) -> bytes:
    cells = [eb.blob(8, one) for one in strings]
    meta = eb.metadata(plugin.encode(), content=eb.integer(2, 11) if plugin == "audio" else b"")
    return eb.tensor_record(tag.encode(), STRING, eb.shape(*shape), *cells, step=step, meta=meta)


def mesh_record(tag: str, step: int, shade: int) -> bytes:
    """A batch of two triangles."""
    numbers = np.arange(18, dtype="<f4") + shade
    content = eb.blob(4, numbers.tobytes())
    return eb.tensor_record(
        tag.encode(), FLOAT, eb.shape(2, 3, 3), content, step=step, meta=eb.metadata(b"mesh")
    )


def values(name: str, step: int, shade: int) -> Iterator[bytes]:
    """One of every kind."""
    yield image_tensor_record(f"image {name}", step, picture(shade, 0), picture(shade, 1))
    sounds = [sound(shade, 0), b"one", sound(shade, 1), b"two"]
    yield strings_record(f"audio {name}", "audio", step, sounds, 2, 2)
    yield strings_record(f"text {name}", "text", step, [f"A text of shade {shade}".encode()])
    yield strings_record(f"table {name}", tables.TABLE_PLUGIN, step, table(shade), 5)
    yield mesh_record(f"mesh {name}", step, shade)
    matrix = {"version": 1, "labels": ["a", "b"], "counts": [[shade, 1], [2, 3]]}
    figure = {"data": [{"y": [shade]}], "layout": {}}
    for kind, plugin, text in (
        ("matrix", tables.CONFUSION_MATRIX_PLUGIN, json.dumps(matrix)),
        ("figure", tables.PLOTLY_PLUGIN, json.dumps(figure)),
        ("page", tables.HTML_PLUGIN, f"<p>Shade {shade}</p>"),
    ):
        yield strings_record(f"{kind} {name}", plugin, step, [text.encode()])


def write_values(directory: Path, shade: int) -> Path:
    """Tags x and y of every kind. Those of another shade are other values in the same places."""
    return write_run(
        directory,
        *(
            record
            for tag, name in enumerate("xy")
            for position, step in enumerate(STEPS)
            for record in values(name, step, shade + 10 * tag + position)
        ),
    )


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Log:
    root = tmp_path_factory.mktemp("log")
    write_values(root / "a", 10)
    write_values(root / "b", 50)
    return open_log(root, watch=False, cache=False).wait()


@pytest.fixture(scope="module")
def client(log: Log) -> InProcess:
    return started(log)


def started(log: Log) -> InProcess:
    client = client_for(log)
    client.api("runs")  # which gives them their numbers
    return client


# ── questions ────────────────────────────────────────────────────────────────────────────────────────────


class Asked(NamedTuple):
    """How a route is asked for a value."""

    kind: str
    own: dict[str, Any]
    """What it wants to know besides the address."""
    others: dict[str, Any]
    """Another value of each parameter, with which the answer is another."""


CELL = {"row": 1, "column": 1, "size": 128, "download": True}

ROUTES = {
    "images/thumbnail": Asked("image", {}, {"sample": 1, "size": 128}),
    "images/original": Asked("image", {}, {"sample": 1, "download": True}),
    "images/pixels": Asked("image", {}, {"sample": 1}),
    "images/frames": Asked("image", {}, {"sample": 1}),
    "audio/sound": Asked("audio", {}, {"sample": 1, "download": True}),
    "audio/peaks": Asked("audio", {}, {"sample": 1, "buckets": 3}),
    "mesh": Asked("mesh", {}, {"sample": 1}),
    "text/item": Asked("text", {}, {"limit": 5}),
    "tables/image": Asked("table", {"row": 0, "column": 0}, CELL),
    "tables/cell": Asked("table", {"row": 0, "column": 2}, {"row": 1, "column": 3}),
    "tables/matrix": Asked("matrix", {}, {}),
    "tables/figure": Asked("figure", {}, {"download": True}),
    "tables/page": Asked("page", {}, {"scripts": True, "is_dark": True, "download": True}),
}
WITHOUT = {"text/download", "tables/export", "tables/page/facts"}
"""Routes whose answers have none."""

OTHER_VALUES = {"run": 1, "index": 1, "step": 1}
"""In the address of a value; for a tag it is its own."""

PARAMETERS = [
    (path, name) for path, asked in ROUTES.items() for name in ("tag", *OTHER_VALUES, *asked.others)
]


def other_question(path: str, name: str) -> dict[str, Any]:
    asked = ROUTES[path]
    return {name: {"tag": f"{asked.kind} y", **OTHER_VALUES, **asked.others}[name]}


def usual(path: str) -> dict[str, Any]:
    asked = ROUTES[path]
    return {"run": 0, "tag": f"{asked.kind} x", "index": 0, "step": 0, **asked.own}


def ask(client: InProcess, path: str, *, known: str = "", **changes: Any) -> httpx.Response:
    """``known``: the ETag of an answer that is here already."""
    server_id = client.app.state.context.server_id
    params = {**usual(path), "server_id": server_id, **changes}
    headers = {"if-none-match": known} if known else {}
    return client.get(f"/api/v1/{path}", params=params, headers=headers)


def told(answer: httpx.Response) -> tuple[Any, ...]:
    """What makes two answers different."""
    assert answer.status_code == 200, answer.text
    words = (answer.headers.get(name) for name in ("content-disposition", "content-security-policy"))
    return (answer.content, *words)


def test_every_parameter_of_every_route_is_asked_for_here() -> None:
    routes = {
        route.path: route
        for dashboard in all_dashboards()
        for route in dashboard.routes
        if route.method == "GET"
        and route.request_type is not None
        and issubclass(route.request_type, ItemParameters)
    }
    assert set(routes) == {*ROUTES, *WITHOUT}
    # Of documents that are fitted none is kept: see test_logged_pages.py.
    no_matter = {"server_id", "is_fitted"}
    for path, asked in ROUTES.items():
        request = routes[path].request_type
        assert request is not None
        names = {field.name for field in fields(request)}
        assert names - no_matter == {"tag", *OTHER_VALUES, *asked.others}, path


@pytest.mark.parametrize("path", ROUTES)
def test_the_same_question_has_the_same_etag_and_one_answer(client: InProcess, path: str) -> None:
    first = ask(client, path)
    assert told(ask(client, path)) == told(first)
    etag = first.headers["etag"]
    assert ask(client, path).headers["etag"] == etag
    known = ask(client, path, known=etag)
    assert (known.status_code, known.content, known.headers["etag"]) == (304, b"", etag)
    # That the server is named, or not, makes no other question of it.
    unnamed = client.get(f"/api/v1/{path}", params=usual(path), headers={"if-none-match": etag})
    assert unnamed.status_code == 304


@pytest.mark.parametrize(("path", "name"), PARAMETERS)
def test_a_parameter_that_changes_the_answer_changes_the_etag(
    client: InProcess, path: str, name: str
) -> None:
    change = other_question(path, name)
    first = ask(client, path)
    other = ask(client, path, known=first.headers["etag"], **change)
    assert told(other) != told(first)
    assert other.headers["etag"] != first.headers["etag"]
    assert told(ask(client, path, known=other.headers["etag"])) == told(first)


@pytest.mark.parametrize(
    ("path", "name"), [(path, name) for path, asked in ROUTES.items() for name in ("tag", *asked.others)]
)
def test_what_is_known_already_costs_no_reading(
    tmp_path: Path, path: str, name: str, monkeypatch: pytest.MonkeyPatch, reads: list[int]
) -> None:
    write_values(tmp_path / "a", 10)
    with open_log(tmp_path, watch=False, cache=False) as log:
        client = started(log.wait())
        change = other_question(path, name)
        reads.clear()
        etag = ask(client, path, **change).headers["etag"]
        assert reads
        # Not even a table that is still there from a moment ago is of use.
        monkeypatch.setattr(values_of_tables, "_RECENT", Recent(max_cost=1, max_count=1, keep_s=60))
        reads.clear()
        known = ask(client, path, known=etag, **change)
        assert (known.status_code, known.headers["etag"], reads) == (304, etag, [])


@pytest.mark.parametrize(("path", "name"), [("tables/page", name) for name in ("tag", "scripts", "download")])
def test_what_is_known_already_stays_shut_in_as_it_was(client: InProcess, path: str, name: str) -> None:
    """A browser takes the headers of such an answer for those of the one that it has."""
    change = other_question(path, name)
    first = ask(client, path, **change)
    known = ask(client, path, known=first.headers["etag"], **change)
    assert known.status_code == 304
    is_about_it = ("content-security-policy", "cross-origin-opener-policy", "referrer-policy")
    for header in (*is_about_it, "permissions-policy", "x-dns-prefetch-control", "cache-control"):
        assert known.headers.get(header) == first.headers.get(header), header


def test_no_two_questions_share_an_etag(client: InProcess) -> None:
    """Browsers keep answers by their address; whoever keeps them by their ETag is not misled either."""
    etags = [ask(client, path).headers["etag"] for path in ROUTES]
    etags += [ask(client, path, **other_question(path, name)).headers["etag"] for path, name in PARAMETERS]
    assert len(set(etags)) == len(etags)


@pytest.mark.parametrize("path", ROUTES)
def test_another_start_of_the_server_has_other_etags(log: Log, client: InProcess, path: str) -> None:
    """The numbers in them count what one start has seen: those of the next mean other files."""
    first = ask(client, path)
    again = ask(started(log), path, known=first.headers["etag"])
    assert told(again) == told(first)
    assert again.headers["etag"] != first.headers["etag"]


# ── files that change ────────────────────────────────────────────────────────────────────────────────────


def replaced(path: Path, data: bytes) -> None:
    fresh = path.with_name("fresh")
    fresh.write_bytes(data)
    fresh.replace(path)


def rewritten(path: Path, data: bytes) -> None:
    with path.open("r+b") as file:
        file.write(data)


@pytest.mark.parametrize("change", [replaced, rewritten])
@pytest.mark.parametrize("path", ROUTES)
def test_a_file_with_other_values_in_the_same_places_has_other_answers(
    tmp_path: Path, path: str, change: Callable[[Path, bytes], None]
) -> None:
    file = write_values(tmp_path / "log" / "a", 10)
    data = write_values(tmp_path / "other" / "a", 50).read_bytes()
    before = file.stat()
    assert len(data) == before.st_size
    with (
        open_log(tmp_path / "log", watch=False, cache=tmp_path / "cache") as log,
        open_log(tmp_path / "other", watch=False, cache=False) as other,
    ):
        client = started(log.wait())
        first = ask(client, path)
        change(file, data)
        # Clocks of file systems are coarse: two writes may get the same time.
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns + 10**9))
        log.refresh()
        again = ask(client, path, known=first.headers["etag"])
        assert told(again) == told(ask(started(other.wait()), path)) != told(first)
        assert again.headers["etag"] != first.headers["etag"]
