"""How many pictures are decoded at once."""

from __future__ import annotations

import threading

import pytest

from sightline.media import decoding as module
from sightline.media.decoding import LARGE_PIXELS, SLOTS, decoding


def entered(pixels: int, inside: threading.Event, leave: threading.Event) -> threading.Thread:
    def work() -> None:
        with decoding(pixels):
            inside.set()
            assert leave.wait(30)

    thread = threading.Thread(target=work)
    thread.start()
    return thread


@pytest.mark.parametrize(("held", "waiting"), [([1] * SLOTS, 1), ([LARGE_PIXELS], 1), ([1], LARGE_PIXELS)])
def test_who_comes_too_many_waits(held: list[int], waiting: int) -> None:
    leave, late = threading.Event(), threading.Event()
    threads = []
    for pixels in held:
        inside = threading.Event()
        threads.append(entered(pixels, inside, leave))
        assert inside.wait(30)
    threads.append(entered(waiting, late, leave))
    wanted = SLOTS if waiting >= LARGE_PIXELS else 1
    assert module._free < wanted  # so it cannot have got in
    assert not late.is_set()
    leave.set()
    assert late.wait(30)
    for thread in threads:
        thread.join(30)
    assert module._free == SLOTS


def test_a_slot_is_free_again_after_a_failure() -> None:
    for _ in range(2 * SLOTS):
        with pytest.raises(ValueError, match="damaged"), decoding(1):
            raise ValueError("damaged")
    assert module._free == SLOTS


def test_small_pictures_do_not_slip_past_a_large_one_that_waits() -> None:
    inside, leave = threading.Event(), threading.Event()
    threads = [entered(1, inside, leave)]
    assert inside.wait(30)
    order: list[int] = []

    def note(pixels: int) -> None:
        with decoding(pixels):
            order.append(pixels)

    for pixels in (LARGE_PIXELS, 1):
        threads.append(threading.Thread(target=note, args=(pixels,)))
        threads[-1].start()
        while not module._door.locked():  # a slot is free all the time
            threading.Event().wait(0.001)
    leave.set()
    for thread in threads:
        thread.join(30)
    assert order == [LARGE_PIXELS, 1]
