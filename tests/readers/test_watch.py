"""What a watcher does with notifications, with their absence and with time.

The first parts are scripted, so that no time passes; the last one follows real files.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

import pytest

from sightline import _core
from sightline.readers.watch import ADDED, DELETED, MODIFIED, RawChanges, StopSignal, Watcher

LOCAL = "/dev/sda1 / ext4 rw 0 0"


class Script:
    """Stands in for the clock, the stop signal and the native notifications of one watcher."""

    def __init__(self, *, until_s: float = 1000.0) -> None:
        self.now_s = 0.0
        self.until_s = until_s
        self.is_stopped = False
        self.waits: list[float] = []
        self.refreshed: list[tuple[float, list[str]]] = []
        self.rescans: list[float] = []
        self.opened: list[list[str]] = []
        self.closed_count = 0
        self.rescan_cost_s = 0.0
        self.opening_cost_s = 0.0
        self.failure: Exception | None = None
        self.changes_at: dict[float, RawChanges] = {}
        self.actions_at: dict[float, Callable[[], object]] = {}

    def clock(self) -> float:
        return self.now_s

    def is_set(self) -> bool:
        return self.is_stopped or self.now_s >= self.until_s

    def set(self) -> None:
        self.is_stopped = True

    def wait(self, timeout: float) -> bool:
        self.waits.append(timeout)
        self.now_s += timeout
        self.act()
        return self.is_set()

    def act(self) -> None:
        for at_s in [at_s for at_s in self.actions_at if at_s <= self.now_s]:
            self.actions_at.pop(at_s)()

    def notifications(self, paths: Sequence[str], stop: StopSignal) -> Generator[RawChanges, None, None]:
        self.opened.append(list(paths))
        self.now_s += self.opening_cost_s
        if self.failure is not None:
            raise self.failure
        try:
            while not stop.is_set():
                due = [at_s for at_s in self.changes_at if at_s <= self.now_s]
                yield self.changes_at.pop(due[0]) if due else ()
                self.now_s += 0.5
                self.act()
        finally:
            self.closed_count += 1

    def refresh(self, paths: list[str]) -> None:
        self.refreshed.append((self.now_s, paths))

    def rescan(self) -> None:
        self.rescans.append(self.now_s)
        self.now_s += self.rescan_cost_s

    def watcher(self, *paths: Path | str, mode: str = "auto", mount_table: str = LOCAL) -> Watcher:
        return Watcher(
            [str(path) for path in paths],
            refresh=self.refresh,
            rescan=self.rescan,
            mode="poll" if mode == "poll" else "auto",
            clock=self.clock,
            stop=self,
            notifications=self.notifications,
            mount_table=mount_table,
        )


# ---- which changes count -----------------------------------------------------------------------------------


def refreshed_by(tmp_path: Path, *changes: tuple[int, Path]) -> list[str]:
    script = Script(until_s=5)
    script.changes_at[1.0] = {(change, str(path)) for change, path in changes}
    script.watcher(tmp_path).run()
    return script.refreshed[0][1] if script.refreshed else []


def test_every_change_of_an_event_file_counts(tmp_path: Path) -> None:
    for change in (ADDED, MODIFIED, DELETED):
        path = tmp_path / "run" / "events.out.tfevents.1"
        assert refreshed_by(tmp_path, (change, path)) == [str(path)]


def test_a_checkpoint_being_written_causes_no_work(tmp_path: Path) -> None:
    checkpoint = tmp_path / "model.pt"
    checkpoint.write_bytes(b"x")
    assert refreshed_by(tmp_path, (ADDED, checkpoint), (MODIFIED, checkpoint)) == []


def test_new_directories_count_and_touched_ones_do_not(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "old").mkdir()
    changes = (ADDED, tmp_path / "new"), (MODIFIED, tmp_path / "old")
    assert refreshed_by(tmp_path, *changes) == [str(tmp_path / "new")]


def test_a_new_directory_is_looked_at_twice_because_it_is_told_of_before_it_is_watched(
    tmp_path: Path,
) -> None:
    (tmp_path / "new").mkdir()
    script = Script(until_s=5)
    script.changes_at[1.0] = {(ADDED, str(tmp_path / "new"))}
    script.watcher(tmp_path).run()
    assert script.refreshed == [(1.0, [str(tmp_path / "new")]), (1.5, [str(tmp_path / "new")])]


def test_anything_deleted_counts_because_it_may_have_been_a_directory(tmp_path: Path) -> None:
    assert refreshed_by(tmp_path, (DELETED, tmp_path / "run")) == [str(tmp_path / "run")]


def test_paths_that_come_back_resolved_are_given_as_they_were_named(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    script = Script(until_s=5)
    script.changes_at[1.0] = {(MODIFIED, str(real / "a.tfevents"))}
    script.watcher(link).run()
    assert [paths for _, paths in script.refreshed] == [[str(link / "a.tfevents")]]


def test_a_slow_refresh_is_followed_by_as_long_a_pause(tmp_path: Path) -> None:
    script = Script(until_s=5)
    script.changes_at[1.0] = {(MODIFIED, str(tmp_path / "a.tfevents"))}
    slow = script.watcher(tmp_path)
    slow._refresh = lambda _: setattr(script, "now_s", script.now_s + 0.25)
    slow.run()
    assert script.waits == [0.25]


# ---- rescans -----------------------------------------------------------------------------------------------


def test_a_watched_tree_is_rescanned_at_the_start_and_every_half_minute(tmp_path: Path) -> None:
    script = Script(until_s=70)
    watcher = script.watcher(tmp_path)
    watcher.run()
    assert script.rescans == [0.0, 30.0, 60.0]
    assert not watcher.is_polling
    assert watcher.polling_reason == ""
    assert script.closed_count == 1


def test_an_expensive_rescan_is_done_less_often(tmp_path: Path) -> None:
    script = Script(until_s=1000)
    script.rescan_cost_s = 1.0
    script.watcher(tmp_path).run()
    gaps = [b - a for a, b in zip(script.rescans, script.rescans[1:], strict=False)]
    assert gaps
    assert min(gaps) >= 200


def test_one_expensive_rescan_among_cheap_ones_does_not_delay_the_next(tmp_path: Path) -> None:
    script = Script(until_s=100)
    script.actions_at[29.0] = lambda: setattr(script, "rescan_cost_s", 5.0)
    script.actions_at[36.0] = lambda: setattr(script, "rescan_cost_s", 0.0)
    script.watcher(tmp_path).run()
    assert len(script.rescans) >= 3


@pytest.mark.parametrize(("cost_s", "gap_s"), [(0.0, 1.0), (0.01, 1.01), (0.5, 10.5)])
def test_polling_waits_a_second_or_twenty_times_the_cost(tmp_path: Path, cost_s: float, gap_s: float) -> None:
    script = Script(until_s=60)
    script.rescan_cost_s = cost_s
    watcher = script.watcher(tmp_path, mode="poll")
    watcher.run()
    gaps = {round(b - a, 6) for a, b in zip(script.rescans, script.rescans[1:], strict=False)}
    assert gaps == {gap_s}
    assert watcher.is_polling
    assert script.opened == []


# ---- when there are no notifications -----------------------------------------------------------------------


def test_a_network_file_system_is_polled(tmp_path: Path) -> None:
    script = Script(until_s=10)
    watcher = script.watcher(tmp_path, mount_table=f"server:/x {tmp_path} nfs4 rw 0 0")
    watcher.run()
    assert script.opened == []
    assert len(script.rescans) == 10
    assert watcher.polling_reason.endswith(str(tmp_path))
    assert "nfs4" in watcher.polling_reason


def test_of_a_local_and_a_network_root_both_are_followed(tmp_path: Path) -> None:
    (tmp_path / "near").mkdir()
    (tmp_path / "far").mkdir()
    script = Script(until_s=10)
    script.changes_at[1.0] = {(ADDED, str(tmp_path / "near/a.tfevents"))}
    script.watcher(tmp_path / "near", tmp_path / "far", mount_table=f"h:/x {tmp_path}/far nfs rw 0 0").run()
    assert script.opened == [[str(tmp_path / "near")]]
    assert script.refreshed
    assert len(script.rescans) >= 5


def test_polling_takes_over_when_the_watch_limit_is_reached(tmp_path: Path) -> None:
    script = Script(until_s=10)
    script.failure = OSError("OS file watch limit reached.")
    watcher = script.watcher(tmp_path)
    watcher.run()
    assert len(script.opened) == 1
    assert len(script.rescans) >= 9
    assert "max_user_watches" in watcher.polling_reason


def test_polling_takes_over_when_watching_breaks_later(tmp_path: Path) -> None:
    script = Script(until_s=20)

    def breaking(paths: Sequence[str], stop: StopSignal) -> Generator[RawChanges, None, None]:
        yield from [(), (), ()]
        raise RuntimeError("error in underlying watcher")

    script.notifications = breaking  # type: ignore[method-assign]
    watcher = script.watcher(tmp_path)
    watcher.run()
    assert "error in underlying watcher" in watcher.polling_reason
    assert len(script.rescans) >= 19


def test_an_error_of_a_callback_is_not_taken_for_one_of_the_watch(tmp_path: Path) -> None:
    script = Script(until_s=20)
    watcher = script.watcher(tmp_path)

    def fail() -> None:
        raise OSError("the reader's own")

    watcher._rescan = fail
    with pytest.raises(OSError, match="the reader's own"):
        watcher.run()
    assert script.closed_count == 1


# ---- the roots come and go ---------------------------------------------------------------------------------


def test_a_root_that_vanishes_and_comes_back_is_watched_again(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    root.mkdir()
    script = Script(until_s=20)
    script.actions_at[3.0] = root.rmdir
    script.actions_at[8.0] = root.mkdir
    script.watcher(root).run()
    assert script.opened == [[str(root)]] * 2
    assert [round(at_s) for at_s in script.rescans] == [0, 3, 8]


@pytest.mark.parametrize("at_s", [0.0, 3.0])  # at 0: while the watch is being opened
def test_a_root_that_comes_back_at_once_with_the_same_inode_is_watched_again(
    tmp_path: Path, at_s: float
) -> None:
    script = Script(until_s=10)
    script.changes_at[at_s] = {(DELETED, str(tmp_path))}  # and it is there again before anyone could look
    script.watcher(tmp_path).run()
    assert len(script.opened) == 2


def test_a_root_that_was_replaced_is_watched_again(tmp_path: Path) -> None:
    root, other = tmp_path / "runs", tmp_path / "other"
    root.mkdir()
    other.mkdir()
    script = Script(until_s=10)
    script.actions_at[3.0] = lambda: other.rename(root)  # an empty directory may be renamed over
    script.watcher(root).run()
    assert len(script.opened) == 2


def test_a_missing_root_does_not_keep_the_others_from_being_watched(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    script = Script(until_s=10)
    script.actions_at[5.0] = (tmp_path / "later").mkdir
    script.watcher(tmp_path / "here", tmp_path / "later").run()
    assert script.opened == [[str(tmp_path / "here")], [str(tmp_path / "here"), str(tmp_path / "later")]]


def test_a_root_that_vanishes_while_watching_begins_is_no_busy_loop(tmp_path: Path) -> None:
    script = Script(until_s=10)
    script.failure = FileNotFoundError("gone")
    script.watcher(tmp_path).run()
    assert len(script.opened) == 10


def test_a_new_link_to_a_directory_is_watched_by_opening_anew(tmp_path: Path) -> None:
    root, target = tmp_path / "runs", tmp_path / "elsewhere"
    root.mkdir()
    target.mkdir()
    (root / "link").symlink_to(target)
    script = Script(until_s=10)
    script.changes_at[3.0] = {(ADDED, str(root / "link"))}
    watcher = script.watcher(root)
    watcher.run()
    assert len(script.opened) == 2
    assert not watcher.is_polling


def test_until_an_expensive_watch_is_opened_anew_links_are_polled(tmp_path: Path) -> None:
    root, target = tmp_path / "runs", tmp_path / "elsewhere"
    root.mkdir()
    target.mkdir()
    (root / "link").symlink_to(target)
    script = Script(until_s=30)
    script.opening_cost_s = 1.0
    script.changes_at[3.0] = {(ADDED, str(root / "link"))}
    script.watcher(root).run()
    assert len(script.opened) == 2
    assert len(script.rescans) > 15


def test_a_link_whose_target_comes_back_is_watched_again(tmp_path: Path) -> None:
    root, target = tmp_path / "runs", tmp_path / "elsewhere"
    root.mkdir()
    (root / "link").symlink_to(target)
    script = Script(until_s=20)
    script.changes_at[3.0] = {(DELETED, str(root / "link"))}
    script.actions_at[8.0] = target.mkdir
    script.watcher(root).run()
    assert len(script.opened) == 2


# ---- with the real thing -----------------------------------------------------------------------------------


class Following:
    """A watcher on its own thread; ``until`` waits for a path to be reported (or a rescan)."""

    def __init__(self, *roots: Path) -> None:
        self._news = threading.Condition()
        self._paths: set[str] = set()
        self.rescan_count = 0
        self.watcher = Watcher([str(root) for root in roots], refresh=self._refresh, rescan=self._rescan)
        self._thread = threading.Thread(target=self.watcher.run)

    def __enter__(self) -> Following:
        self._thread.start()
        self.until_rescans(1)
        return self

    def __exit__(self, *_: object) -> None:
        self.watcher.stop()
        self._thread.join(timeout=30)
        assert not self._thread.is_alive()

    def _refresh(self, paths: list[str]) -> None:
        with self._news:
            self._paths.update(paths)
            self._news.notify_all()

    def _rescan(self) -> None:
        with self._news:
            self.rescan_count += 1
            self._news.notify_all()

    def until(self, path: Path, do: Callable[[], object], *, or_rescan: bool = False) -> None:
        """Do something and wait until the path, or a directory around it, was reported."""
        with self._news:
            self._paths.clear()
        do()
        around = {str(path), *(str(parent) for parent in path.parents)}
        with self._news:
            enough = self.rescan_count + 1 if or_rescan else sys.maxsize
            assert self._news.wait_for(
                lambda: bool(around & self._paths) or self.rescan_count >= enough, timeout=30
            ), path

    def until_rescans(self, count: int) -> None:
        with self._news:
            assert self._news.wait_for(lambda: self.rescan_count >= count, timeout=30)


def append(path: Path) -> Callable[[], object]:
    def write() -> None:
        with open(path, "ab") as file:
            file.write(b"x")

    return write


def test_files_that_appear_grow_shrink_are_replaced_and_vanish_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "events.tfevents.1"
    with Following(tmp_path) as following:
        following.until(file, append(file))
        following.until(file, append(file))
        following.until(file, lambda: os.truncate(file, 0))
        (tmp_path / "other").write_bytes(b"abc")
        following.until(file, lambda: os.replace(tmp_path / "other", file))
        following.until(file, append(file))
        following.until(file, file.unlink)


def test_runs_in_new_renamed_deleted_and_recreated_directories_are_reported(tmp_path: Path) -> None:
    run, renamed = tmp_path / "a" / "b" / "run", tmp_path / "renamed"
    with Following(tmp_path) as following:
        following.until(run, lambda: run.mkdir(parents=True))
        following.until(run / "1.tfevents", append(run / "1.tfevents"))
        following.until(renamed, lambda: (tmp_path / "a").rename(renamed))
        moved = renamed / "b" / "run" / "1.tfevents"
        following.until(moved, append(moved))
        following.until(moved, moved.unlink)
        following.until(renamed / "b" / "run", (renamed / "b" / "run").rmdir)
        following.until(renamed / "b" / "run", (renamed / "b" / "run").mkdir)
        following.until(moved, append(moved))


def test_linked_run_directories_outside_the_root_are_watched(tmp_path: Path) -> None:
    root, early, late = tmp_path / "runs", tmp_path / "early", tmp_path / "late"
    for directory in (root, early, late):
        directory.mkdir()
    (root / "early").symlink_to(early)
    (root / "loop").symlink_to(root)
    with Following(root) as following:
        following.until(root / "early" / "1.tfevents", append(early / "1.tfevents"))
        following.until(root / "late", lambda: (root / "late").symlink_to(late))
        # Reported when watching has begun anew by now, else found by the rescan that comes with it.
        following.until(root / "late" / "1.tfevents", append(late / "1.tfevents"), or_rescan=True)


def test_a_root_deleted_and_created_again_is_followed(tmp_path: Path) -> None:
    root = tmp_path / "runs"
    root.mkdir()
    with Following(root) as following:
        following.until(root, root.rmdir)
        root.mkdir()
        following.until_rescans(2)
        following.until(root / "1.tfevents", append(root / "1.tfevents"))


def test_a_single_event_file_can_be_watched(tmp_path: Path) -> None:
    file = tmp_path / "1.tfevents"
    file.write_bytes(b"")
    with Following(file) as following:
        following.until(file, append(file))


def native_watch_threads() -> set[str]:
    names = set()
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):  # it ended meanwhile
            if "notify" in (task / "comm").read_text():
                names.add(task.name)
    return names


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="native threads can be listed on Linux only")
def test_no_native_thread_is_left_behind(tmp_path: Path) -> None:
    before = native_watch_threads()
    with Following(tmp_path):
        assert native_watch_threads() - before
    # The native side ends its thread after it has returned; give it a (generous) while.
    deadline_s = time.monotonic() + 30
    while native_watch_threads() - before:
        assert time.monotonic() < deadline_s


# ---- with the real index -----------------------------------------------------------------------------------


class Indexed(Following):
    """Follows into an index; ``until_steps`` waits for what a run holds."""

    def __init__(self, root: Path) -> None:
        self.index = _core.Index(1)
        self.index.add_root(str(root))
        super().__init__(root)

    def __enter__(self) -> Indexed:
        super().__enter__()
        return self

    def _refresh(self, paths: list[str]) -> None:
        self.index.refresh(paths)
        super()._refresh(paths)

    def _rescan(self) -> None:
        self.index.scan()
        super()._rescan()

    def until_steps(self, run: str, steps: list[int]) -> None:
        def is_there() -> bool:
            parts = self.index.parts(run, "loss", _core.FORM_SCALAR)
            return [int(step) for part in parts for step in part.step] == steps

        with self._news:
            assert self._news.wait_for(is_there, timeout=30), (run, self.index.run_names())


def test_an_index_follows_everything_that_happens_to_runs(
    tmp_path: Path, records: Callable[[Sequence[int]], bytes]
) -> None:
    root, outside = tmp_path / "runs", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    with Indexed(root) as indexed:
        file = root / "a" / "b" / "1.tfevents"
        file.parent.mkdir(parents=True)
        file.write_bytes(records([1]))
        indexed.until_steps("a/b", [1])
        with open(file, "ab") as stream:
            stream.write(records([2])[:20])
            stream.flush()
            stream.write(records([2, 3])[20:])
        indexed.until_steps("a/b", [1, 2, 3])
        (root / "a").rename(root / "c")
        indexed.until_steps("c/b", [1, 2, 3])
        indexed.until_steps("a/b", [])
        (outside / "1.tfevents").write_bytes(records([7]))
        (root / "link").symlink_to(outside)
        indexed.until_steps("link", [7])
        with open(outside / "1.tfevents", "ab") as stream:
            stream.write(records([8]))
        indexed.until_steps("link", [7, 8])
        shutil.rmtree(root / "c")
        indexed.until_steps("c/b", [])
        shutil.rmtree(root)
        indexed.until_steps("link", [])
        root.mkdir()
        (root / "1.tfevents").write_bytes(records([9]))
        indexed.until_steps(".", [9])
