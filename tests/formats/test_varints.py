from __future__ import annotations

from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.formats import varints
from sightline.formats.varints import append_varint, read_varint, unpack_varints, unpacked_pieces
from sightline.model.errors import DamagedValueError

uint64s = st.integers(0, 2**64 - 1) | st.integers(0, 300)


def encoded(numbers: list[int]) -> bytes:
    out = bytearray()
    for number in numbers:
        append_varint(out, number)
    return bytes(out)


@given(uint64s)
def test_a_number_comes_back(number: int) -> None:
    data = encoded([number])
    assert read_varint(data, 0, len(data)) == (number, len(data))


@given(st.lists(uint64s, max_size=100))
def test_many_numbers_come_back_in_bulk(numbers: list[int]) -> None:
    data = b"??" + encoded(numbers) + b"?"
    assert unpack_varints(data, 2, len(data) - 1).tolist() == numbers


@given(st.binary(max_size=150))
def test_bulk_and_single_reading_agree_on_any_bytes(data: bytes) -> None:
    def one_by_one() -> list[int]:
        numbers, pos = [], 0
        while pos < len(data):
            number, pos = read_varint(data, pos, len(data))
            numbers.append(number)
        return numbers

    try:
        expected = one_by_one()
    except DamagedValueError:
        with pytest.raises(DamagedValueError):
            unpack_varints(data, 0, len(data))
    else:
        assert unpack_varints(data, 0, len(data)).tolist() == expected


@pytest.mark.parametrize("filler", [0, 100])
@pytest.mark.parametrize(
    ("tail", "reason"),
    [(b"\x80", "ends inside a number"), (b"\x80" * 10 + b"\x01", "longer than 10 bytes")],
)
def test_unfinished_and_endless_numbers_are_called_damaged(filler: int, tail: bytes, reason: str) -> None:
    data = b"\x01" * filler + tail
    with pytest.raises(DamagedValueError, match=reason):
        unpack_varints(data, 0, len(data))


@given(st.lists(uint64s, max_size=100), st.integers(16, 80))
def test_numbers_in_pieces_are_the_numbers(numbers: list[int], piece_bytes: int) -> None:
    data = b"??" + encoded(numbers) + b"?"
    with mock.patch.object(varints, "PIECE_BYTES", piece_bytes):
        pieces = list(unpacked_pieces(data, 2, len(data) - 1))
    assert [number for piece in pieces for number in piece.tolist()] == numbers
    assert all(len(piece) <= piece_bytes for piece in pieces)


def test_an_endless_number_at_the_end_of_a_piece_is_called_damaged() -> None:
    data = b"\x01" * 90 + b"\x80" * 20 + b"\x01"
    with (
        mock.patch.object(varints, "PIECE_BYTES", 100),
        pytest.raises(DamagedValueError, match="longer than 10 bytes"),
    ):
        list(unpacked_pieces(data, 0, len(data)))


def test_a_number_does_not_reach_behind_the_given_end() -> None:
    with pytest.raises(DamagedValueError, match="ends inside a number"):
        read_varint(b"\x80\x01", 0, 1)
