"""Opening, flushing, closing; the methods themselves are tested family by family."""

import logging
import multiprocessing
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sightline import SummaryWriter
from sightline.model.errors import BadArgumentError
from tests.writer.reading import events_of, files_of, scalars_of, stories_of


def test_the_file_is_there_at_once_with_its_first_record(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path / "a" / "b", story=False)
    (event,) = events_of(tmp_path / "a" / "b")
    assert event.file_version == "brain.Event:2"
    assert writer.get_logdir() == writer.log_dir == str(tmp_path / "a" / "b")
    writer.close()


def test_without_a_directory_it_is_named_by_date_host_and_comment(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with SummaryWriter(comment="_lr2", story=False) as writer:
        pass
    (directory,) = (tmp_path / "runs").iterdir()
    assert directory.name.endswith("_lr2")
    assert writer.log_dir == f"runs/{directory.name}"


def test_tensorboardx_spelling_and_suffix(tmp_path: Path) -> None:
    SummaryWriter(logdir=tmp_path, filename_suffix=".mine", story=False).close()
    (file,) = files_of(tmp_path)
    assert file.name.endswith(".mine")


def test_two_names_for_two_directories_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadArgumentError, match="logdir"):
        SummaryWriter(tmp_path / "a", logdir=tmp_path / "b")


def test_a_remote_directory_is_refused_before_anything_is_made(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadArgumentError, match="local"):
        SummaryWriter("s3://bucket/run")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("flush_secs", [0, -1, float("nan")])
def test_a_senseless_flush_interval_is_refused(tmp_path: Path, flush_secs: float) -> None:
    with pytest.raises(BadArgumentError, match="flush_secs"):
        SummaryWriter(tmp_path, flush_secs=flush_secs)


def test_a_directory_that_cannot_be_made_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        SummaryWriter(tmp_path / "file" / "run")


def test_nothing_is_written_with_write_to_disk_off(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path / "run", write_to_disk=False) as writer:
        writer.add_scalar("a", 1)
        writer.log({"a": 1})
        writer.add_scalars("x", {"a": 1})
        assert writer.flush()
    assert list(tmp_path.iterdir()) == []


def test_flush_puts_everything_on_disk(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path, flush_secs=1000, story=False)
    writer.add_scalar("a", 1, 1)
    assert writer.flush() is True
    assert scalars_of(tmp_path) == {"a": [(1, 1.0)]}
    writer.close()


def test_after_closing_the_next_call_begins_a_new_file(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path, story=False)
    writer.add_scalar("a", 1, 1)
    assert writer.close() is True
    writer.add_scalar("a", 2, 2)
    assert writer.close() is True
    assert writer.close() is True
    assert len(files_of(tmp_path)) == 2
    assert scalars_of(tmp_path) == {"a": [(1, 1.0), (2, 2.0)]}


def test_two_writers_in_one_directory_have_two_files(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path, story=False) as one, SummaryWriter(tmp_path, story=False) as two:
        one.add_scalar("a", 1, 1)
        two.add_scalar("b", 2, 1)
    assert len(files_of(tmp_path)) == 2
    assert scalars_of(tmp_path) == {"a": [(1, 1.0)], "b": [(1, 2.0)]}


def test_a_writer_that_is_dropped_is_closed(tmp_path: Path) -> None:
    SummaryWriter(tmp_path, flush_secs=1000, story=False).add_scalar("a", 1, 1)
    assert scalars_of(tmp_path) == {"a": [(1, 1.0)]}


def test_threads_may_share_a_writer(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path, story=False) as writer:

        def work(name: str) -> None:
            for step in range(500):
                writer.add_scalar(name, step, step)
                writer.log({f"{name}/log": step}, step)

        threads = [threading.Thread(target=work, args=(str(i),)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    scalars = scalars_of(tmp_path)
    assert len(scalars) == 16
    assert all(points == [(i, float(i)) for i in range(500)] for points in scalars.values())


def test_a_directory_that_vanishes_is_reported_once_and_training_goes_on(tmp_path: Path, caplog) -> None:
    writer = SummaryWriter(tmp_path / "run", flush_secs=1000, story=False)
    shutil.rmtree(tmp_path / "run")
    writer.add_scalar("a", 1, 1)
    with caplog.at_level(logging.INFO, "sightline.writer"):
        assert writer.flush() is False
        writer.add_scalar("a", 2, 2)
    assert caplog.text.count(str(tmp_path / "run")) >= 1
    (tmp_path / "run").mkdir()
    assert writer.flush() is True
    writer.close()
    assert scalars_of(tmp_path / "run") == {"a": [(1, 1.0), (2, 2.0)]}


PROGRAM = """
import sys
from sightline import SummaryWriter
writer = SummaryWriter(sys.argv[1], flush_secs=1000)
writer.add_scalar("a", 1, 1)
"""


def run(ending: str, directory: Path) -> int:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM + ending, str(directory)], capture_output=True, text=True, timeout=60
    )
    return done.returncode


@pytest.mark.parametrize(
    ("ending", "status"),
    [
        ("", "finished"),
        ("raise RuntimeError('out of luck')", "crashed"),
        ("raise KeyboardInterrupt", "interrupted"),
        ("with writer: raise ValueError('inside')", "crashed"),
        ("sys.exit(0)", "finished"),
    ],
)
def test_a_process_that_ends_leaves_everything_and_its_story(
    tmp_path: Path, ending: str, status: str
) -> None:
    run(ending, tmp_path)
    assert scalars_of(tmp_path) == {"a": [(1, 1.0)]}
    start, end = stories_of(tmp_path)
    assert (start["sightline"], end["sightline"], end["status"]) == ("run_start", "run_end", status)


def test_a_process_that_is_killed_leaves_no_end(tmp_path: Path) -> None:
    run("writer.flush(); import os, signal; os.kill(os.getpid(), signal.SIGKILL)", tmp_path)
    assert scalars_of(tmp_path) == {"a": [(1, 1.0)]}
    assert [story["sightline"] for story in stories_of(tmp_path)] == ["run_start"]


def log_in_child(writer: SummaryWriter) -> None:
    writer.add_scalar("child", 1, 1)


def test_a_multiprocessing_child_has_a_file_of_its_own(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path, flush_secs=1000)
    writer.add_scalar("parent", 1, 1)
    process = multiprocessing.get_context("fork").Process(target=log_in_child, args=(writer,))
    process.start()
    process.join(60)
    assert process.exitcode == 0
    writer.close()
    assert len(files_of(tmp_path)) == 2
    assert scalars_of(tmp_path) == {"parent": [(1, 1.0)], "child": [(1, 1.0)]}
    assert [story["sightline"] for story in stories_of(tmp_path)].count("run_end") == 1


def test_a_forked_child_that_logs_nothing_leaves_nothing(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path, story=False)
    pid = os.fork()
    if pid == 0:
        try:
            writer.close()
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    writer.add_scalar("a", 1, 1)
    writer.close()
    assert len(files_of(tmp_path)) == 1
    assert scalars_of(tmp_path) == {"a": [(1, 1.0)]}
