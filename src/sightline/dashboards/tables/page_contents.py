"""Looking through logged HTML for what a person should know: are there scripts, and where would it load from?

Patterns that look at each character a bounded number of times; no parser of hostile HTML. What they miss is
not said, but is shut in all the same: nothing that a page may do depends on what is found here.

They search for the few places that look like something, and only then ask which tag the place is in. A search
that goes from tag to tag would take a second for each megabyte of ``<a <a <a``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

# A search keeps all other threads waiting until it is done, so each gets a part of the HTML only.
PIECE_CHARS = 1 << 16
# More than any match of the patterns has, in here and in pages.py.
_MOST_MATCH_CHARS = 400

MOST_PLACES = 100_000
"""That look like the same thing, and are looked at one by one. Pages that people make have fewer."""

_MOST_TOLD_HOSTS = 50
_MOST_HOSTS = 5_000

_TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9:-]{0,40})")
_SCRIPT_TAG = re.compile(r"(?a)<script(?![a-z0-9:-])", re.IGNORECASE)
# Without a flag for case, which would cost them their speed.
_HANDLER = re.compile(r"[\s\"'/][oO][nN][a-zA-Z]{3,30}\s{0,10}=")
_SCRIPT_ADDRESS = re.compile(r"[jJ][aA][vV][aA][sS][cC][rR][iI][pP][tT]:")
# Found by its sign, for the same reason; the name of the attribute stands in front of it.
_ADDRESS = re.compile(
    r"=(?=\s{0,20}(?:[\"']\s{0,10})?(?:https?:|wss?:)?//([^/\"'\s<>?#:\\]{1,253}))", re.IGNORECASE
)
_ADDRESS_NAME = re.compile(r"(?:src|srcset|href|data|poster|background|action)\s{0,10}\Z", re.IGNORECASE)
_MOST_NAME_CHARS = 20
_STYLE_ADDRESS = re.compile(
    r"(?:url\(\s{0,20}(?:[\"']\s{0,10})?|@import\s{1,10}[\"']\s{0,10})"
    r"(?:https?:)?//([^/\"'\s<>?#:()\\]{1,253})",
    re.IGNORECASE,
)
_ONLY_WHEN_CLICKED = frozenset({"a", "area"})


class PageContents(NamedTuple):
    has_scripts: bool
    """There seem to be some."""
    hosts: list[str]
    """That it would load something from, or some of them."""
    host_count: int
    """Of all that were seen."""
    is_all_seen: bool
    """False: it has so many places to look at that not all were. There may be scripts and hosts in others."""


def contents_of(html: str) -> PageContents:
    looking = _Looking(html)
    has_scripts = looking.has_scripts()
    hosts = sorted({host.lower() for host in looking.hosts()})
    return PageContents(has_scripts, hosts[:_MOST_TOLD_HOSTS], len(hosts), looking.is_all_seen)


def found_in(
    pattern: re.Pattern[str], html: str, start: int = 0, end: int | None = None
) -> Iterator[re.Match[str]]:
    """As ``pattern.finditer(html, start, end)``, a piece at a time, for patterns whose matches are short."""
    end = len(html) if end is None else min(end, len(html))
    while start < end:
        piece_end = start + PIECE_CHARS
        at = start
        for match in pattern.finditer(html, start, min(piece_end + _MOST_MATCH_CHARS, end)):
            if match.start() >= piece_end:
                break  # it may be longer than can be seen from here
            yield match
            at = match.end()
        start = max(piece_end, at)


class _Looking:
    def __init__(self, html: str) -> None:
        self._html = html
        self.is_all_seen = True

    def has_scripts(self) -> bool:
        return (
            any(found_in(_SCRIPT_TAG, self._html))
            or self._is_in_a_tag(_HANDLER)
            or self._is_in_a_tag(_SCRIPT_ADDRESS)
        )

    def _is_in_a_tag(self, pattern: re.Pattern[str]) -> bool:
        tags = _Tags(self._html)
        return any(tags.around(place.start()) for place in self._places(pattern))

    def hosts(self) -> set[str]:
        hosts = set()
        for found in (self._addresses_in_styles(), self._addresses_in_tags()):
            for host in found:
                hosts.add(host)
                if len(hosts) >= _MOST_HOSTS:
                    self.is_all_seen = False
                    return hosts
        return hosts

    def _addresses_in_styles(self) -> Iterator[str]:
        return (match[1] for match in self._places(_STYLE_ADDRESS))

    def _addresses_in_tags(self) -> Iterator[str]:
        html, end, tags = self._html, 0, _Tags(self._html)
        for sign in self._places(_ADDRESS):
            at = sign.start()
            name = _ADDRESS_NAME.search(html, max(end, at - _MOST_NAME_CHARS), at)
            tag = None if name is None else tags.around(name.start())
            if tag is None:
                continue
            end = sign.end(1)  # what looks like another one within this one is a part of it
            if tag[1].lower() not in _ONLY_WHEN_CLICKED:
                yield sign[1]

    def _places(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        for number, match in enumerate(found_in(pattern, self._html)):
            if number == MOST_PLACES:
                self.is_all_seen = False
                return
            yield match


class _Tags:
    """Tells the tag that a place is in. Places are asked for from front to back, so that all of the HTML is
    gone over once however many they are."""

    def __init__(self, html: str) -> None:
        self._html = html
        self._seen = 0
        self._tag: re.Match[str] | None = None

    def around(self, place: int) -> re.Match[str] | None:
        """None when it is in no tag, or in the tag's name."""
        opened = self._html.rfind("<", self._seen, place)
        closed = self._html.rfind(">", self._seen, place)
        if max(opened, closed) >= 0:
            is_open = opened > closed
            self._tag = _TAG.match(self._html, opened, opened + _MOST_MATCH_CHARS) if is_open else None
        self._seen = place
        return None if self._tag is None or self._tag.end() > place else self._tag
