"""The projector's configuration, ``projector_config.pbtxt``: protobuf text format, read and written.

The file says which embeddings a run has. People edit it by hand and writers rewrite it while we read, so
reading is tolerant: unknown fields are skipped, every way to write braces, lists and strings is accepted, and
a file that ends early gives what was complete up to there. Paths are reported as written; whoever opens them
checks where they lead. What is written is what protobuf's own printer writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sightline.formats.texts import text_from_bytes
from sightline.formats.wire import Field, Message, field, repeated
from sightline.formats.wire_types import STRING, UINT32, ScalarType
from sightline.model.errors import DamagedValueError

_MAX_DEPTH = 32


class SpriteMetadata(Message):
    image_path: str = field(1, STRING)
    single_image_dim: Sequence[int] = repeated(2, UINT32)  # width and height of a thumbnail


class EmbeddingInfo(Message):
    tensor_name: str = field(1, STRING)
    metadata_path: str = field(2, STRING)
    bookmarks_path: str = field(3, STRING)
    tensor_shape: Sequence[int] = repeated(4, UINT32)
    sprite: SpriteMetadata | None = field(5, SpriteMetadata)
    tensor_path: str = field(6, STRING)


class ProjectorConfig(Message):
    model_checkpoint_path: str = field(1, STRING)
    embeddings: Sequence[EmbeddingInfo] = repeated(2, EmbeddingInfo)
    model_checkpoint_dir: str = field(3, STRING)


def parse_projector_config(data: bytes) -> ProjectorConfig:
    """The configuration in the bytes of a ``projector_config.pbtxt``. Raises DamagedValueError.

    >>> parse_projector_config(b'embeddings { tensor_name: "words" tensor_path: "words.tsv" }').embeddings[0]
    EmbeddingInfo(tensor_name='words', tensor_path='words.tsv')
    """
    config = ProjectorConfig()
    _Parser(text_from_bytes(data).removeprefix("\ufeff")).fill(config, closing="")
    return config


def text_from_projector_config(config: ProjectorConfig) -> bytes:
    """The bytes of a ``projector_config.pbtxt``, as protobuf's own printer writes them in ASCII.

    >>> print(text_from_projector_config(ProjectorConfig(model_checkpoint_dir="a")).decode(), end="")
    model_checkpoint_dir: "a"
    """
    return "".join(_lines_from(config, "")).encode("ascii")


def _lines_from(message: Message, indent: str) -> Iterator[str]:
    for one in message.SPEC:
        value = getattr(message, one.name)
        for part in value if one.is_repeated else [value]:
            if isinstance(part, Message):
                yield f"{indent}{one.name} {{\n"
                yield from _lines_from(part, indent + "  ")
                yield f"{indent}}}\n"
            elif part or (one.is_repeated and part is not None):
                yield f"{indent}{one.name}: {_quoted(part) if isinstance(part, str) else part}\n"


# -- words of the text format

_PLAIN = {byte: chr(byte) for byte in range(0x20, 0x7F)}
_WRITTEN = {**_PLAIN, 9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 39: "\\'", 92: "\\\\"}


def _quoted(text: str) -> str:
    """A string literal; what is not plain ASCII is escaped byte by byte."""
    data = text.encode("utf-8", "surrogatepass")
    return '"' + "".join([_WRITTEN.get(byte) or f"\\{byte:03o}" for byte in data]) + '"'


_WORD = re.compile(
    r"""
    (?P<space> (?: \s | \#[^\n]* )+ )
  | (?P<string> "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' )
  | (?P<torn> ["'][^\n]*\Z )
  | (?P<name> [A-Za-z_][\w.]* )
  | (?P<number> (?: [-+]\s*\w | [.\d] ) [\w.+-]* )
  | (?P<mark> [][{}<>:;,/] )
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class _Word:
    kind: str  # "string", "name", "number", "mark", or "end"
    text: str
    line: int


def _words(text: str) -> Iterator[_Word]:
    pos, line = 0, 1
    while pos < len(text):
        match = _WORD.match(text, pos)
        if match is None:
            raise DamagedValueError(f"cannot make sense of line {line}", "projector_config.pbtxt")
        if match.lastgroup == "torn":  # the file ends inside a string
            break
        if match.lastgroup != "space":
            yield _Word(str(match.lastgroup), match.group(), line)
        line += match.group().count("\n")
        pos = match.end()
    yield _Word("end", "", line)


_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|(.))", re.DOTALL)
_LETTERS = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}


def _unquoted(literal: str) -> str:
    """The text of a string literal. Escapes are bytes, so text is put together as bytes first."""
    out, pos, body = bytearray(), 0, literal[1:-1]
    for match in _ESCAPE.finditer(body):
        out += body[pos : match.start()].encode("utf-8", "surrogatepass")
        hexadecimal, octal, letter = match.groups()
        if letter is None:
            out.append(int(hexadecimal, 16) if hexadecimal else int(octal, 8) & 0xFF)
        elif letter in _LETTERS:
            out.append(_LETTERS[letter])
        else:
            out += letter.encode("utf-8", "surrogatepass")
        pos = match.end()
    out += body[pos:].encode("utf-8", "surrogatepass")
    return text_from_bytes(bytes(out))


class _Parser:
    """Recursive descent over the words of one file, one word ahead."""

    def __init__(self, text: str) -> None:
        self._words = _words(text)
        self._word = next(self._words)
        self._depth = 0

    def fill(self, message: Message | None, *, closing: str) -> None:
        """Read fields up to the closing mark. Without a message they are only skipped."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise self._error(f"is nested more than {_MAX_DEPTH} deep")
        declared = {one.name: one for one in message.SPEC} if message is not None else {}
        while self._word.kind != "end" and not (closing and self._word.text == closing):
            if self._word.text in (";", ","):
                self._next()
            else:
                self._read_field(message, declared)
        self._next()
        self._depth -= 1

    def _read_field(self, message: Message | None, declared: dict[str, Field]) -> None:
        if self._word.text == "[":  # [extension.name]: not one of ours
            while self._word.kind != "end" and self._word.text != "]":
                self._next()
            name = self._next().text
        elif self._word.kind in ("name", "number"):
            name = self._next().text
        else:
            raise self._error(f"has {self._word.text!r} where a field name should be")
        one = declared.get(name)
        if self._word.text == ":":
            self._next()
        if self._word.text != "[":
            self._read_value(message, one)
            return
        self._next()
        while self._word.kind != "end" and self._word.text != "]":
            if self._word.text == ",":
                self._next()
            else:
                self._read_value(message, one)
        self._next()

    def _read_value(self, message: Message | None, one: Field | None) -> None:
        if self._word.text in ("{", "<"):
            closing = "}" if self._next().text == "{" else ">"
            part = one.message_type()() if one and not isinstance(one.kind, ScalarType) else None
            self.fill(part, closing=closing)
            self._store(message, one, part)
        elif self._word.kind in ("string", "name", "number"):
            value = self._read_scalar()
            if one is not None and isinstance(one.kind, ScalarType):
                self._store(message, one, self._converted(one.kind, value))
        elif self._word.kind != "end":
            raise self._error(f"has {self._word.text!r} where a value should be")

    def _read_scalar(self) -> _Word:
        first = self._next()
        if first.kind != "string":
            return first
        pieces = [_unquoted(first.text)]
        while self._word.kind == "string":  # neighbours make one string
            pieces.append(_unquoted(self._next().text))
        return _Word("string", "".join(pieces), first.line)

    def _converted(self, kind: ScalarType, word: _Word) -> Any:
        if kind is STRING:
            return word.text
        try:
            number = int(word.text, 0)
        except ValueError:
            number = -1
        if not kind.lowest <= number <= kind.highest:
            raise DamagedValueError(
                f"line {word.line} has {word.text!r} where a number should be", "projector_config.pbtxt"
            )
        return number

    def _store(self, message: Message | None, one: Field | None, value: object) -> None:
        if message is None or one is None or value is None:
            return
        if one.is_repeated:
            vars(message).setdefault(one.name, []).append(value)
        else:
            setattr(message, one.name, value)

    def _next(self) -> _Word:
        """The current word; the parser moves on to the next one, and stays at the end."""
        word = self._word
        self._word = next(self._words, word)
        return word

    def _error(self, what: str) -> DamagedValueError:
        return DamagedValueError(f"line {self._word.line} {what}", "projector_config.pbtxt")
