"""Following a remote root goes on, whatever goes wrong, and is never silent about it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import sightline
from sightline.model.errors import FileGoneError
from sightline.model.reports import Change
from tests.event_logs import BEGIN_S, file_version, image_record, points, write_run
from tests.fixtures import event_bytes as eb

fsspec = pytest.importorskip("fsspec")
from sightline.readers.remote import RemoteReader  # noqa: E402  # needs fsspec

PATIENCE_S = 30.0
"""How long a test waits for another thread before it fails."""


def test_a_poll_that_fails_unexpectedly_is_one_warning_and_polling_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sightline.readers.remote._SHORTEST_DELAY_S", 0.01)
    monkeypatch.setattr("sightline.log.reading.POLL_RETRY_DELAY_S", 0.01)
    store = fsspec.filesystem("memory")
    data = write_run(tmp_path / "a", points(range(3))).read_bytes()
    place = f"/{tmp_path.name}/exp/{eb.FILE_NAME}"
    store.pipe(place, data)
    failures = iter([RuntimeError("odd\nthing"), MemoryError("odder")])
    poll = RemoteReader.poll

    def fail_twice(reader: RemoteReader) -> bool:
        for failure in failures:
            raise failure
        return poll(reader)

    monkeypatch.setattr(RemoteReader, "poll", fail_twice)
    arrived = threading.Event()

    def hear(change: Change) -> None:
        if "appended" in change.tags:
            arrived.set()

    with sightline.open(f"memory://{tmp_path.name}") as log:
        log.on_change(hear)
        log.wait()
        store.pipe(place, data + points([3], tag="appended"))
        assert arrived.wait(PATIENCE_S)
        (line,) = log.warnings
    assert line.startswith("Following a remote root failed (RuntimeError: odd\\nthing); trying again: ")
    assert line.endswith(f"memory://{tmp_path.name}")


def test_an_old_series_never_gives_bytes_of_an_object_that_was_read_since(tmp_path: Path) -> None:
    store = fsspec.filesystem("memory")
    place = f"/{tmp_path.name}/exp/{eb.FILE_NAME}"
    store.pipe(place, file_version() + image_record("samples", 1, b"old"))
    with sightline.open(f"memory://{tmp_path.name}", watch=False, cache=False).wait() as log:
        old = log["exp"].images["samples"]
        assert old[0].bytes == b"old"
        later = file_version(wall_time=BEGIN_S + 9) + image_record("samples", 1, b"new")
        store.pipe(place, later + image_record("samples", 2, b"more"))
        log.refresh()
        assert [item.bytes for item in log["exp"].images["samples"]] == [b"new", b"more"]
        with pytest.raises(FileGoneError, match=eb.FILE_NAME):
            old[0]


def test_progress_counts_the_bytes_of_remote_files_once(tmp_path: Path) -> None:
    data = write_run(tmp_path / "local" / "a", points(range(3))).read_bytes()
    fsspec.filesystem("memory").pipe(f"/{tmp_path.name}/exp/{eb.FILE_NAME}", data)
    with sightline.open(f"memory://{tmp_path.name}", watch=False, cache=False).wait() as log:
        assert (log.progress.bytes_done, log.progress.bytes_total) == (len(data), len(data))
    roots = [f"memory://{tmp_path.name}", str(tmp_path / "local")]
    with sightline.open(roots, watch=False, cache=False).wait() as log:
        assert (log.progress.bytes_done, log.progress.bytes_total) == (2 * len(data), 2 * len(data))
