"""Bytes as text: bounded in memory, each string decoded once, in pieces where it takes long."""

from __future__ import annotations

import codecs
import tracemalloc
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.formats import texts
from sightline.formats.texts import text_from_bytes
from sightline.formats.values import MAX_LABEL_BYTES, MAX_TEXT_BYTES, decode_item
from sightline.model import DamagedValueError, Form, Kind
from sightline.store.stored_bytes import StoredBytes
from tests.fixtures import event_bytes as eb


def strings_value(shape: bytes, *strings: bytes) -> bytes:
    return eb.tensor(7, shape, b"".join(eb.blob(8, string) for string in strings))


def decoded(kind: Kind, data: Any) -> Any:
    return decode_item(kind, Form.TENSOR, data, step=0, wall_time=0.0, tag="x")


def peak_of(kind: Kind, data: Any) -> tuple[Any, int]:
    tracemalloc.start()
    try:
        item = decoded(kind, data)
        return item, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# ── what is said once and shown often ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("string", [b"a" * 300, b"\xff" + b"a" * 300])
def test_a_text_that_fills_a_tensor_is_in_memory_once(string: bytes) -> None:
    item, peak = peak_of(Kind.text, strings_value(eb.shape(100_000), string))
    assert len(item.array) == 100_000
    assert len({id(cell) for cell in item.array}) == 1
    assert item.array[0] == item.array[-1] == text_from_bytes(string)
    assert item.odd_cells == (100_000 if string[0] == 0xFF else 0)
    assert peak < 8 << 20  # 100,000 copies are 35 MB


def test_labels_that_fill_a_tensor_are_read_once_and_in_memory_once() -> None:
    data = strings_value(eb.shape(50_000, 2), b"a" * 80)
    reads: list[int] = []

    def read(start: int, length: int) -> bytes:
        reads.append(length)
        return data[start : start + length]

    item, peak = peak_of(Kind.audio, StoredBytes.of(read, len(data), file="x"))
    assert len(item.labels) == 50_000
    assert len({id(label) for label in item.labels}) == 1
    assert len(reads) == 1
    assert peak < 8 << 20


@pytest.mark.parametrize(
    ("kind", "shape", "count", "limit"),
    [
        (Kind.text, eb.shape(100_000), 100_000, MAX_TEXT_BYTES),
        (Kind.audio, eb.shape(50_000, 2), 50_000, MAX_LABEL_BYTES),
    ],
)
def test_what_is_shown_often_counts_as_often(kind: Kind, shape: bytes, count: int, limit: int) -> None:
    data = strings_value(shape, b"a" * (limit // count + 1))
    with pytest.raises(DamagedValueError, match=f"bytes of text, and {limit:,} is the limit"):
        decoded(kind, data)


def test_a_filled_tensor_of_long_strings_is_refused_whatever_it_is() -> None:
    with pytest.raises(DamagedValueError, match="not filled up beyond 268,435,456 bytes"):
        decoded(Kind.table, strings_value(eb.shape(100_000), b"a" * 4_000))


# ── length ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_text_of_ten_megabytes_is_shown() -> None:
    assert decoded(Kind.text, strings_value(b"", b"a" * 10_000_000)).text == "a" * 10_000_000


def test_a_text_beyond_the_limit_is_told_by_a_sentence() -> None:
    with pytest.raises(DamagedValueError, match=r"it holds 33,554,433 bytes of text, and 33,554,432 is the"):
        decoded(Kind.text, strings_value(b"", bytes(MAX_TEXT_BYTES + 1)))


# ── what is not UTF-8 ────────────────────────────────────────────────────────────────────────────────────

_ODD = st.lists(
    st.one_of(st.binary(max_size=6), st.text(max_size=6).map(lambda text: text.encode("utf-8", "ignore")))
).map(b"".join)


@given(_ODD, st.integers(1, 9))
def test_text_in_pieces_is_the_text(data: bytes, piece: int) -> None:
    with mock.patch.object(texts, "PIECE_BYTES", piece):
        assert text_from_bytes(data) == data.decode("utf-8", "backslashreplace")


def test_other_threads_have_their_turn_between_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    make = codecs.getincrementaldecoder("utf-8")

    class Counting:
        def __init__(self, errors: str) -> None:
            self._decoder = make(errors)

        def decode(self, data: bytes, final: bool = False) -> str:
            sizes.append(len(data))
            return self._decoder.decode(data, final)

    monkeypatch.setattr(texts.codecs, "getincrementaldecoder", lambda name: Counting)
    assert text_from_bytes(b"\xff" * 1_000_000) == "\\xff" * 1_000_000
    assert sum(sizes) == 1_000_000
    assert max(sizes) <= 64 << 10
