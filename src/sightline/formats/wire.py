"""A small protobuf codec: messages are declared as classes, and decode and encode themselves.

    class Image(Message):
        height: int = field(1, INT32)
        encoded_image_string: bytes = field(4, BYTES)

    Image.decode(data).height        Image(height=4).encode()

Presence: a member of a oneof, and any sub-message, is None while absent; every other field has its default.
Repeated fields are sequences, maps are mappings, both empty by default. An instance holds only the fields
that were set, so big graphs stay small.

Input is never trusted. Unknown fields are skipped, as are fields of another wire type; anything malformed
raises DamagedValueError. Nesting and the number of messages are bounded, and work is linear in the input.
Of what is not in memory only few fields are looked at: it may be as large as a film, and is asked for in
passing.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Mapping, Sequence
from mmap import mmap
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Union, cast

from sightline.formats.varints import append_varint, read_varint
from sightline.formats.wire_types import (
    END_GROUP,
    FIXED_32,
    FIXED_64,
    LENGTH,
    START_GROUP,
    STRING,
    VARINT,
    Encoded,
    ScalarType,
    append_scalar,
    extend_from_packed,
    new_column,
    packed_bytes,
    value_from_fixed,
    value_from_span,
)
from sightline.model.errors import BadArgumentError, DamagedValueError

if TYPE_CHECKING:
    from typing_extensions import Self, dataclass_transform
else:  # type checkers read field declarations as those of a dataclass; at run time this says nothing

    def dataclass_transform(**_: object) -> Callable[[type], type]:
        return lambda cls: cls


# protobuf's own default. Two Python frames per level, far below the interpreter's limit.
MAX_DEPTH = 100
# Two hostile bytes can make an empty message of a hundred; a graph of a million nodes has about this many.
MAX_MESSAGES = 1 << 24
# Strings of one field that stay in the file. A hundred bytes each in memory; two in a hostile file.
MAX_PARTS = 100_000
# Fields of a value that stays in the file, asked for or not: as many strings, and as much again. They take a
# microsecond each, and two bytes in a hostile file.
MAX_STORED_FIELDS = 2 * MAX_PARTS
# Names and types in such a value. They are read, whatever else stays in the file.
MAX_STORED_TEXT_BYTES = 1 << 20

_EMPTY_MAP: Mapping[Any, Any] = MappingProxyType({})


class _Walk:
    """What one decode may still use."""

    __slots__ = ("depth_left", "fields_left", "messages_left", "parts_left")

    def __init__(self, data: Encoded) -> None:
        self.depth_left = MAX_DEPTH
        self.messages_left = MAX_MESSAGES
        self.parts_left = MAX_PARTS
        self.fields_left = len(data) if isinstance(data, bytes | mmap) else MAX_STORED_FIELDS


# Reads one field into the values of a message; takes and returns positions in the data.
_Reader = Callable[[dict[str, Any], Encoded, int, int, _Walk], int]
# Appends one field with its tag; the last argument is the depth left.
_Writer = Callable[[bytearray, Any, int], None]
_FieldType = Union[ScalarType, "type[Message]", Callable[[], "type[Message]"]]


class Field:
    """One declared field. Made by ``field``, ``repeated`` and ``mapping``."""

    def __init__(
        self, number: int, kind: _FieldType, *, is_repeated: bool, oneof: str, key: ScalarType | None
    ) -> None:
        self.number = number
        self.kind = kind
        self.is_repeated = is_repeated
        self.oneof = oneof
        self.key = key
        self.name = ""
        self.full_name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.full_name = f"{owner.__qualname__}.{name}"

    @property
    def default(self) -> object:
        if self.key is not None:
            return _EMPTY_MAP
        if self.is_repeated:
            return ()
        return self.kind.default if isinstance(self.kind, ScalarType) and not self.oneof else None

    def message_type(self) -> type[Message]:
        """The class of a message field, which may be declared later than the field."""
        if not isinstance(self.kind, type):
            self.kind = cast("Callable[[], type[Message]]", self.kind)()
        return self.kind


def field(number: int, kind: _FieldType, *, oneof: str = "") -> Any:
    """Declare a single value. A message type may be given as ``lambda: Type`` when it is declared later."""
    return Field(number, kind, is_repeated=False, oneof=oneof, key=None)


def repeated(number: int, kind: _FieldType) -> Any:
    """Declare a list. Numbers are written packed; packed and unpacked are read."""
    return Field(number, kind, is_repeated=True, oneof="", key=None)


def mapping(number: int, key: ScalarType, kind: _FieldType) -> Any:
    """Declare a map. Of several entries with the same key the last counts."""
    return Field(number, kind, is_repeated=False, oneof="", key=key)


@dataclass_transform(kw_only_default=True, eq_default=False)
class Message:
    """Base of all messages. Fields are passed by name; ``decode`` and ``encode`` go from and to bytes."""

    SPEC: ClassVar[Sequence[Field]] = ()
    _names: ClassVar[frozenset[str]] = frozenset()
    _readers: ClassVar[dict[int, _Reader]] = {}
    _writers: ClassVar[Sequence[tuple[str, _Writer]]] = ()

    def __init__(self, **values: Any) -> None:
        unknown = values.keys() - self._names
        if unknown:
            raise TypeError(f"{type(self).__qualname__} has no field {', '.join(sorted(unknown))}")
        self.__dict__.update(values)

    def __init_subclass__(cls) -> None:
        declared = [value for value in vars(cls).values() if isinstance(value, Field)]
        cls.SPEC = tuple(sorted(declared, key=lambda one: one.number))
        cls._names = frozenset(one.name for one in cls.SPEC)
        cls._readers = {}
        for one in cls.SPEC:
            cls._readers.update(_readers_of(one, _rivals_of(one, cls.SPEC)))
            setattr(cls, one.name, one.default)
        cls._writers = tuple((one.name, _writer_of(one)) for one in cls.SPEC)

    @classmethod
    def decode(cls, data: Encoded) -> Self:
        """The message in these bytes. Raises DamagedValueError. Fields that are bytes are as ``data`` is: in
        memory, or a part of what is not."""
        message = cls.__new__(cls)
        _decode_into(message, data, 0, len(data), _Walk(data))
        return message

    def encode(self) -> bytes:
        """The bytes of the message. Raises BadArgumentError for numbers that do not fit their field."""
        return bytes(_encoded(self, MAX_DEPTH))

    def which(self, oneof: str) -> str | None:
        """The name of the member of a oneof that is present."""
        members = (one.name for one in self.SPEC if one.oneof == oneof)
        return next((name for name in members if getattr(self, name) is not None), None)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(
            _comparable(one, getattr(self, one.name)) == _comparable(one, getattr(other, one.name))
            for one in self.SPEC
        )

    __hash__ = None  # type: ignore[assignment]  # messages are mutable

    @reprlib.recursive_repr()
    def __repr__(self) -> str:
        shown = (
            f"{name}={_shortener.repr(value)}" for name, value in vars(self).items() if value is not None
        )
        return f"{type(self).__qualname__}({', '.join(shown)})"


class _Shortener(reprlib.Repr):
    """As in the standard library, which spells out all bytes before it shortens them."""

    def repr_bytes(self, value: bytes, level: int) -> str:
        return repr(value) if len(value) <= self.maxstring else f"{value[: self.maxstring]!r}..."


_shortener = _Shortener()


def _comparable(one: Field, value: Any) -> Any:
    # Arrays, lists and tuples of the same numbers are the same field.
    return list(value) if one.is_repeated else dict(value) if one.key is not None else value


def _decode_into(message: Message, data: Encoded, pos: int, end: int, walk: _Walk) -> None:
    """Decode the bytes between two positions. Every reader leaves its position at or before ``end``."""
    walk.messages_left -= 1
    walk.depth_left -= 1
    if walk.messages_left < 0:
        raise DamagedValueError(f"it holds more than {MAX_MESSAGES:,} messages")
    if walk.depth_left < 0:
        raise DamagedValueError(f"messages are nested more than {MAX_DEPTH} deep at byte {pos}")
    readers = type(message)._readers
    values = message.__dict__
    while pos < end:
        walk.fields_left -= 1  # not by a call: it would take a tenth of the time of a graph
        if walk.fields_left < 0:
            raise _too_many_fields()
        tag = data[pos]
        if tag < 0x80:  # field numbers up to 15: nearly all
            pos += 1
        else:
            tag, pos = read_varint(data, pos, end)
        read = readers.get(tag)
        pos = _skip(data, pos, end, tag, walk) if read is None else read(values, data, pos, end, walk)
    walk.depth_left += 1


def _too_many_fields() -> DamagedValueError:
    return DamagedValueError(f"it has more than {MAX_STORED_FIELDS:,} fields: it is not read to its end")


def _span(data: Encoded, pos: int, end: int) -> tuple[int, int]:
    """Start and stop of a length-delimited field."""
    if pos < end and data[pos] < 0x80:  # short fields: nearly all
        size, start = data[pos], pos + 1
    else:
        size, start = read_varint(data, pos, end)
    if size > end - start:
        raise DamagedValueError(f"a field of {size} bytes at byte {start} does not fit in its message")
    return start, start + size


def _skip(data: Encoded, pos: int, end: int, tag: int, walk: _Walk) -> int:
    """The position behind a field nobody asked for. Groups (long out of use) go with all that is in them."""
    open_groups: list[int] = []
    while True:
        number, wire_type = tag >> 3, tag & 7
        if number == 0 or number >= 1 << 29:
            raise DamagedValueError(f"there is no field number {number}, before byte {pos}")
        if wire_type == VARINT:
            pos = read_varint(data, pos, end)[1]
        elif wire_type in (FIXED_64, FIXED_32):
            pos = _behind(pos, 8 if wire_type == FIXED_64 else 4, end)
        elif wire_type == LENGTH:
            pos = _span(data, pos, end)[1]
        elif wire_type == START_GROUP and len(open_groups) < MAX_DEPTH:
            open_groups.append(number)
        elif wire_type != END_GROUP or not open_groups or open_groups.pop() != number:
            raise DamagedValueError(
                f"field {number} before byte {pos} has no possible wire type ({wire_type})"
            )
        if not open_groups:
            return pos
        walk.fields_left -= 1
        if walk.fields_left < 0:
            raise _too_many_fields()
        tag, pos = read_varint(data, pos, end)


def _behind(pos: int, size: int, end: int) -> int:
    if size > end - pos:
        raise DamagedValueError(f"the data ends inside a field at byte {pos}")
    return pos + size


def _rivals_of(one: Field, fields: Sequence[Field]) -> tuple[str, ...]:
    """The other members of a field's oneof."""
    same = (other for other in fields if one.oneof and other.oneof == one.oneof)
    return tuple(other.name for other in same if other is not one)


