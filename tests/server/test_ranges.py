"""Large answers over HTTP: as parts, as nothing but their headers, and cut when the log changes meanwhile."""

from __future__ import annotations

import asyncio
import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from sightline.log import Log, open_log
from sightline.model import byte_source
from sightline.model.errors import FileGoneError
from sightline.store import stored_bytes
from tests.event_logs import image_record, write_run
from tests.media.encoded import encode, image, photo
from tests.server.clients import InProcess, client_for

PICTURE = encode(image(photo(40, 60)), "PNG") + os.urandom(20_000)
LARGE_BYTES = 24 << 20
PARAMS = {"run": 0, "tag": "x", "index": 0, "step": 0}


@pytest.fixture
def log(tmp_path: Path) -> Log:
    write_run(tmp_path / "a", image_record("x", 0, PICTURE))
    return open_log(tmp_path, watch=False, cache=False).wait()


@pytest.fixture(params=[1_000, 1 << 20])
def client(log: Log, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> InProcess:
    """In many pieces, and in one."""
    monkeypatch.setattr(stored_bytes, "PAGE_BYTES", request.param)
    monkeypatch.setattr(byte_source, "PIECE_BYTES", request.param)
    client = client_for(log)
    client.api("runs")
    return client


def ask(client: InProcess, method: str = "GET", path: str = "images/original", **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.ask(method, f"/api/v1/{path}", params=PARAMS, headers=named)


def test_the_whole_has_its_length_and_says_that_parts_may_be_had(client: InProcess) -> None:
    answer = ask(client)
    assert (answer.status_code, answer.content) == (200, PICTURE)
    assert answer.headers["content-length"] == str(len(PICTURE))
    assert answer.headers["accept-ranges"] == "bytes"


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        ("bytes=0-0", 0, 0),
        ("bytes=100-5099", 100, 5099),
        ("bytes=1000-", 1000, len(PICTURE) - 1),
        ("bytes=-3000", len(PICTURE) - 3000, len(PICTURE) - 1),
        ("bytes=5-99999999999", 5, len(PICTURE) - 1),
        ("bytes=-99999999999", 0, len(PICTURE) - 1),
    ],
)
def test_a_part(client: InProcess, asked: str, first: int, last: int) -> None:
    answer = ask(client, range=asked)
    assert answer.status_code == 206
    assert answer.content == PICTURE[first : last + 1]
    assert answer.headers["content-range"] == f"bytes {first}-{last}/{len(PICTURE)}"
    assert answer.headers["content-length"] == str(last + 1 - first)
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["content-security-policy"].startswith("sandbox")


@pytest.mark.parametrize(
    "asked", ["bytes=0-1,5-6", "bytes=-", "bytes=9-5", "pages=1-2", "bytes=a-b", "bytes", "bytes=1-2-3"]
)
def test_what_is_no_part_gets_the_whole(client: InProcess, asked: str) -> None:
    answer = ask(client, range=asked)
    assert (answer.status_code, answer.content) == (200, PICTURE)


@pytest.mark.parametrize("asked", [f"bytes={len(PICTURE)}-", "bytes=999999-999999", "bytes=-0"])
def test_a_part_behind_the_end(client: InProcess, asked: str) -> None:
    answer = ask(client, range=asked)
    assert (answer.status_code, answer.content) == (416, b"")
    assert answer.headers["content-range"] == f"bytes */{len(PICTURE)}"


def test_a_part_of_what_is_another_thing_now_is_the_whole(client: InProcess) -> None:
    etag = ask(client).headers["etag"]
    assert ask(client, range="bytes=0-9", if_range=etag).status_code == 206
    assert ask(client, range="bytes=0-9", if_range='"other"').status_code == 200
    assert ask(client, range="bytes=0-9", if_none_match=etag).status_code == 304


def test_head_reads_nothing_but_the_header(client: InProcess, reads: list[int]) -> None:
    answer = ask(client, "HEAD", range="bytes=0-9")
    assert sum(reads) <= max(2_000, stored_bytes.PAGE_BYTES)
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-length"] == str(len(PICTURE))
    assert answer.headers["sightline-facts"]


FILM = b"\x1aE\xdf\xa3" + bytes(range(256)) * 20_000
"""WebM, as far as anybody here looks."""


