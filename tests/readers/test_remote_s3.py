"""Remote roots on a real S3 protocol (moto's server): the requests that go over the wire, counted.

What TensorBoard's users paid for was listings and whole files, again and again; here every request and every
byte of a pass is asserted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import pytest

from sightline import _core
from sightline.readers.remote import PROOF_BYTES, RemoteReader
from sightline.readers.roots import parse_roots
from tests.readers.scripted_store import MakeRecords

pytest.importorskip("s3fs")
moto_server = pytest.importorskip("moto.server")
s3_models = pytest.importorskip("moto.s3.models")

# boto and moto warn about Python versions and their own internals; none of it is ours.
pytestmark = pytest.mark.filterwarnings("ignore")


class Request(NamedTuple):
    kind: str
    path: str
    range: str
    served_bytes: int


class Bucket:
    """A bucket on a local server, and the requests it got."""

    def __init__(self, server: Any) -> None:
        host, port = server.get_host_and_port()
        self.endpoint = f"http://{host}:{port}"
        self._requests: list[Request] = []
        self._app = server._server.app
        server._server.app = self._record
        # The server runs in this process: filling it directly is much faster than over the wire.
        self._backend = s3_models.s3_backends["123456789012"]["aws"]
        self._backend.reset()
        self._backend.create_bucket("bucket", "us-east-1")

    @property
    def storage_options(self) -> dict[str, Any]:
        return {"key": "test", "secret": "test", "client_kwargs": {"endpoint_url": self.endpoint}}

    def put(self, key: str, data: bytes) -> None:
        self._backend.put_object("bucket", key, data)

    def remove(self, key: str) -> None:
        self._backend.delete_object("bucket", key)

    def take_requests(self) -> list[Request]:
        taken, self._requests[:] = list(self._requests), []
        return taken

    def _record(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        body = b"".join(self._app(environ, start_response))
        query = parse_qs(environ.get("QUERY_STRING", ""))
        kind = "LIST" if "list-type" in query else environ["REQUEST_METHOD"]
        span = environ.get("HTTP_RANGE", "")
        self._requests.append(Request(kind, environ["PATH_INFO"].lstrip("/"), span, len(body)))
        return [body]


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    server = moto_server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def bucket(server: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    app = server._server.app
    bucket = Bucket(server)
    yield bucket
    server._server.app = app


@pytest.fixture
def index() -> _core.Index:
    return _core.Index(1)


@pytest.fixture
def open_reader(bucket: Bucket, index: _core.Index) -> Iterator[Callable[[str], RemoteReader]]:
    readers: list[RemoteReader] = []

    def open_reader(url: str) -> RemoteReader:
        readers.append(RemoteReader(index, parse_roots(url)[0], storage_options=bucket.storage_options))
        return readers[-1]

    yield open_reader
    for reader in readers:
        reader.close()


OpenReader = Callable[[str], RemoteReader]


def steps(index: _core.Index, run: str) -> list[int]:
    return [int(step) for part in index.parts(run, "loss", _core.FORM_SCALAR) for step in part.step]


def test_an_idle_poll_is_exactly_one_listing(
    bucket: Bucket, index: _core.Index, open_reader: OpenReader, records: MakeRecords
) -> None:
    bucket.put("runs/a/1.tfevents", records([1, 2]))
    bucket.put("runs/b/c/1.tfevents", records([3]))
    reader = open_reader("s3://bucket/runs")
    reader.scan()
    assert (steps(index, "a"), steps(index, "b/c")) == ([1, 2], [3])
    assert sorted(r.kind for r in bucket.take_requests()) == ["GET", "GET", "LIST"]
    for _ in range(3):
        assert not reader.poll()
        assert [r.kind for r in bucket.take_requests()] == ["LIST"]
    assert reader.warnings == []


def test_growth_is_one_listing_and_one_range_of_the_new_bytes(
    bucket: Bucket, index: _core.Index, open_reader: OpenReader, records: MakeRecords
) -> None:
    old, new = records(range(1000)), records(range(1003))
    for run in "abc":
        bucket.put(f"runs/{run}/1.tfevents", old)
    reader = open_reader("s3://bucket/runs")
    reader.scan()
    bucket.take_requests()
    bucket.put("runs/b/1.tfevents", new)
    assert reader.poll()
    listing, read = bucket.take_requests()
    assert listing.kind == "LIST"
    first = len(old) - PROOF_BYTES
    assert read == Request(
        "GET", "bucket/runs/b/1.tfevents", f"bytes={first}-{len(new) - 1}", len(new) - first
    )
    assert steps(index, "b") == list(range(1003))


def test_a_thousand_runs_cost_one_listing_per_page(
    bucket: Bucket, index: _core.Index, open_reader: OpenReader, records: MakeRecords
) -> None:
    data = records([1])
    for run in range(1005):
        bucket.put(f"runs/{run:04}/1.tfevents", data if run < 20 else b"")
    reader = open_reader("s3://bucket/runs")
    reader.scan()
    assert len(index.run_names()) == 1005
    requests = bucket.take_requests()
    reads = [r for r in requests if r.kind == "GET"]
    assert sum(r.kind == "LIST" for r in requests) == 2  # S3 lists a thousand keys at a time
    assert (len(requests), len(reads)) == (22, 20)
    assert sum(r.served_bytes for r in reads) == 20 * len(data)
    assert not reader.poll()
    assert [r.kind for r in bucket.take_requests()] == ["LIST", "LIST"]


def test_replaced_and_deleted_objects_are_noticed(
    bucket: Bucket, index: _core.Index, open_reader: OpenReader, records: MakeRecords
) -> None:
    bucket.put("runs/a/1.tfevents", records([1, 2]))
    bucket.put("runs/b/1.tfevents", records([1]))
    reader = open_reader("s3://bucket/runs")
    reader.scan()
    for steps_after in ([5, 6], [7], [7, 8], [1, 2, 3, 4]):
        bucket.put("runs/a/1.tfevents", records(steps_after))
        assert reader.poll()
        assert steps(index, "a") == steps_after
    bucket.remove("runs/b/1.tfevents")
    assert reader.poll()
    assert index.run_names() == ["a"]


def test_a_pattern_lists_only_names_that_begin_like_it(
    bucket: Bucket, index: _core.Index, open_reader: OpenReader, records: MakeRecords
) -> None:
    for run in ("2026-a", "2026-b/x", "2025-a"):
        bucket.put(f"runs/{run}/1.tfevents", records([1]))
    reader = open_reader("s3://bucket/runs/2026-*")
    reader.scan()
    assert sorted(index.run_names()) == ["2026-a", "2026-b/x"]
    assert sorted(r.kind for r in bucket.take_requests()) == ["GET", "GET", "LIST"]


def test_one_object_as_root_costs_one_request_when_idle(
    bucket: Bucket, index: _core.Index, open_reader: OpenReader, records: MakeRecords
) -> None:
    bucket.put("runs/a/1.tfevents", records([1]))
    reader = open_reader("s3://bucket/runs/a/1.tfevents")
    reader.scan()
    assert steps(index, ".") == [1]
    bucket.take_requests()
    assert not reader.poll()
    assert [r.kind for r in bucket.take_requests()] == ["HEAD"]


def test_bytes_on_request_are_one_range(
    bucket: Bucket, index: _core.Index, open_reader: OpenReader, records: MakeRecords
) -> None:
    data = records([1, 2])
    bucket.put("runs/a/1.tfevents", data)
    reader = open_reader("s3://bucket/runs")
    reader.scan()
    bucket.take_requests()
    assert reader.read(index.files("a")[0].id, 7, 13) == data[7:20]
    assert [r.range for r in bucket.take_requests()] == ["bytes=7-19"]


def test_a_bucket_that_is_not_there_is_one_warning(index: _core.Index, open_reader: OpenReader) -> None:
    reader = open_reader("s3://no-such-bucket/runs")
    for _ in range(2):
        reader.scan()
    (line,) = reader.warnings
    assert line.startswith("Cannot list the log directory")
    assert line.endswith("s3://no-such-bucket/runs")
    assert index.run_names() == []