def _readers_of(one: Field, rivals: tuple[str, ...]) -> dict[int, _Reader]:
    """Readers by tag. A tag holds number and wire type, so a field of another wire type counts as unknown."""
    kind = one.kind
    if one.key is not None:
        return {one.number << 3 | LENGTH: _map_reader(one)}
    if not isinstance(kind, ScalarType):
        return {one.number << 3 | LENGTH: _alone(_message_reader(one), rivals)}
    readers = {one.number << 3 | kind.wire_type: _alone(_scalar_reader(one, kind), rivals)}
    if one.is_repeated and kind.is_packable:
        readers[one.number << 3 | LENGTH] = _packed_reader(one, kind)
    return readers


def _alone(read: _Reader, rivals: tuple[str, ...]) -> _Reader:
    """The last member of a oneof in the data is the one that counts."""
    if not rivals:
        return read

    def read_alone(values: dict[str, Any], data: Encoded, pos: int, end: int, walk: _Walk) -> int:
        for rival in rivals:
            values.pop(rival, None)
        return read(values, data, pos, end, walk)

    return read_alone


def _scalar_reader(one: Field, kind: ScalarType) -> _Reader:
    name, is_repeated, from_bits = one.name, one.is_repeated, kind.from_bits
    size = 8 if kind.wire_type == FIXED_64 else 4

    def store(values: dict[str, Any], value: Any) -> None:
        if is_repeated:
            _column_of(values, name, kind).append(value)
        else:
            values[name] = value

    def read_varint_field(values: dict[str, Any], data: Encoded, pos: int, end: int, walk: _Walk) -> int:
        bits, after = read_varint(data, pos, end)
        store(values, from_bits(bits))
        return after

    def read_span_field(values: dict[str, Any], data: Encoded, pos: int, end: int, walk: _Walk) -> int:
        start, after = _span(data, pos, end)
        if kind is STRING and after - start > MAX_STORED_TEXT_BYTES and not isinstance(data, bytes | mmap):
            raise DamagedValueError(f"a name in it has {after - start:,} bytes")
        if is_repeated and not isinstance(data, bytes):
            walk.parts_left -= 1
            if walk.parts_left < 0:
                raise DamagedValueError(
                    f"it has more than {MAX_PARTS:,} strings: not even their places are read"
                )
        store(values, value_from_span(kind, data, start, after))
        return after

    def read_fixed_field(values: dict[str, Any], data: Encoded, pos: int, end: int, walk: _Walk) -> int:
        after = _behind(pos, size, end)
        store(values, value_from_fixed(kind, data, pos))
        return after

    return {VARINT: read_varint_field, LENGTH: read_span_field}.get(kind.wire_type, read_fixed_field)