def test_of_a_film_only_the_part_that_is_asked_for_is_read(tmp_path: Path, reads: list[int]) -> None:
    write_run(tmp_path / "film", image_record("x", 0, FILM))
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    client.api("runs")
    first = ask(client, range="bytes=1000-1001")
    for method, asked, most_bytes in (
        ("GET", "bytes=1000-1001", 20_000),
        ("HEAD", "", 0),
        ("GET", "bytes=3000000-", len(FILM) - 3_000_000 + 20_000),
        ("GET", "", len(FILM) + 20_000),
    ):
        reads.clear()
        answer = ask(client, method, **({"range": asked} if asked else {}))
        assert answer.headers["sightline-facts"] == first.headers["sightline-facts"]
        assert sum(reads) <= most_bytes


def test_far_away_a_part_of_a_film_takes_few_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsspec = pytest.importorskip("fsspec")
    from sightline.readers.remote import RemoteReader

    path = write_run(tmp_path / "a", image_record("x", 0, FILM))
    fsspec.filesystem("memory").pipe(f"/{tmp_path.name}/a/{path.name}", path.read_bytes())
    requests: list[int] = []
    read = RemoteReader.read

    def counted(self: RemoteReader, file_id: int, offset: int, length: int) -> bytes:
        requests.append(length)
        return read(self, file_id, offset, length)

    monkeypatch.setattr(RemoteReader, "read", counted)
    log = open_log(f"memory://{tmp_path.name}", watch=False, cache=False).wait()
    client = client_for(log)
    client.api("runs")
    assert ask(client, range="bytes=1000-1001").content == FILM[1_000:1_002]
    assert len(requests) <= 3
    for asked, most in (
        ("bytes=1000-1001", 1),
        ("bytes=3000000-", 1 + 1 + (len(FILM) - 3_000_000 >> 20) + 1),
    ):
        requests.clear()
        assert ask(client, range=asked).status_code == 206
        assert len(requests) <= most


def test_parts_of_a_thumbnail_and_of_pixels(client: InProcess) -> None:
    for path in ("images/thumbnail", "images/pixels"):
        whole = ask(client, path=path)
        part = ask(client, path=path, range="bytes=3-40")
        assert (part.status_code, part.content) == (206, whole.content[3:41])


# ── while it is sent ─────────────────────────────────────────────────────────────────────────────────────


ORIGINAL = "/api/v1/images/original?run=0&tag=x&index=0&step=0"


def sent_by(client: InProcess, url: str, after_first_piece: Any = None) -> int:
    """How many bytes the application sends. What it raises ends the connection; here it is raised."""
    path, _, query = url.partition("?")
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(b"host", b"localhost:6006")],
        "server": ("localhost", 6006),
        "client": ("127.0.0.1", 1),
        "scheme": "http",
        "http_version": "1.1",
        "root_path": "",
    }
    sizes: list[int] = []
    requests = [{"type": "http.request", "body": b""}]

    async def receive() -> Any:
        return requests.pop() if requests else await asyncio.Event().wait()

    async def send(message: Any) -> None:
        if size := len(message.get("body", b"")):
            sizes.append(size)
            if len(sizes) == 1 and after_first_piece is not None:
                after_first_piece()

    asyncio.run(client.app(scope, receive, send))
    return sum(sizes)


def test_a_file_that_is_cut_meanwhile_ends_the_answer(
    tmp_path: Path, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_bytes, "PAGE_BYTES", 1_000)
    monkeypatch.setattr(byte_source, "PIECE_BYTES", 1_000)
    client = client_for(log)
    client.api("runs")
    (path,) = (tmp_path / "a").iterdir()

    assert sent_by(client, ORIGINAL) == len(PICTURE)
    with pytest.raises(FileGoneError, match="cut short"):
        sent_by(client, ORIGINAL, lambda: os.truncate(path, 15_000))
    assert ask(client).status_code >= 400  # from the start there is a sentence instead of an answer that ends


@pytest.mark.parametrize("is_tensorboard", [False, True])
def test_memory_does_not_grow_with_what_is_sent(tmp_path: Path, *, is_tensorboard: bool) -> None:
    write_run(tmp_path / "large", image_record("x", 0, PICTURE + bytes(LARGE_BYTES)))
    client = client_for(open_log(tmp_path, watch=False, cache=False).wait())
    client.api("runs")
    url = ORIGINAL
    if is_tensorboard:
        (one,) = client.get("/data/plugin/images/images?run=large&tag=x&sample=0").json()
        url = f"/data/plugin/images/individualImage?{one['query']}"
    sent_by(client, url)  # brings the modules
    tracemalloc.start()
    try:
        assert sent_by(client, url) > LARGE_BYTES
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8 << 20
