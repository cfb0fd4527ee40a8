"""Changes reach subscribers in order, whoever notices them; callbacks may do what they like with the log."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import sightline
from sightline.log.subscribers import Subscribers
from sightline.model.reports import Change
from tests.event_logs import append, points, write_run
from tests.fixtures import event_bytes as eb

PATIENCE_S = 30.0
"""How long a test waits for another thread before it fails."""


def test_what_a_callback_finds_by_refreshing_is_told_after_the_rest_of_the_list(tmp_path: Path) -> None:
    paths = {name: write_run(tmp_path / name, points(range(3))) for name in "abc"}
    heard: dict[str, list[tuple[str, tuple[str, ...]]]] = {"first": [], "second": []}
    with sightline.open(tmp_path, watch=False).wait() as log:

        def refresh_once(change: Change) -> None:
            heard["first"].append((change.run, change.tags))
            if len(heard["first"]) == 1:
                append(paths["c"], points([4], tag="newer"))
                log.refresh()

        log.on_change(refresh_once)
        log.on_change(lambda change: heard["second"].append((change.run, change.tags)))
        for path in paths.values():
            append(path, points([3]))
        log.refresh()
    older = [(name, ("loss",)) for name in "abc"]
    assert sorted(heard["first"][:3]) == older
    assert heard["first"][3:] == [("c", ("newer",))]
    assert heard["second"] == heard["first"]


def test_what_happened_while_nobody_listened_is_not_told_to_the_next_subscriber(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(3)))
    late: list[Change] = []
    with sightline.open(tmp_path, watch=False).wait() as log:
        unsubscribe = log.on_change(lambda _: None)
        append(path, points([3], tag="before"))
        log._store.index.scan()  # read, and told to nobody yet
        unsubscribe()
        log.on_change(late.append)
        append(path, points([4], tag="after"))
        log.refresh()
    assert [change.tags for change in late] == [("after",)]


def test_who_unsubscribes_in_a_callback_hears_nothing_more(tmp_path: Path) -> None:
    paths = [write_run(tmp_path / name, points(range(3))) for name in "abc"]
    heard: list[Change] = []
    with sightline.open(tmp_path, watch=False).wait() as log:

        def hear(change: Change) -> None:
            heard.append(change)
            unsubscribe()

        unsubscribe = log.on_change(hear)
        for path in paths:
            append(path, points([3]))
        log.refresh()
    assert len(heard) == 1


def test_a_function_that_subscribed_twice_is_called_until_both_ended(tmp_path: Path) -> None:
    path = write_run(tmp_path / "a", points(range(3)))
    heard: list[Change] = []
    counts = []
    with sightline.open(tmp_path, watch=False).wait() as log:
        ends = [log.on_change(heard.append), log.on_change(heard.append)]
        for step, end in enumerate([ends[0], ends[0], ends[1]]):
            append(path, points([3 + step]))
            log.refresh()
            counts.append(len(heard))
            end()
        append(path, points([6]))
        log.refresh()
    assert counts == [2, 3, 4]
    assert len(heard) == 4


def test_a_callback_may_close_a_log_whose_thread_waits_for_the_callback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_run(tmp_path / "a", points(range(3)))
    log = sightline.open(tmp_path).wait()
    is_called = threading.Event()
    is_awaited = threading.Event()
    closed = threading.Event()
    dispatch = Subscribers.dispatch

    def dispatch_during_the_callback(subscribers: Subscribers) -> None:
        if threading.current_thread().name == "sightline-reading":
            assert is_called.wait(PATIENCE_S)
            is_awaited.set()
        dispatch(subscribers)

    def close(_: Change) -> None:
        is_called.set()
        append(path, points([4]))  # so that the reading thread has something to tell, too
        assert is_awaited.wait(PATIENCE_S)
        log.close()
        closed.set()

    monkeypatch.setattr(Subscribers, "dispatch", dispatch_during_the_callback)
    log.on_change(close)
    append(path, points([3]))
    threading.Thread(target=log.refresh, daemon=True).start()
    assert closed.wait(PATIENCE_S)
    log.close()


def test_a_callback_may_close_a_remote_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsspec = pytest.importorskip("fsspec")
    monkeypatch.setattr("sightline.readers.remote._SHORTEST_DELAY_S", 0.01)
    store = fsspec.filesystem("memory")
    data = write_run(tmp_path / "a", points(range(3))).read_bytes()
    place = f"/{tmp_path.name}/exp/{eb.FILE_NAME}"
    store.pipe(place, data)
    log = sightline.open(f"memory://{tmp_path.name}").wait()
    closed = threading.Event()

    def close(_: Change) -> None:
        log.close()
        closed.set()

    log.on_change(close)
    store.pipe(place, data + points([3]))
    assert closed.wait(PATIENCE_S)
    log.close()
    assert len(log["exp"].scalars["loss"]) == 4
