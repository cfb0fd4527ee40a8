"""How many pictures are decoded at once."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

import pytest

from sightline.media import decoding as module
from sightline.media.decoding import LARGE_PIXELS, SLOTS, decoding
from sightline.media.film_posters import film_poster
from sightline.media.frames import frames_of
from sightline.media.pixels import exact_pixels
from sightline.media.thumbnails import thumbnail
from tests.media.encoded import encode, image, photo


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


class _Door:
    """As the real one, and says what happens at it."""

    def __init__(self, news: queue.Queue[str]) -> None:
        self._lock = threading.Lock()
        self._news = news

    def __enter__(self) -> None:
        self._news.put("stands before it")
        self._lock.acquire()
        self._news.put("went in")

    def __exit__(self, *_: object) -> None:
        self._news.put("left it")
        self._lock.release()


def told_waits(news: queue.Queue[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Says when somebody waits for a slot."""
    wait_for = module._changed.wait_for

    def told_wait_for(predicate: Callable[[], bool]) -> bool:
        news.put("waits")
        return wait_for(predicate)

    monkeypatch.setattr(module._changed, "wait_for", told_wait_for)


def test_small_pictures_do_not_slip_past_a_large_one_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    inside, leave = threading.Event(), threading.Event()
    threads = [entered(1, inside, leave)]
    assert inside.wait(30)
    news: queue.Queue[str] = queue.Queue()
    monkeypatch.setattr(module, "_door", _Door(news))
    told_waits(news, monkeypatch)
    order: list[int] = []

    def note(pixels: int) -> None:
        with decoding(pixels):
            order.append(pixels)

    # A slot is free all the time: nothing but the door, which the large one holds, stops the small one.
    for pixels, expected in (
        (LARGE_PIXELS, ["stands before it", "went in", "waits"]),
        (1, ["stands before it"]),
    ):
        threads.append(threading.Thread(target=note, args=(pixels,)))
        threads[-1].start()
        assert [news.get(timeout=30) for _ in expected] == expected
    assert news.empty()
    leave.set()
    for thread in threads:
        thread.join(30)
    assert order == [LARGE_PIXELS, 1]


@pytest.mark.parametrize(("pixels", "encoded_bytes", "is_alone"), [(1, 63 << 20, False), (1, 64 << 20, True)])
def test_what_is_large_before_it_is_decoded_is_alone_too(
    pixels: int, encoded_bytes: int, *, is_alone: bool
) -> None:
    with decoding(pixels, encoded_bytes):
        assert module._free == (0 if is_alone else SLOTS - 1)


PNG = encode(image(photo(40, 60)), "PNG")


def _poster() -> object:
    pytest.importorskip("av")
    from tests.media.test_films import MP4

    return film_poster(MP4, 64)


@pytest.mark.parametrize(
    "decode",
    [lambda: thumbnail(PNG, 128), lambda: exact_pixels(PNG), lambda: frames_of(PNG), _poster],
    ids=["thumbnail", "pixels", "frames", "poster"],
)
def test_whatever_decodes_waits_for_its_turn(
    decode: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    decode()  # brings the modules, and skips where there is no decoder
    inside, leave = threading.Event(), threading.Event()
    holder = entered(LARGE_PIXELS, inside, leave)
    assert inside.wait(30)
    news: queue.Queue[str] = queue.Queue()
    told_waits(news, monkeypatch)

    def work() -> None:
        decode()
        news.put("done")

    worker = threading.Thread(target=work)
    worker.start()
    try:
        assert news.get(timeout=30) == "waits"
    finally:
        leave.set()
    assert news.get(timeout=30) == "done"
    for thread in (holder, worker):
        thread.join(30)
    assert module._free == SLOTS
