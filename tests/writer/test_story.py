"""How a run was started and how it ended, in its event file; and the code it ran."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import sightline
from sightline import SummaryWriter
from sightline.model.errors import BadArgumentError, NoSuchPathError
from sightline.writer.story import story
from sightline.writer.story.git_state import CodeChanges
from sightline.writer.story.surroundings import Launch
from tests.writer.reading import events_of, files_of, scalars_of, stories_of, values_of
from tests.writer.repositories import git, make_repository


@pytest.fixture(autouse=True)
def quick_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Real ones have tests of their own."""
    monkeypatch.setattr(story, "surroundings", lambda launch: {"command": list(launch.arguments)})


def ends_of(directory: Path) -> list[dict[str, Any]]:
    return [record for record in stories_of(directory) if record["sightline"] == "run_end"]


# ── the start ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_run_begins_and_ends_with_a_record(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("a", 1, 1)
    start, end = stories_of(tmp_path)
    assert start["sightline"] == "run_start"
    assert start["pid"] == os.getpid()
    assert start["writer"] == sightline.__version__
    assert start["command"] == sys.orig_argv
    assert end["sightline"] == "run_end"
    assert end["id"] == start["id"]
    assert end["status"] == "finished"
    assert "error" not in end
    assert 0 <= end["duration_s"] <= end["time"] - start["time"] + 1
    messages = [event for event in events_of(tmp_path) if event.HasField("log_message")]
    assert {(event.log_message.level, event.step, event.wall_time) for event in messages} == {(20, 0, 0.0)}


def test_the_story_can_be_left_out(tmp_path: Path) -> None:
    SummaryWriter(tmp_path, story=False).close()
    SummaryWriter(tmp_path / "nothing", write_to_disk=False).close()
    assert stories_of(tmp_path) == []
    assert not (tmp_path / "nothing").exists()


def test_the_gathering_is_not_done_by_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []

    def gather(launch: Launch) -> dict[str, object]:
        threads.append(threading.current_thread().name)
        return {}

    monkeypatch.setattr(story, "surroundings", gather)
    SummaryWriter(tmp_path).close()
    assert threads == ["sightline-encoder"]


def test_a_gathering_that_fails_leaves_the_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(launch: Launch) -> dict[str, object]:
        raise OSError("no such machine")

    monkeypatch.setattr(story, "surroundings", fail)
    with caplog.at_level(logging.ERROR, "sightline.writer"), SummaryWriter(tmp_path) as writer:
        writer.add_scalar("a", 1, 1)
    assert scalars_of(tmp_path) == {"a": [(1, 1.0)]}
    assert [record["sightline"] for record in stories_of(tmp_path)] == ["run_end"]


def test_a_record_that_is_too_large_loses_its_largest_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = {"cwd": "/", "command": ["x" * 300_000], "packages": {"y": "z" * 200_000}}
    monkeypatch.setattr(story, "surroundings", lambda launch: facts)
    record = story.start_record(Launch([], "", 1, 0.0))
    assert len(record) <= story.MAX_RECORD_BYTES
    assert json.loads(record)["left_out"] == ["command"]
    assert json.loads(record)["cwd"] == "/"


def test_bytes_that_are_no_text_do_not_stop_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(story, "surroundings", lambda launch: {"command": ["\udcff"], "odd": {1}})
    record = story.start_record(Launch([], "", 1, 0.0))
    assert record.isascii()
    assert json.loads(record)["command"] == ["\udcff"]


def test_tensorboard_sees_the_same_with_and_without_a_story(tmp_path: Path) -> None:
    for name, has_story in (("with", True), ("without", False)):
        with SummaryWriter(tmp_path / name, story=has_story) as writer:
            for step in range(5):
                writer.add_scalar("a", step, step, walltime=1000.0 + step)
    seen = []
    for name in ("with", "without"):
        accumulator = EventAccumulator(str(tmp_path / name))
        accumulator.Reload()
        seen.append((accumulator.Tags(), accumulator.Scalars("a")))
    assert seen[0] == seen[1]


# ── the end ─────────────────────────────────────────────────────────────────────────────────────────────


class OddError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


