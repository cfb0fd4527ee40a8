"""The codec itself: presence, defaults, packing, limits. Agreement with protobuf is in test_messages."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence

import pytest

from sightline.formats.messages import Event, SummaryMetadata, TensorProto, Value
from sightline.formats.plugin_messages import ListValue, SessionStartInfo, StructValue
from sightline.formats.wire import MAX_DEPTH, MAX_MESSAGES, Message, field, mapping, repeated
from sightline.formats.wire_types import BOOL, DOUBLE, ENUM, FLOAT, INT32, INT64, STRING, UINT64
from sightline.model.errors import BadArgumentError, DamagedValueError


class Leaf(Message):
    number: int = field(1, INT32)
    text: str = field(2, STRING)


class Tree(Message):
    leaf: Leaf | None = field(1, Leaf, oneof="what")
    wide: int | None = field(2, INT64, oneof="what")
    note: str | None = field(3, STRING, oneof="what")
    ratio: float = field(4, DOUBLE)
    flags: Sequence[bool] = repeated(5, BOOL)
    sizes: Sequence[int] = repeated(6, UINT64)
    kinds: Sequence[int] = repeated(7, ENUM)
    halves: Sequence[float] = repeated(8, FLOAT)
    named: Mapping[str, Leaf] = mapping(9, STRING, Leaf)
    branches: Sequence[Tree] = repeated(10, lambda: Tree)


# -- presence


def test_absent_fields_have_defaults_and_absent_members_of_a_oneof_are_none() -> None:
    tree = Tree.decode(b"")
    assert (tree.leaf, tree.wide, tree.note) == (None, None, None)
    assert (tree.ratio, list(tree.sizes), dict(tree.named)) == (0.0, [], {})
    assert tree.which("what") is None
    assert tree == Tree()


def test_a_zero_in_a_oneof_is_present_and_written() -> None:
    value = Value.decode(Value(simple_value=0.0).encode())
    assert value.simple_value == 0.0
    assert value.which("value") == "simple_value"


def test_a_default_outside_a_oneof_is_not_written_but_negative_zero_is() -> None:
    assert Tree(ratio=0.0).encode() == b""
    assert math.copysign(1, Tree.decode(Tree(ratio=-0.0).encode()).ratio) == -1


def test_the_last_member_of_a_oneof_wins() -> None:
    data = Tree(note="first").encode() + Tree(wide=2).encode()
    tree = Tree.decode(data)
    assert tree.which("what") == "wide"
    assert tree.note is None


def test_an_empty_message_is_present() -> None:
    assert Tree.decode(Tree(leaf=Leaf()).encode()).leaf == Leaf()
    assert SummaryMetadata.decode(b"").plugin_data is None


def test_a_message_given_in_two_pieces_is_merged() -> None:
    data = Tree(leaf=Leaf(number=1)).encode() + Tree(leaf=Leaf(text="x")).encode()
    assert Tree.decode(data).leaf == Leaf(number=1, text="x")


def test_unknown_fields_are_refused_by_name() -> None:
    with pytest.raises(TypeError, match="colour"):
        Leaf(colour=1)  # type: ignore[call-arg]


def test_a_message_shows_what_is_set() -> None:
    assert repr(Leaf(number=3)) == "Leaf(number=3)"
    assert len(repr(Value(tag="x" * 1_000_000))) < 200
    assert len(repr(TensorProto(tensor_content=bytes(1_000_000), float_val=[0.5] * 1_000_000))) < 300


# -- numbers and text


def test_packed_and_unpacked_numbers_mix() -> None:
    packed = Tree(sizes=[1, 300], flags=[True, False], kinds=[-1], halves=[0.5]).encode()
    unpacked = b"\x30\x05" + b"\x28\x01" + b"\x38\x02" + b"\x45" + struct.pack("<f", 1.5)
    tree = Tree.decode(packed + unpacked + packed)
    assert list(tree.sizes) == [1, 300, 5, 1, 300]
    assert list(tree.flags) == [True, False, True, True, False]
    assert list(tree.kinds) == [-1, 2, -1]
    assert list(tree.halves) == [0.5, 1.5, 0.5]


def test_numbers_wider_than_their_field_lose_their_upper_bits_as_in_protobuf() -> None:
    wide = b"\x08\xff\xff\xff\xff\x1f"  # 2^37 - 1 in an int32
    assert Leaf.decode(wide).number == -1


def test_nan_and_infinity_survive() -> None:
    values = TensorProto.decode(TensorProto(float_val=[math.nan, math.inf, -math.inf]).encode()).float_val
    assert math.isnan(values[0])
    assert list(values[1:]) == [math.inf, -math.inf]


def test_doubles_beyond_float32_are_written_as_infinite() -> None:
    assert Value.decode(Value(simple_value=1e300).encode()).simple_value == math.inf
    assert Value.decode(Value(simple_value=-1e300).encode()).simple_value == -math.inf
    assert list(Tree.decode(Tree(halves=[1e300]).encode()).halves) == [math.inf]


def test_invalid_utf_8_is_shown_as_escapes() -> None:
    assert Leaf.decode(b"\x12\x04a\xff\xc3b").text == "a\\xff\\xc3b"


def test_text_that_has_no_utf_8_form_is_written_as_escapes() -> None:
    assert Leaf.decode(Leaf(text="a\ud800").encode()).text == "a\\ud800"


@pytest.mark.parametrize("number", [2**31, -(2**31) - 1])
def test_numbers_that_do_not_fit_are_refused_with_the_name_of_the_field(number: int) -> None:
    with pytest.raises(BadArgumentError, match=r"Leaf\.number"):
        Leaf(number=number).encode()


# -- maps


def test_of_two_entries_with_one_key_the_last_counts() -> None:
    data = Tree(named={"a": Leaf(number=1)}).encode() + Tree(named={"a": Leaf(number=2)}).encode()
    assert Tree.decode(data).named == {"a": Leaf(number=2)}


def test_an_empty_entry_maps_the_empty_key_to_an_empty_value() -> None:
    assert Tree.decode(b"\x4a\x00").named == {"": Leaf()}
    assert SessionStartInfo.decode(b"\x0a\x00").hparams == {"": StructValue()}


# -- what others put into messages


@pytest.mark.parametrize(
    "stranger",
    [
        b"\xf8\x01\x05",  # field 31, varint
        b"\xf9\x01" + bytes(8),
        b"\xfd\x01" + bytes(4),
        b"\xfa\x01\x03abc",
        b"\xfb\x01\x08\x01\xfb\x02\xfc\x02\xfc\x01",  # a group with a group in it
        b"\x0d" + bytes(4),  # field 1 as 32 bits where a varint should be
    ],
)
def test_unknown_fields_are_skipped(stranger: bytes) -> None:
    assert Leaf.decode(b"\x12\x01a" + stranger + b"\x08\x07") == Leaf(text="a", number=7)


@pytest.mark.parametrize(
    "data",
    [
        b"\x08",  # nothing behind the tag
        b"\x12\x05abc",  # too short
        b"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",  # 2^64 - 1 bytes
        b"\x00\x01",  # field 0
        b"\x0e\x00",  # wire type 6
        b"\x0c",  # end of a group that never began
        b"\xfb\x01\x08\x01",  # a group without end
        b"\xfb\x01\xf4\x01",  # a group that ends as another one
        b"\xf9\x01\x00",  # 64 bits cut off
        b"\x80",
    ],
)
def test_malformed_bytes_are_called_damaged(data: bytes) -> None:
    with pytest.raises(DamagedValueError):
        Leaf.decode(data)


def test_packed_numbers_that_are_cut_off_are_called_damaged() -> None:
    with pytest.raises(DamagedValueError, match="whole number of floats"):
        Tree.decode(b"\x42\x03abc")


# -- limits


def nested(levels: int) -> bytes:
    data = b""
    for _ in range(levels):
        out = bytearray(b"\x52")
        size = len(data)
        while size >= 0x80:
            out.append(size & 0x7F | 0x80)
            size >>= 7
        out.append(size)
        data = bytes(out) + data
    return data


def test_nesting_is_bounded() -> None:
    Tree.decode(nested(MAX_DEPTH - 1))
    with pytest.raises(DamagedValueError, match="nested"):
        Tree.decode(nested(MAX_DEPTH))
    with pytest.raises(DamagedValueError, match="nested"):
        Tree.decode(nested(20_000))


def test_nested_groups_are_bounded_too() -> None:
    with pytest.raises(DamagedValueError):
        Leaf.decode(b"\xfb\x01" * 100_000)


def test_the_number_of_messages_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sightline.formats.wire.MAX_MESSAGES", 1000)
    assert MAX_MESSAGES > 1_000_000
    with pytest.raises(DamagedValueError, match="more than 1,000 messages"):
        Tree.decode(b"\x52\x00" * 1000)


def test_a_message_that_contains_itself_is_refused() -> None:
    tree = Tree()
    tree.branches = [tree]
    with pytest.raises(BadArgumentError, match="nested"):
        tree.encode()
    assert repr(tree)


def test_depth_counts_from_the_outermost_message_only() -> None:
    many = Event.decode(Event(step=1).encode() * 1000)  # wide, not deep
    assert many.step == 1
    row = ListValue(values=[StructValue(number_value=1.0)] * 1000)
    assert len(ListValue.decode(row.encode()).values) == 1000
