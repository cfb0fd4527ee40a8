"""Which part of an answer is asked for: a player that jumps into a film, a download that goes on (RFC 9110,
chapter 14). Several parts at once are nobody's wish; like everything odd they get the whole."""

from __future__ import annotations

import re

from starlette.requests import Request

_ONE_RANGE = re.compile(r"\s*bytes\s*=\s*(\d{0,18})-(\d{0,18})\s*", re.IGNORECASE)


class NoSuchRangeError(Exception):
    """It begins behind the end."""


def asked_range(request: Request, *, etag: str, size: int) -> range | None:
    """Positions of the bytes; None for the whole. Raises NoSuchRangeError."""
    header = request.headers.get("range", "")
    if_range = request.headers.get("if-range", "")
    if not header or (if_range and if_range != etag):
        return None
    found = _ONE_RANGE.fullmatch(header)
    if found is None or found[0].strip().endswith("=-"):
        return None
    first, last = found[1], found[2]
    if not first:
        asked = range(max(0, size - int(last)), size)
    else:
        if last and int(last) < int(first):
            return None
        asked = range(int(first), min(size, int(last) + 1) if last else size)
    if not asked:
        raise NoSuchRangeError
    return asked