@pytest.mark.parametrize(
    ("error", "status", "facts"),
    [
        (None, "finished", {}),
        (SystemExit(), "finished", {}),
        (SystemExit(0), "finished", {}),
        (SystemExit(3), "crashed", {"type": "SystemExit", "message": "3", "code": 3}),
        (SystemExit("no data"), "crashed", {"type": "SystemExit", "message": "no data", "code": 1}),
        (KeyboardInterrupt(), "interrupted", {"type": "KeyboardInterrupt", "message": ""}),
        (ValueError("bad"), "crashed", {"type": "ValueError", "message": "bad"}),
        (json.JSONDecodeError("bad", "x", 0), "crashed", {"type": "json.decoder.JSONDecodeError"}),
        (OddError(), "crashed", {"type": f"{__name__}.OddError"}),
    ],
)
def test_how_it_ended_follows_from_the_error(
    error: BaseException | None, status: str, facts: dict[str, object]
) -> None:
    told, known = story.ending_of(error)
    assert told == status
    assert {name: known.get(name) for name in facts} == facts
    assert bool(known) == bool(facts)


def test_the_traceback_has_the_last_frames_and_the_cause() -> None:
    def deeper(depth: int) -> None:
        if depth:
            deeper(depth - 1)
        raise KeyError("lost")

    try:
        try:
            deeper(100)
        except KeyError as error:
            raise ValueError("no https://me:abc@host " + "x" * 50_000) from error
    except ValueError as error:
        _, facts = story.ending_of(error)
    assert isinstance(facts["message"], str)
    assert isinstance(facts["traceback"], str)
    assert facts["message"].startswith("no https://***@host x")
    assert len(facts["message"]) <= 2_000
    assert len(facts["traceback"]) <= 16_001
    try:
        deeper(100)
    except KeyError as error:
        _, facts = story.ending_of(error)
    assert facts["traceback"].count("in deeper") <= 20  # type: ignore[attr-defined]
    assert facts["traceback"].endswith("KeyError: 'lost'\n")  # type: ignore[attr-defined]


def test_an_error_inside_the_block_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="inside"), SummaryWriter(tmp_path):
        raise ValueError("inside")
    (end,) = ends_of(tmp_path)
    assert (end["status"], end["error"]["type"], end["error"]["message"]) == (
        "crashed",
        "ValueError",
        "inside",
    )
    assert "raise ValueError" in end["error"]["traceback"]


def test_closing_on_the_way_out_of_an_error_tells_it(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path)

    def train() -> None:
        try:
            raise RuntimeError("out of memory")
        finally:
            writer.close()

    with pytest.raises(RuntimeError):
        train()
    (end,) = ends_of(tmp_path)
    assert (end["status"], end["error"]["type"]) == ("crashed", "RuntimeError")


def test_the_end_of_a_loop_is_no_crash(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path)
    try:
        next(iter(()))
    except StopIteration:
        writer.close()
    assert ends_of(tmp_path)[0]["status"] == "finished"


def test_an_error_from_before_the_run_is_not_its_own(tmp_path: Path) -> None:
    try:
        raise RuntimeError("no running event loop")
    except RuntimeError:
        SummaryWriter(tmp_path).close()  # as in `except RuntimeError: asyncio.run(main())`
    assert ends_of(tmp_path)[0]["status"] == "finished"


def test_a_writer_that_is_used_after_its_end_ends_again(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path)
    writer.close()
    writer.add_scalar("a", 1, 1)
    writer.close()
    writer.close()
    start, *ends = stories_of(tmp_path)
    assert len(files_of(tmp_path)) == 2
    assert [end["id"] for end in ends] == [start["id"]] * 2


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_has_no_end_to_tell(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path)
    writer.flush()
    pid = os.fork()
    if pid == 0:
        try:
            writer._end_story(None)
            writer._sink.flush()
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    assert len(files_of(tmp_path)) == 1
    writer.close()
    assert len(ends_of(tmp_path)) == 1


def test_an_end_that_cannot_be_written_does_not_stop_the_closing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object, **__: object) -> str:
        raise RuntimeError("no")

    writer = SummaryWriter(tmp_path)
    monkeypatch.setattr(story, "end_record", fail)
    with caplog.at_level(logging.ERROR, "sightline.writer"):
        writer.close()
    assert "how the run ended" in caplog.text


# ── a real program ──────────────────────────────────────────────────────────────────────────────────────

PROGRAM = """
import sys
from sightline import SummaryWriter, load_settings, run_dir
with SummaryWriter(run_dir(tag="a b")) as writer:
    writer.add_scalar("a", 1, 1)
    print(writer.log_dir, load_settings().port, writer.log_code())
"""


