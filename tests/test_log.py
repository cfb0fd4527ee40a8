"""The read API: opening, waiting, following, closing. Nothing sleeps: what is waited for is signalled."""

from __future__ import annotations

import gc
import logging
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import sightline
from sightline.log.reading import Reading
from sightline.model.errors import BadArgumentError, NoSuchPathError, UnknownNameError, UserError
from sightline.model.reports import Change
from sightline.store.cache import cache_info
from tests.event_logs import append, image_record, points, write_restarted_run, write_run
from tests.fixtures import event_bytes as eb

PATIENCE_S = 30.0
"""How long a test waits for another thread before it fails."""


class Listener:
    """Collects changes and lets a test wait for the one it needs."""

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self._arrived = threading.Condition()

    def __call__(self, change: Change) -> None:
        with self._arrived:
            self.changes.append(change)
            self._arrived.notify_all()

    def wait_for(self, is_wanted: Callable[[Change], bool]) -> None:
        with self._arrived:
            assert self._arrived.wait_for(lambda: any(map(is_wanted, self.changes)), PATIENCE_S), self.changes


@pytest.fixture
def blocked_scan(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Scans do not begin before this event is set."""
    release = threading.Event()
    scan = Reading._scan_local

    def wait_and_scan(reading: Reading) -> None:
        assert release.wait(PATIENCE_S)
        scan(reading)

    monkeypatch.setattr(Reading, "_scan_local", wait_and_scan)
    yield release
    release.set()


# ── opening and waiting ──────────────────────────────────────────────────────────────────────────────────


def test_a_log_gives_runs_tags_and_points(tmp_path: Path) -> None:
    write_run(tmp_path / "exp1", points(range(5), tag="train/loss"))
    write_run(tmp_path / "exp2", points(range(3), tag="train/loss"), image_record("samples", 0, b"png"))
    with sightline.open(tmp_path).wait() as log:
        assert log.runs == list(log) == ["exp1", "exp2"]
        assert len(log) == 2
        assert "exp1" in log
        assert "exp3" not in log
        assert log["exp1"].scalars["train/loss"].value.tolist() == [0, 1, 2, 3, 4]
        assert log["exp2"].images["samples"][0].bytes == b"png"
        assert [series.run for series in log.scalars("loss", "exp2")] == ["exp2"]


def test_reading_begins_before_anything_that_is_slow_to_import_is_needed(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(5)))
    program = (
        "import sys, sightline\n"
        "log = sightline.open(sys.argv[1], watch=False, cache=False).wait()\n"
        "print(log.runs, log.progress.files_done, 'numpy' in sys.modules)\n"
        "print(log['a'].scalars['loss'].value.sum(), len(list(log.scalars())), 'numpy' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["['a'] 1 False", "10.0 1 True"]


def test_opening_returns_before_anything_was_read(tmp_path: Path, blocked_scan: threading.Event) -> None:
    write_run(tmp_path / "a", points(range(5)))
    log = sightline.open(tmp_path, watch=False)
    assert log.runs == []
    assert not log.progress.is_done
    assert "reading" in repr(log)
    with pytest.raises(UnknownNameError, match="reading goes on"):
        log["a"]
    with pytest.raises(TimeoutError, match="Still reading after 0 s"):
        log.wait(0)
    blocked_scan.set()
    assert log.wait(PATIENCE_S) is log
    assert log.runs == ["a"]
    assert log.progress.is_done
    assert log.progress.fraction == 1.0


def test_progress_tells_files_and_bytes(tmp_path: Path) -> None:
    paths = [write_run(tmp_path / name, points(range(5))) for name in "abc"]
    with sightline.open(tmp_path, cache=False).wait() as log:
        total_bytes = sum(path.stat().st_size for path in paths)
        assert (log.progress.files_done, log.progress.files_total) == (3, 3)
        assert (log.progress.bytes_done, log.progress.bytes_total) == (total_bytes, total_bytes)


def test_a_path_that_does_not_exist_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(NoSuchPathError, match=str(tmp_path / "missing")):
        sightline.open(tmp_path / "missing")


def test_an_empty_directory_is_an_empty_log(tmp_path: Path) -> None:
    with sightline.open(tmp_path).wait() as log:
        assert len(log) == 0
        assert log
        assert log.damage == log.warnings == []
        assert list(log.scalars()) == []


def test_an_unknown_run_names_the_nearest_ones(tmp_path: Path) -> None:
    write_run(tmp_path / "experiment_1", points(range(5)))
    with sightline.open(tmp_path).wait() as log, pytest.raises(KeyError, match="'experiment_1'"):
        log["experiment1"]


def test_a_failure_of_the_reading_reaches_who_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Reading) -> None:
        raise MemoryError("no more")

    monkeypatch.setattr(Reading, "_scan_local", fail)
    with sightline.open(tmp_path) as log, pytest.raises(MemoryError, match="no more"):
        log.wait(PATIENCE_S)


def test_a_log_whose_reading_failed_says_so_and_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Reading) -> None:
        raise RuntimeError("the disk\nmelted")

    monkeypatch.setattr(Reading, "_scan_local", fail)
    with sightline.open(tmp_path, cache=False) as log:
        with pytest.raises(RuntimeError, match="melted"):
            log.wait()
        assert not log.is_following
        (line,) = log.warnings
    assert line.startswith("Reading failed: RuntimeError: the disk\\nmelted. ")


# ── roots ────────────────────────────────────────────────────────────────────────────────────────────────


def test_several_named_roots_give_prefixed_runs(tmp_path: Path) -> None:
    write_run(tmp_path / "x" / "a", points(range(5)))
    write_run(tmp_path / "y" / "a", points(range(5)))
    with sightline.open([f"one:{tmp_path / 'x'}", f"two:{tmp_path / 'y'}"]).wait() as log:
        assert sorted(log.runs) == ["one/a", "two/a"]


def test_one_event_file_is_a_log(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(5)))
    with sightline.open(path).wait() as log:
        assert len(log) == 1
        assert len(log[log.runs[0]].scalars["loss"]) == 5


def test_runs_can_be_included_and_excluded(tmp_path: Path) -> None:
    for name in ("keep/a", "keep/b", "drop/a"):
        write_run(tmp_path / name, points(range(5)))
    with sightline.open(tmp_path, include=["keep/*"], exclude=["*/b"]).wait() as log:
        assert log.runs == ["keep/a"]
    with pytest.raises(BadArgumentError, match=r"include is a list of globs.*\['keep/\*'\]"):
        sightline.open(tmp_path, include="keep/*")


def test_a_root_given_twice_is_read_once(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(5)))
    with sightline.open([tmp_path, f"again:{tmp_path}"]).wait() as log:
        assert len(log) == 1


def test_a_remote_root_is_read_followed_by_refresh_and_gives_media(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    store = fsspec.filesystem("memory")
    data = write_run(tmp_path / "a", points(range(5)), image_record("samples", 1, b"png")).read_bytes()
    store.pipe(f"/{tmp_path.name}/exp/{eb.FILE_NAME}", data)
    store.pipe(f"/{tmp_path.name}/exp/projector_config.pbtxt", b"")
    with sightline.open(f"memory://{tmp_path.name}", watch=False).wait() as log:
        assert log.runs == ["exp"]
        assert log["exp"].scalars["loss"].value.tolist() == [0, 1, 2, 3, 4]
        assert log["exp"].images["samples"][0].bytes == b"png"
        assert len(log["exp"].side_files.projector) == 1
        assert log.progress.files_done == 1
        store.pipe(f"/{tmp_path.name}/exp/{eb.FILE_NAME}", data + points([5]))
        log.refresh()
        assert len(log["exp"].scalars["loss"]) == 6


def test_a_remote_root_is_followed_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsspec = pytest.importorskip("fsspec")
    monkeypatch.setattr("sightline.readers.remote._SHORTEST_DELAY_S", 0.01)
    store = fsspec.filesystem("memory")
    data = write_run(tmp_path / "a", points(range(5))).read_bytes()
    store.pipe(f"/{tmp_path.name}/exp/{eb.FILE_NAME}", data)
    listener = Listener()
    before = reading_threads()
    with sightline.open([f"far:memory://{tmp_path.name}", f"near:{tmp_path}"]) as log:
        log.on_change(listener)
        log.wait()
        assert sorted(log.runs) == ["far/exp", "near/a"]
        store.pipe(f"/{tmp_path.name}/exp/{eb.FILE_NAME}", data + points([5], tag="appended"))
        listener.wait_for(lambda change: change.run == "far/exp" and "appended" in change.tags)
        assert log["far/exp"].scalars["appended"].step.tolist() == [5]
    assert reading_threads() <= before


# ── changes ──────────────────────────────────────────────────────────────────────────────────────────────


def test_refresh_reads_what_is_new(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(5)))
    with sightline.open(tmp_path, watch=False).wait() as log:
        append(path, points([5]))
        write_run(tmp_path / "b", points(range(2)))
        log.refresh()
        assert len(log["a"].scalars["loss"]) == 6
        assert log.runs == ["a", "b"]


def test_subscribers_hear_of_a_refresh_before_it_returns(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(5)))
    with sightline.open(tmp_path, watch=False).wait() as log:
        changes: list[Change] = []
        unsubscribe = log.on_change(changes.append)
        append(path, points([5]), points([5], tag="acc"))
        log.refresh()
        assert [(change.run, sorted(change.tags)) for change in changes] == [("a", ["acc", "loss"])]
        assert not changes[0].is_reset
        assert not changes[0].is_removed
        unsubscribe()
        unsubscribe()
        append(path, points([6]))
        log.refresh()
        assert len(changes) == 1


def test_a_change_tells_whether_the_list_of_tags_is_another_now(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(5)))
    with sightline.open(tmp_path, watch=False).wait() as log:
        changes: list[Change] = []
        log.on_change(changes.append)
        append(path, points([5]))
        log.refresh()
        append(path, points([6], tag="acc"))
        log.refresh()
        write_run(tmp_path / "new", points([0]))
        log.refresh()
        assert [(change.run, change.has_new_series) for change in changes] == [
            ("a", False),
            ("a", True),
            ("new", True),
        ]


def test_removed_and_replaced_runs_are_told(tmp_path: Path) -> None:
    gone = write_run(tmp_path / "gone", points(range(5)))
    replaced = write_run(tmp_path / "replaced", points(range(5)))
    with sightline.open(tmp_path, watch=False).wait() as log:
        changes: list[Change] = []
        log.on_change(changes.append)
        gone.unlink()
        replaced.unlink()
        write_run(tmp_path / "replaced", points([7]))
        log.refresh()
        by_run = {change.run: change for change in changes}
        assert by_run["gone"].is_removed
        assert by_run["replaced"].is_reset
        assert by_run["replaced"].has_new_series
        assert log.runs == ["replaced"]
        assert log["replaced"].scalars["loss"].step.tolist() == [7]


def test_what_is_written_is_followed_without_asking(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(5)))
    listener = Listener()
    with sightline.open(tmp_path) as log:
        log.on_change(listener)
        log.wait()
        append(path, points([5], tag="appended"))
        listener.wait_for(lambda change: "appended" in change.tags)
        assert log["a"].scalars["appended"].step.tolist() == [5]
        write_run(tmp_path / "new" / "run", points([0]))
        listener.wait_for(lambda change: change.run == "new/run")
        path.unlink()
        listener.wait_for(lambda change: change.is_removed)
        assert log.runs == ["new/run"]


def test_subscribers_hear_of_runs_while_the_log_is_loading(
    tmp_path: Path, blocked_scan: threading.Event
) -> None:
    write_run(tmp_path / "a", points(range(5)))
    listener = Listener()
    with sightline.open(tmp_path, watch=False) as log:
        log.on_change(listener)
        blocked_scan.set()
        listener.wait_for(lambda change: change.run == "a")


def test_a_failing_callback_is_logged_and_stops_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = write_run(tmp_path / "a", points(range(5)))
    with sightline.open(tmp_path, watch=False).wait() as log:
        heard: list[Change] = []

        def fail(_: Change) -> None:
            raise ValueError("theirs")

        log.on_change(fail)
        log.on_change(heard.append)
        append(path, points([5]))
        with caplog.at_level(logging.ERROR, logger="sightline"):
            log.refresh()
        assert len(heard) == 1
        assert "An on_change callback failed for run 'a'" in caplog.text


def test_a_callback_may_ask_the_log_and_refresh_it(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(5)))
    with sightline.open(tmp_path, watch=False).wait() as log:
        lengths: list[int] = []

        def look(_: Change) -> None:
            if len(lengths) < 3:
                append(path, points([100 + len(lengths)]))
                lengths.append(len(log["a"].scalars["loss"]))
                log.refresh()

        log.on_change(look)
        append(path, points([5]))
        log.refresh()
        assert lengths == [6, 7, 8]


def test_a_callback_that_waits_for_the_loading_log_does_not_hang(
    tmp_path: Path, blocked_scan: threading.Event
) -> None:
    write_run(tmp_path / "a", points(range(5)))
    told: list[str] = []
    with sightline.open(tmp_path, watch=False) as log:

        def wait(_: Change) -> None:
            try:
                log.wait()
            except UserError as error:
                told.append(str(error))

        log.on_change(wait)
        blocked_scan.set()
        log.wait(PATIENCE_S)
        # Either it was called while loading and refused, or afterwards, when there is nothing to wait for.
        assert told in ([], ["An on_change callback cannot wait for the reading: it would wait for itself"])


def test_a_callback_may_refresh_the_log_while_it_is_loading(
    tmp_path: Path, blocked_scan: threading.Event
) -> None:
    write_run(tmp_path / "a", points(range(5)))
    with sightline.open(tmp_path, watch=False) as log:
        log.on_change(lambda _: log.refresh())
        blocked_scan.set()
        assert log.wait(PATIENCE_S).runs == ["a"]


def test_series_stay_consistent_while_the_file_grows(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points([0]))
    with sightline.open(tmp_path, watch=False).wait() as log:
        is_over = threading.Event()
        failures: list[str] = []

        def look() -> None:
            longest = 0
            while not is_over.is_set():
                series = log["a"].scalars["loss"]
                lengths = {len(series.step), len(series.wall_time), len(series.value), len(series)}
                is_right = series.step.tolist() == series.value.tolist() == list(range(len(series)))
                if len(lengths) != 1 or len(series) < longest or not is_right:
                    failures.append(f"{lengths} after {longest}")
                longest = len(series)

        looking = [threading.Thread(target=look) for _ in range(2)]
        for thread in looking:
            thread.start()
        for step in range(1, 300):
            append(path, points([step]))
            log.refresh()
        is_over.set()
        for thread in looking:
            thread.join()
        assert failures == []
        assert len(log["a"].scalars["loss"]) == 300


# ── trouble ──────────────────────────────────────────────────────────────────────────────────────────────


def test_damage_is_collected_and_never_printed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "a", eb.scalar(0), eb.flip(eb.scalar(1), -1), eb.scalar(2))
    with sightline.open(tmp_path).wait() as log:
        (damage,) = log.damage
        assert damage.run == "a"
        assert "checksum" in damage.reason
        assert log["a"].scalars["loss"].step.tolist() == [0, 2]
    assert capfd.readouterr() == ("", "")


def test_an_unusable_cache_is_a_warning_and_the_log_is_read(tmp_path: Path) -> None:
    write_run(tmp_path / "logs" / "a", points(range(5)))
    (tmp_path / "file").write_text("")
    with sightline.open(tmp_path / "logs", cache=tmp_path / "file").wait() as log:
        assert log.runs == ["a"]
        log.close()
        assert len(log.warnings) == 1
        assert log.warnings[0].startswith("The cache is not used")


# ── the cache ────────────────────────────────────────────────────────────────────────────────────────────


def test_the_second_opening_with_a_cache_shows_the_same_points(tmp_path: Path) -> None:
    write_restarted_run(tmp_path / "a")
    with sightline.open(tmp_path, watch=False).wait() as log:
        before = log.scalars(superseded=True).to_pandas()
    assert len(cache_info().entries) == 1
    with sightline.open(tmp_path, watch=False).wait() as log:
        assert log.scalars(superseded=True).to_pandas().equals(before)


def test_without_a_cache_nothing_is_kept(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(5)))
    with sightline.open(tmp_path, watch=False, cache=False).wait():
        pass
    assert cache_info().entries == ()


def test_the_cache_can_lie_elsewhere(tmp_path: Path) -> None:
    write_run(tmp_path / "logs" / "a", points(range(5)))
    with sightline.open(tmp_path / "logs", watch=False, cache=tmp_path / "elsewhere").wait():
        pass
    assert cache_info().entries == ()
    assert len(cache_info(tmp_path / "elsewhere").entries) == 1


# ── the end ──────────────────────────────────────────────────────────────────────────────────────────────


def reading_threads() -> set[threading.Thread]:
    """Threads of open logs; download threads of remote roots are let go, not waited for."""
    names = ("sightline-reading", "sightline-task")
    return {thread for thread in threading.enumerate() if thread.name in names}


def test_a_closed_log_can_still_be_read_but_not_refreshed(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(5)), image_record("samples", 0, b"png"))
    before = reading_threads()
    log = sightline.open(tmp_path).wait()
    log.close()
    log.close()
    assert reading_threads() <= before
    assert len(log["a"].scalars["loss"]) == 5
    assert log["a"].images["samples"][0].bytes == b"png"
    with pytest.raises(UserError, match="closed"):
        log.refresh()


def test_a_log_can_be_closed_while_it_is_loading(tmp_path: Path, blocked_scan: threading.Event) -> None:
    log = sightline.open(tmp_path)
    closing = threading.Thread(target=log.close)
    closing.start()
    blocked_scan.set()
    closing.join(PATIENCE_S)
    assert not closing.is_alive()


def test_a_callback_may_close_the_log(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(5)))
    closed = threading.Event()
    log = sightline.open(tmp_path)

    def close(_: Change) -> None:
        log.close()
        closed.set()

    log.on_change(close)
    log.wait()
    write_run(tmp_path / "b", points(range(5)))
    assert closed.wait(PATIENCE_S)
    log.close()


def test_a_log_that_nobody_holds_is_collected_and_its_thread_ends(tmp_path: Path) -> None:
    write_run(tmp_path / "a", points(range(5)))
    before = reading_threads()
    log = sightline.open(tmp_path).wait()
    series = log["a"].scalars["loss"]
    (thread,) = (t for t in reading_threads() - before if t.name == "sightline-reading")
    is_gone = weakref.ref(log)
    del log
    gc.collect()
    assert is_gone() is None
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
    assert series.value.tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("then", ["", "log.wait()", "log.on_change(print)", "log.wait(); log.close()"])
def test_a_program_that_ends_with_an_open_log_ends_quietly(tmp_path: Path, then: str) -> None:
    for number in range(20):
        write_run(tmp_path / f"run{number}", points(range(200)))
    program = f"import sightline\nlog = sightline.open({str(tmp_path)!r})\n{then}\n"
    ended = subprocess.run(
        [sys.executable, "-X", "dev", "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_what_the_cache_knows_is_there_before_the_first_scan_has_ended(tmp_path: Path) -> None:
    write_run(tmp_path / "logs" / "a", points(range(5)))
    with sightline.open(tmp_path / "logs", cache=tmp_path / "cache", watch=False) as first:
        assert first.wait_cached() is first  # nothing kept yet: returns at once
        first.wait()
    with sightline.open(tmp_path / "logs", cache=tmp_path / "cache", watch=False) as again:
        again.wait_cached()
        assert again.runs == ["a"]
        assert again["a"].scalars["loss"].step.tolist() == [0, 1, 2, 3, 4]
