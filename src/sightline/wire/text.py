"""Text on its way out. What travels is UTF-8, and not every string can be.

A path of bytes that are not UTF-8 has lone surrogates in Python (``os.fsdecode``), and so may what a program
told of itself. Nothing can encode those, and one odd file name must not take a whole answer with it. So all
JSON and all text leaves through here, and what cannot travel arrives as U+FFFD, which browsers show as a
question mark in a diamond.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

_SURROGATE = re.compile("[\ud800-\udfff]")


def wire_text(text: str) -> str:
    """The text itself, when it can be encoded, as nearly all can.

    >>> wire_text("r\\udcffn") == "r\\N{REPLACEMENT CHARACTER}n"
    True
    """
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def wire_bytes(text: str) -> bytes:
    """The text as UTF-8."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return wire_text(text).encode()


def wire_json(value: Any) -> bytes:
    """JSON of what msgspec can encode, whatever texts are in it."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(_with_wire_texts(msgspec.to_builtins(value)))


def _with_wire_texts(value: Any) -> Any:
    if isinstance(value, str):
        return wire_text(value)
    if isinstance(value, dict):
        return {_with_wire_texts(key): _with_wire_texts(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_wire_texts(one) for one in value]
    return value
