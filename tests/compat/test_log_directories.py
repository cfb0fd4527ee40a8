"""What may lie in a log directory besides good files: links, loops, odd names, files that cannot be read."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from sightline import _core
from tests import oracle
from tests.compat.comparison import assert_log_is_read_right, assert_run_is_read_right, scanned, write_log
from tests.fixtures import damage
from tests.fixtures import event_bytes as eb

GOOD = b"".join([eb.file_version(), *eb.scalars(range(20))])


def test_all_damaged_files_in_one_directory_do_not_disturb_each_other(tmp_path: Path) -> None:
    for case in damage.all_cases():
        write_log(tmp_path, case.data, run=case.name)
    assert_log_is_read_right(tmp_path, scanned(tmp_path))


def test_a_bad_file_does_not_hide_a_good_one_of_the_same_run(tmp_path: Path) -> None:
    write_log(tmp_path, os.urandom(4096), name="events.out.tfevents.1.host")
    write_log(tmp_path, GOOD, name="events.out.tfevents.2.host")
    write_log(tmp_path, b"", name="events.out.tfevents.3.host")
    assert_log_is_read_right(tmp_path, scanned(tmp_path))


@pytest.mark.parametrize(
    "run", ["名前 with space", "a/b/c/d", "..dots", ".hidden", "tfevents", "new\nline", "\U0001f680"]
)
def test_a_run_may_have_any_name(run: str, tmp_path: Path) -> None:
    write_log(tmp_path, GOOD, run=run)
    assert_log_is_read_right(tmp_path, scanned(tmp_path))


@pytest.mark.parametrize(
    "name", ["tfevents", "notes.tfevents.txt", "events.out.tfevents.1.host.profile-empty"]
)
def test_every_file_with_tfevents_in_its_name_is_an_event_file(name: str, tmp_path: Path) -> None:
    write_log(tmp_path, GOOD, name=name)
    assert_log_is_read_right(tmp_path, scanned(tmp_path))


def test_files_in_the_root_are_the_run_called_dot(tmp_path: Path) -> None:
    write_log(tmp_path, GOOD, run=".")
    index = scanned(tmp_path)
    assert index.run_names() == ["."]
    assert_log_is_read_right(tmp_path, index)


def test_loops_and_dangling_links_are_harmless(tmp_path: Path) -> None:
    path = write_log(tmp_path, GOOD)
    (path.parent / "loop").symlink_to(".")
    (path.parent / "up").symlink_to("..")
    (path.parent / "events.out.tfevents.dangling").symlink_to("nowhere")
    (path.parent / "events.out.tfevents.self").symlink_to("events.out.tfevents.self")
    (path.parent / "events.out.tfevents.directory").mkdir()
    index = scanned(tmp_path)
    assert index.run_names() == ["run"]
    (part,) = index.parts("run", "loss", _core.FORM_SCALAR)
    assert part.step.tolist() == list(range(20))


def test_a_linked_run_is_read(tmp_path: Path) -> None:
    outside = write_log(tmp_path / "outside", GOOD)
    log = tmp_path / "log"
    log.mkdir()
    (log / "linked").symlink_to(outside.parent)
    index = scanned(log)
    assert index.run_names() == ["linked"]
    assert_run_is_read_right(index, "linked", {outside.name: oracle.decode(GOOD)})


def test_a_file_without_permission_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    write_log(tmp_path, GOOD)
    secret = write_log(tmp_path, GOOD, name="events.out.tfevents.2.host")
    secret.chmod(0)
    if os.access(secret, os.R_OK):
        pytest.skip("this user may read everything")
    index = scanned(tmp_path)
    errors = {file.name: file.error for file in index.files("run")}
    assert errors["events.out.tfevents.1.host"] == ""
    assert "ermission" in errors[secret.name]
    (part,) = index.parts("run", "loss", _core.FORM_SCALAR)
    assert part.step.tolist() == list(range(20))


def test_a_log_read_while_it_is_written_ends_complete(tmp_path: Path) -> None:
    path = write_log(tmp_path, eb.file_version())
    records = eb.scalars(range(3000))
    started = threading.Event()

    def write() -> None:
        with path.open("ab", buffering=0) as file:
            for number, record in enumerate(records):
                file.write(record[:7])
                file.write(record[7:])
                if number == 10:
                    started.set()

    index = scanned(tmp_path)
    writer = threading.Thread(target=write)
    writer.start()
    started.wait()
    while writer.is_alive():
        index.refresh([str(path)])
        steps = index.parts("run", "loss", _core.FORM_SCALAR)[0].step
        assert steps.tolist() == list(range(len(steps)))
    writer.join()
    index.refresh([str(path)])
    assert_log_is_read_right(tmp_path, index)