def _packed_reader(one: Field, kind: ScalarType) -> _Reader:
    def read(values: dict[str, Any], data: Encoded, pos: int, end: int, walk: _Walk) -> int:
        start, stop = _span(data, pos, end)
        extend_from_packed(kind, _column_of(values, one.name, kind), data, start, stop)
        return stop

    return read


def _column_of(values: dict[str, Any], name: str, kind: ScalarType) -> Any:
    column = values.get(name)
    if column is None:
        column = values[name] = new_column(kind)
    return column


def _message_reader(one: Field) -> _Reader:
    name, is_repeated = one.name, one.is_repeated

    def read(values: dict[str, Any], data: Encoded, pos: int, end: int, walk: _Walk) -> int:
        start, stop = _span(data, pos, end)
        message = None if is_repeated else values.get(name)  # a second one is merged into the first
        if message is None:
            kind = one.message_type()
            message = kind.__new__(kind)
            if is_repeated:
                values.setdefault(name, []).append(message)
            else:
                values[name] = message
        _decode_into(message, data, start, stop, walk)
        return stop

    return read


def _map_reader(one: Field) -> _Reader:
    key_type = cast(ScalarType, one.key)
    entry_type = _entry_type(one)

    def read(values: dict[str, Any], data: Encoded, pos: int, end: int, walk: _Walk) -> int:
        start, stop = _span(data, pos, end)
        entry: Any = entry_type.__new__(entry_type)
        _decode_into(entry, data, start, stop, walk)
        key = key_type.default if entry.key is None else entry.key
        values.setdefault(one.name, {})[key] = _empty(one) if entry.value is None else entry.value
        return stop

    return read


