"""What the disk does to a sink: full, gone, moved, forbidden.

Training goes on, and nothing is lost that memory can hold.
"""

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sightline._core import Sink
from tests.writer.reading import events_of, files_of, scalars_of


def open_sink(directory: Path, **options: Any) -> Sink:
    return Sink(str(directory), **{"hostname": "host", "flush_secs": 1000.0, **options})


def add_steps(sink: Sink, first: int, last: int) -> None:
    for step in range(first, last):
        sink.add_scalar("a", step, step, None)


def steps(first: int, last: int) -> dict[str, list[tuple[int, float]]]:
    return {"a": [(step, float(step)) for step in range(first, last)]}


def levels(sink: Sink) -> list[str]:
    return [level for level, _ in sink.take_notices()]


def run(code: str, *arguments: object) -> None:
    """Runs a program of its own, for limits and users that a process cannot get rid of."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], timeout=120, capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode()


# -- no room


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    directory = tmp_path / "disk"
    directory.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(directory)]
    try:
        mounted = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        pytest.skip(f"cannot mount: {error}")
    if mounted.returncode != 0:
        pytest.skip(f"cannot mount: {mounted.stderr.strip()}")
    try:
        yield directory
    finally:
        subprocess.run(["umount", str(directory)], check=True)


def fill(directory: Path) -> Path:
    filler = directory / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)) == 4096:
                pass
        except OSError as error:
            assert error.errno == errno.ENOSPC  # noqa: PT017
    return filler


def test_a_full_disk_loses_nothing_once_there_is_room_again(small_disk: Path) -> None:
    sink = open_sink(small_disk / "run")
    add_steps(sink, 0, 10)
    assert sink.flush()
    filler = fill(small_disk)
    add_steps(sink, 10, 300)
    assert not sink.flush()
    assert "No space left" in sink.problem
    add_steps(sink, 300, 600)
    assert not sink.flush()
    ((level, text),) = sink.take_notices()
    assert level == "error"
    assert "No space left" in text
    assert "Training goes on" in text
    assert text.endswith(sink.path)
    filler.unlink()
    assert sink.flush()
    assert sink.problem == ""
    assert levels(sink) == ["info"]
    assert sink.close()
    assert len(files_of(small_disk / "run")) == 1
    assert scalars_of(small_disk / "run") == steps(0, 600)


def test_closing_on_a_full_disk_says_what_is_lost_and_leaves_whole_records(small_disk: Path) -> None:
    sink = open_sink(small_disk / "run")
    add_steps(sink, 0, 5000)  # three times what the disk holds
    assert not sink.close()
    written = scalars_of(small_disk / "run")["a"]  # raises nothing: no record is torn
    assert written == steps(0, len(written))["a"]
    assert sink.lost_events == 5000 - len(written) > 0
    assert sink.pending_bytes == 0
    notices = sink.take_notices()
    assert str(sink.lost_events) in notices[-1][1]


def test_a_disk_that_is_full_from_the_beginning_is_an_error(small_disk: Path) -> None:
    fill(small_disk)
    with pytest.raises(OSError, match="No space left") as caught:
        open_sink(small_disk)
    assert caught.value.errno == errno.ENOSPC
    assert files_of(small_disk) == []


LIMITED = """
import resource, sys
from sightline._core import Sink
sink = Sink(sys.argv[1], hostname="host", flush_secs=1000.0)
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, resource.RLIM_INFINITY))
for step in range(500):
    sink.add_scalar("a", step, step, None)
assert not sink.flush()
assert "File too large" in sink.problem, sink.problem
assert [level for level, _ in sink.take_notices()] == ["error"]
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert sink.flush() and sink.close()
"""


def test_a_limit_in_the_midst_of_a_record_is_survived(tmp_path: Path) -> None:
    run(LIMITED, tmp_path)  # Python ignores the signal that comes with the limit
    assert scalars_of(tmp_path) == steps(0, 500)


# -- gone and moved


def test_a_removed_directory_is_not_made_again_but_used_when_it_is_back(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    sink = open_sink(directory)
    add_steps(sink, 0, 5)
    assert sink.flush()
    shutil.rmtree(directory)
    add_steps(sink, 5, 10)
    assert not sink.flush()
    assert not directory.exists()
    assert "removed" in sink.problem
    add_steps(sink, 10, 15)
    assert levels(sink) == ["error"]
    directory.mkdir()
    assert sink.flush()
    assert levels(sink) == ["warning", "info"]
    assert sink.close()
    assert scalars_of(directory) == steps(5, 15)
    assert events_of(directory)[0].file_version == "brain.Event:2"


def test_a_removed_file_is_followed_by_a_new_one(tmp_path: Path) -> None:
    sink = open_sink(tmp_path)
    add_steps(sink, 0, 5)
    assert sink.flush()
    first = sink.path
    os.unlink(first)
    add_steps(sink, 5, 10)
    assert sink.flush()
    ((level, text),) = sink.take_notices()
    assert level == "warning"
    assert first in text
    assert sink.path != first
    assert scalars_of(tmp_path) == steps(5, 10)


def test_a_run_that_is_renamed_goes_on_under_its_new_name(tmp_path: Path) -> None:
    sink = open_sink(tmp_path / "old")
    add_steps(sink, 0, 5)
    assert sink.flush()
    (tmp_path / "old").rename(tmp_path / "new")
    add_steps(sink, 5, 10)
    assert sink.flush()
    assert levels(sink) == ["info"]
    assert Path(sink.path).parent == tmp_path / "new"
    assert sink.close()
    assert not (tmp_path / "old").exists()
    assert scalars_of(tmp_path / "new") == steps(0, 10)


# -- no room in memory either


def test_what_memory_cannot_hold_is_dropped_counted_and_said(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    sink = open_sink(directory, max_pending_bytes=10_000)
    shutil.rmtree(directory)
    add_steps(sink, 0, 1)
    assert not sink.flush()
    add_steps(sink, 1, 1000)  # nobody waits
    sink.add_event(bytes(100_000))
    assert sink.pending_bytes <= 10_000
    lost = sink.lost_events
    kept = 1001 - lost
    assert 50 < kept < 500
    assert levels(sink) == ["error", "error"]  # the trouble; that something is dropped
    directory.mkdir()
    assert not sink.flush()  # something is lost
    level, text = sink.take_notices()[-1]
    assert level == "warning"
    assert str(lost) in text
    assert scalars_of(directory) == steps(0, kept)
    add_steps(sink, 2000, 2001)
    assert sink.flush()
    assert not sink.close()
    assert scalars_of(directory)["a"][-1] == (2000, 2000.0)


# -- forbidden


FORBIDDEN = """
import os, sys
from sightline._core import Sink
if os.geteuid() == 0:
    os.setuid(65534)  # nothing is forbidden to root
try:
    Sink(sys.argv[1], hostname="host")
except PermissionError as error:
    assert error.filename == sys.argv[1], error.filename
else:
    raise AssertionError("it was not refused")
"""


def test_a_directory_that_may_not_be_made_is_an_error_where_it_is_given(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    run(FORBIDDEN, tmp_path / "run")


def test_a_file_in_the_way_is_an_error_where_it_is_given(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in [tmp_path / "file", tmp_path / "file" / "run"]:
        with pytest.raises(NotADirectoryError) as caught:
            open_sink(path)
        assert caught.value.filename == str(path)
