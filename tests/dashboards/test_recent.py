"""What the Tables routes keep of the values that were read last: few, and not for long."""

from __future__ import annotations

import gc
import threading
import weakref
from concurrent.futures import Future

import pytest

from sightline.dashboards.tables import recent as recent_module
from sightline.dashboards.tables.recent import Recent


def test_the_cache_keeps_few_and_the_last_one_always() -> None:
    recent: Recent[str] = Recent(max_cost=10, max_count=3, keep_s=60)
    made: list[str] = []

    def ask(name: str, cost: int) -> None:
        def make() -> str:
            made.append(name)
            return name

        assert recent.get(name, make, cost=lambda _: cost) == name

    ask("huge", 100)
    ask("huge", 100)
    assert made == ["huge"]
    for name in "abcd":
        ask(name, 1)
    assert len(recent) == 3
    ask("b", 1)
    ask("a", 1)
    assert made == ["huge", "a", "b", "c", "d", "a"]


def test_the_cache_forgets_what_nobody_asks_for() -> None:
    now = [0.0]
    recent: Recent[int] = Recent(max_cost=10, max_count=3, keep_s=60, clock=lambda: now[0])
    recent.get("a", lambda: 1, cost=lambda _: 1)
    now[0] = 59
    recent.drop_old()
    assert len(recent) == 1
    now[0] = 60
    recent.drop_old()
    assert len(recent) == 0


def test_the_cache_keeps_no_failure() -> None:
    recent: Recent[int] = Recent(max_cost=10, max_count=3, keep_s=60)

    def fail() -> int:
        raise ValueError("once")

    with pytest.raises(ValueError, match="once"):
        recent.get("a", fail, cost=lambda _: 1)
    assert recent.get("a", lambda: 2, cost=lambda _: 1) == 2


def test_room_is_made_when_it_is_known_how_much_a_value_takes() -> None:
    recent: Recent[int] = Recent(max_cost=10, max_count=9, keep_s=60)
    for value in (4, 5, 6):
        recent.get(value, lambda: value, cost=lambda made: made)  # noqa: B023
    assert len(recent) == 1
    recent.get(4, lambda: 4, cost=lambda made: made)
    assert len(recent) == 2


def test_two_who_ask_at_the_same_time_get_one_value(monkeypatch: pytest.MonkeyPatch) -> None:
    is_making, is_waiting, may_finish = threading.Event(), threading.Event(), threading.Event()

    class WatchedFuture(Future[object]):
        def result(self, timeout: float | None = None) -> object:
            is_waiting.set()
            return super().result(timeout)

    monkeypatch.setattr(recent_module, "Future", WatchedFuture)
    recent: Recent[object] = Recent(max_cost=10, max_count=3, keep_s=60)
    found: list[object] = []

    def make() -> object:
        is_making.set()
        assert may_finish.wait(10)
        return object()

    threads = [
        threading.Thread(target=lambda: found.append(recent.get("a", make, cost=lambda _: 1)))
        for _ in range(2)
    ]
    threads[0].start()
    assert is_making.wait(10)
    assert not is_waiting.is_set()
    threads[1].start()
    try:
        assert is_waiting.wait(10), "the second one makes a value of its own"
    finally:
        may_finish.set()
        for thread in threads:
            thread.join(10)
    assert len(found) == 2
    assert found[0] is found[1]


def test_what_could_not_be_made_leaves_nothing_behind() -> None:
    class Large:
        pass

    made: list[weakref.ref[Large]] = []

    def fail() -> object:
        large = Large()
        made.append(weakref.ref(large))
        raise ValueError("damaged")

    recent: Recent[object] = Recent(max_cost=10, max_count=10, keep_s=60)
    gc.disable()  # nothing but counting references may be needed
    try:
        with pytest.raises(ValueError, match="damaged"):
            recent.get("a", fail, cost=lambda _: 1)
        assert len(recent) == 0
        assert made[0]() is None
    finally:
        gc.enable()