def test_it_works_beside_a_package_called_tensorboard_and_hides_secrets(tmp_path: Path) -> None:
    # The project of the first guide: its own package of that name breaks torch's writer.
    commit = make_repository(tmp_path)
    for name in ("tensorboard", "tensorflow", "google"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise ImportError('not this one')", "utf-8")
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "tensorboard.json").write_text('{"runs_dir": "out", "port": 7007}', "utf-8")
    (tmp_path / "train.py").write_text(PROGRAM, "utf-8")
    done = subprocess.run(
        [sys.executable, "train.py", "--api-key", "abc123", "--lr=0.1"],
        cwd=tmp_path,
        env={**os.environ, "HF_TOKEN": "abc123", "SLURM_JOB_ID": "77"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == ""
    log_dir, port, has_code = done.stdout.split()
    assert (port, has_code) == ("7007", "True")
    start, end = stories_of(tmp_path / log_dir)
    assert start["command"][-3:] == ["--api-key", "***", "--lr=0.1"]
    assert start["script"] == str(tmp_path / "train.py")
    assert (start["git"]["commit"], start["git"]["is_dirty"]) == (commit, True)
    assert start["environment"]["SLURM_JOB_ID"] == "77"
    assert "numpy" in start["packages"]
    assert end["status"] == "finished"
    (file,) = files_of(tmp_path / log_dir)
    assert b"abc123" not in file.read_bytes()


# ── code ────────────────────────────────────────────────────────────────────────────────────────────────


def texts_of(directory: Path) -> list[str]:
    return [
        value.tensor.string_val[0].decode() for _, value in values_of(directory) if value.tag == "code/diff"
    ]


def test_changes_become_a_text_of_the_run(tmp_path: Path) -> None:
    commit = make_repository(tmp_path / "code")
    (tmp_path / "code" / "train.py").write_text("lr = 0.2\n", "utf-8")
    (tmp_path / "code" / "notes.md").write_text("", "utf-8")
    with SummaryWriter(tmp_path / "run", story=False) as writer:
        assert writer.log_code(tmp_path / "code") is True
    ((step, value),) = values_of(tmp_path / "run")
    assert (step, value.tag, value.tensor.dtype) == (0, "code/diff", 7)
    assert list(value.tensor.tensor_shape.dim) == []
    assert value.metadata.plugin_data.plugin_name == "text"
    diff = git(tmp_path / "code", "diff", "HEAD")
    assert texts_of(tmp_path / "run") == [
        f"Not committed, on top of `{commit}`:\n\n```diff\n{diff}\n```\n\n"
        "Files that git does not know:\n\n```\nnotes.md\n```"
    ]


def test_our_own_reader_shows_the_text(tmp_path: Path) -> None:
    make_repository(tmp_path / "code")
    (tmp_path / "code" / "train.py").write_text("lr = 0.2\n", "utf-8")
    with SummaryWriter(tmp_path / "run", story=False) as writer:
        writer.log_code(tmp_path / "code")
    with sightline.open(tmp_path / "run", watch=False).wait() as log:
        assert "+lr = 0.2" in log["."].text["code/diff"][0].text


def test_a_fence_is_longer_than_any_inside() -> None:
    changes = CodeChanges("c", "+```\n+````` x\n", "", is_cut=False)
    lines = story.code_text(changes, max_bytes=100).splitlines()
    assert lines[2:] == ["``````diff", "+```", "+````` x", "``````"]


def test_what_is_too_long_is_cut_and_said_so(tmp_path: Path) -> None:
    make_repository(tmp_path / "code", train_py="")
    (tmp_path / "code" / "train.py").write_text("x = 1\n" * 10_000, "utf-8")
    with SummaryWriter(tmp_path / "run", story=False) as writer:
        assert writer.log_code(tmp_path / "code", max_bytes=1000) is True
    (text,) = texts_of(tmp_path / "run")
    assert len(text) < 1300
    assert text.endswith("**Cut:** there is more than 1,000 bytes; the rest is not stored.")
    assert text.count("```") == 2


def test_a_clean_repository_stores_nothing(tmp_path: Path) -> None:
    make_repository(tmp_path / "code")
    with SummaryWriter(tmp_path / "run", story=False) as writer:
        assert writer.log_code(tmp_path / "code") is False
    assert values_of(tmp_path / "run") == []


def test_outside_of_a_repository_there_is_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with SummaryWriter(tmp_path / "run", story=False) as writer:
        with caplog.at_level(logging.WARNING, "sightline.writer"):
            assert writer.log_code(tmp_path) is False
        assert f"no git repository with a commit around {tmp_path}" in caplog.text
        with pytest.raises(NoSuchPathError):
            writer.log_code(tmp_path / "missing")
        with pytest.raises(BadArgumentError, match="max_bytes"):
            writer.log_code(tmp_path, max_bytes=0)