def _entry_type(one: Field) -> type[Message]:
    """On the wire a map is a repeated message of key and value. Both are always written: hence the oneofs."""
    key_type = cast(ScalarType, one.key)
    value_type = one.kind if isinstance(one.kind, ScalarType) else one.message_type
    declared = {"key": field(1, key_type, oneof="key"), "value": field(2, value_type, oneof="value")}
    return type("Entry", (Message,), declared)


def _empty(one: Field) -> object:
    return one.kind.default if isinstance(one.kind, ScalarType) else one.message_type()()


def _writer_of(one: Field) -> _Writer:
    if one.key is not None:
        return _map_writer(one)
    if not isinstance(one.kind, ScalarType):
        return _message_writer(one)
    if one.is_repeated and one.kind.is_packable:
        return _packed_writer(one, one.kind)
    return _scalar_writer(one, one.kind)


def _scalar_writer(one: Field, kind: ScalarType) -> _Writer:
    tag = _tag_bytes(one.number, kind.wire_type)
    # A field with a default is not written when it has it; in a oneof even a zero says which member is meant.
    is_implied = not one.is_repeated and not one.oneof

    def write(out: bytearray, value: Any, depth_left: int) -> None:
        if is_implied and value == kind.default and not (value == 0 and math.copysign(1, value) < 0):
            return
        for item in value if one.is_repeated else (value,):
            out += tag
            append_scalar(kind, out, item, one.full_name)

    return write


def _packed_writer(one: Field, kind: ScalarType) -> _Writer:
    tag = _tag_bytes(one.number, LENGTH)

    def write(out: bytearray, value: Any, depth_left: int) -> None:
        if len(value):
            _append_chunk(out, tag, packed_bytes(kind, value, one.full_name))

    return write


def _message_writer(one: Field) -> _Writer:
    tag = _tag_bytes(one.number, LENGTH)

    def write(out: bytearray, value: Any, depth_left: int) -> None:
        for item in value if one.is_repeated else (value,):
            _append_chunk(out, tag, _encoded(item, depth_left))

    return write


def _map_writer(one: Field) -> _Writer:
    tag = _tag_bytes(one.number, LENGTH)
    entry_type = _entry_type(one)

    def write(out: bytearray, value: Any, depth_left: int) -> None:
        for key, item in value.items():
            _append_chunk(out, tag, _encoded(entry_type(key=key, value=item), depth_left))

    return write


def _encoded(message: Message, depth_left: int) -> bytearray:
    if depth_left == 0:
        raise BadArgumentError(f"messages are nested more than {MAX_DEPTH} deep")
    out = bytearray()
    values = message.__dict__
    for name, write in message._writers:
        value = values.get(name)
        if value is not None:
            write(out, value, depth_left - 1)
    return out


def _append_chunk(out: bytearray, tag: bytes, chunk: bytes | bytearray) -> None:
    out += tag
    append_varint(out, len(chunk))
    out += chunk


def _tag_bytes(number: int, wire_type: int) -> bytes:
    out = bytearray()
    append_varint(out, number << 3 | wire_type)
    return bytes(out)
