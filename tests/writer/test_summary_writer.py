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

import sightline
from sightline import SummaryWriter
from sightline.model.errors import BadArgumentError
from sightline.writer.engine.background import background
from tests.writer.reading import events_of, files_of, scalars_of, stories_of, values_of


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


@pytest.mark.parametrize("flush_secs", [-1, float("nan"), None, "soon"])
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


def test_a_child_forked_while_a_thread_closes_can_close_too(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path, story=False)
    holds = threading.Event()
    release = threading.Event()

    def hold() -> None:
        with writer._lock:
            holds.set()
            release.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    holds.wait()
    pid = os.fork()
    if pid == 0:
        try:
            writer.add_scalar("child", 1, 1)
            writer.close()
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    release.set()
    thread.join()
    writer.close()
    assert scalars_of(tmp_path) == {"child": [(1, 1.0)]}


def test_a_dropped_writer_does_not_wait_for_the_pictures_of_others(tmp_path: Path) -> None:
    gate = threading.Event()
    background.submit(gate.wait, 1)  # type: ignore[arg-type]
    SummaryWriter(tmp_path, story=False).add_scalar("a", 1, 1)  # collected at once
    gate.set()
    assert scalars_of(tmp_path) == {"a": [(1, 1.0)]}


def test_runs_below_stay_together_when_the_current_directory_changes(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with SummaryWriter("run", story=False) as writer:
        monkeypatch.chdir(tmp_path / "elsewhere")
        writer.add_scalars("x", {"a": 1}, 1)
        writer.add_hparams({"lr": 0.1}, {"acc": 1.0}, run_name="sub")
        writer.add_embedding([[1.0, 2.0]])
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert scalars_of(tmp_path / "run" / "x_a") == {"x": [(1, 1.0)]}
    assert scalars_of(tmp_path / "run" / "sub") == {"acc": [(0, 1.0)]}
    assert (tmp_path / "run" / "projector_config.pbtxt").exists()


class MyWriter(SummaryWriter):
    def __init__(self, experiment: str) -> None:
        super().__init__(experiment, story=False)


def test_a_subclass_with_a_constructor_of_its_own_may_have_runs_below(tmp_path: Path) -> None:
    with MyWriter(str(tmp_path)) as writer:
        writer.add_scalars("x", {"a": 1}, 1)
        writer.add_hparams({"lr": 0.1}, {"acc": 1.0}, run_name="sub")
    assert scalars_of(tmp_path / "x_a") == {"x": [(1, 1.0)]}
    assert set(writer.all_writers) == {str(tmp_path), str(tmp_path / "x_a"), str(tmp_path / "sub")}


def test_a_run_below_that_cannot_be_opened_does_not_stop_training(tmp_path: Path, caplog) -> None:
    with SummaryWriter(tmp_path, story=False) as writer:
        (tmp_path / "x_a").write_text("in the way")
        writer.add_scalars("x", {"a": 1}, 1)
        writer.add_scalars("x", {"a": 2}, 2)
        assert [record.levelname for record in caplog.records] == ["ERROR"]
        (tmp_path / "x_a").unlink()
        writer.add_scalars("x", {"a": 3}, 3)
        assert writer.flush() is False
    assert scalars_of(tmp_path / "x_a") == {"x": [(3, 3.0)]}


def test_keys_do_not_leave_the_run(tmp_path: Path) -> None:
    with (
        SummaryWriter(tmp_path / "run", story=False) as writer,
        pytest.raises(BadArgumentError, match="below"),
    ):
        writer.add_scalars("x", {"/../../away": 1}, 1)


def test_closing_in_finally_tells_the_crash_to_story_and_hparams(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="bad"):
        fail_with_finally(tmp_path)
    assert stories_of(tmp_path)[-1]["status"] == "crashed"
    end = [value for _, value in values_of(tmp_path) if value.tag == "_hparams_/session_end_info"]
    assert b"\x08\x02" in end[0].metadata.plugin_data.content  # status FAILURE


def fail_with_finally(directory: Path) -> None:
    writer = SummaryWriter(directory)
    writer.add_hparams({"lr": 0.1}, {})
    try:
        raise ValueError("bad")
    finally:
        writer.close()


def test_a_writer_collected_while_an_error_is_handled_has_not_crashed(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path)
    writer.flush()
    try:
        raise KeyError("of somebody else")
    except KeyError:
        del writer
    assert stories_of(tmp_path)[-1]["status"] == "finished"


def test_secrets_in_an_error_are_hidden(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), SummaryWriter(tmp_path):
        raise RuntimeError("cannot connect: password=hunter2 host=db")
    told = str(stories_of(tmp_path)[-1])
    assert "hunter2" not in told
    assert "host=db" in told


def make_writer_in_child(directory: str) -> None:
    SummaryWriter(directory, flush_secs=1000).add_scalar("child", 1, 1)
    kept.append(SummaryWriter(directory + "/kept", flush_secs=1000))
    kept[0].add_scalar("child", 1, 1)


kept: list[SummaryWriter] = []


@pytest.mark.parametrize("method", ["fork", "forkserver", "spawn"])
def test_a_writer_made_in_a_multiprocessing_child_is_closed_at_its_end(tmp_path: Path, method: str) -> None:
    program = f"""
import multiprocessing, sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
def child(directory):
    from tests.writer.test_summary_writer import make_writer_in_child
    make_writer_in_child(directory)
if __name__ == "__main__":
    process = multiprocessing.get_context({method!r}).Process(target=child, args=({str(tmp_path)!r},))
    process.start()
    process.join()
    sys.exit(process.exitcode)
"""
    script = tmp_path / "program.py"
    script.write_text(program)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert scalars_of(tmp_path / "kept") == {"child": [(1, 1.0)]}
    assert [story["sightline"] for story in stories_of(tmp_path / "kept")] == ["run_start", "run_end"]


def test_forked_children_that_finish_one_after_the_other_hide_nothing(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path, story=False)
    for step in (3, 1, 2):  # the second child logs an earlier step than the first, after it has ended
        pid = os.fork()
        if pid == 0:
            try:
                writer.add_scalar("result", step, step)
                writer.close()
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
    writer.close()
    with sightline.open(tmp_path, watch=False, cache=False).wait() as log:
        assert log["."].scalars["result"].step.tolist() == [1, 2, 3]


def test_a_resumed_run_counts_on_from_where_it_was(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path, story=False) as writer:
        writer.log({"a": 1})
        writer.add_scalar("b", 1, 41)
    with SummaryWriter(tmp_path, story=False) as writer:
        writer.log({"a": 2})
        writer.log({"a": 3})
    with sightline.open(tmp_path, watch=False, cache=False).wait() as log:
        assert log["."].scalars["a"].step.tolist() == [0, 42, 43]


def test_an_error_that_an_interactive_session_survived_is_not_the_end_of_a_later_run(tmp_path: Path) -> None:
    program = f"""
import sys
try:
    1 / 0
except ZeroDivisionError as error:
    sys.last_value = sys.last_exc = error  # what an interactive session does
from sightline import SummaryWriter
SummaryWriter({str(tmp_path)!r}).add_scalar("a", 1)
kept = SummaryWriter({str(tmp_path / "kept")!r})
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
    assert stories_of(tmp_path / "kept")[-1]["status"] == "finished"
