"""What is told of logged HTML: scripts and hosts, found as by somebody who goes from tag to tag, in searches
that are few, short and bounded however hostile it is."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.dashboards.tables import page_contents, pages
from sightline.dashboards.tables.page_contents import PageContents, contents_of, found_in
from sightline.dashboards.tables.pages import shown_html


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p onclick = 'x()'>", (True, [])),
        ("<p OnClick='x()'>", (True, [])),
        ("<a href='javascript:x()'>", (True, [])),
        ("<a href=' JavaScript:x()'>", (True, [])),
        ("<SCRIPT>", (True, [])),
        ("<script-like>", (False, [])),
        ("<p>once upon = a time, onclick=x() javascript:</p>", (False, [])),
        ("<a href='https://a.example/'>", (False, [])),
        ("<img src=//B.example:80/x>", (False, ["b.example"])),
        ("<script src='https://cdn.example/x.js'></script>", (True, ["cdn.example"])),
        ("<style>@import 'http://c.example/x'; p{background:url( 'https://d.example/y' )}</style>",
         (False, ["c.example", "d.example"])),
        ("<link rel=stylesheet href=\"https://f.example/a.css\"><img src='data:image/png;base64,//aa'>",
         (False, ["f.example"])),
        ("<a href=//x.example><img src=//y.example></a> src=//z.example", (False, ["y.example"])),
        ("<!-- src=//x.example onclick=x --><p>src=//z.example", (False, [])),
    ],
)  # fmt: skip
def test_scripts_and_hosts_are_found(html: str, expected: tuple[bool, list[str]]) -> None:
    has_scripts, hosts = expected
    assert contents_of(html) == PageContents(has_scripts, hosts, len(hosts), is_all_seen=True)


# Halves of what the patterns look for, so that pieces often end within it.
html_parts = st.sampled_from(
    [
        *"<> =:'\"s/é", "img", "script", "a ", "on", "click", "src", "href", "https:", "//", "h.example",
        "x" * 250, "url(", "@import ", "javascript", "co", "lor", "background", " " * 10,
        "<img ", "<a ", " onclick=", "src=//", "SRC = 'https://", "data",
    ]
)  # fmt: skip

# The rules, tag by tag.
TAG = re.compile(r"<([a-zA-Z][a-zA-Z0-9:-]{0,40})([^<>]*)")
HANDLER = re.compile(r"[\s\"'/]on[a-zA-Z]{3,30}\s{0,10}=|javascript:", re.IGNORECASE)
ADDRESS = re.compile(
    r"(?:src|srcset|href|data|poster|background|action)\s{0,10}=\s{0,20}(?:[\"']\s{0,10})?"
    r"(?:https?:|wss?:)?//([^/\"'\s<>?#:\\]{1,253})",
    re.IGNORECASE,
)


def found_tag_by_tag(html: str) -> PageContents:
    has_scripts, hosts = False, {match[1] for match in page_contents._STYLE_ADDRESS.finditer(html)}
    for tag in TAG.finditer(html):
        name, attributes = tag[1].lower(), tag[2]
        has_scripts = has_scripts or name == "script" or HANDLER.search(attributes) is not None
        if name not in ("a", "area"):
            hosts.update(match[1] for match in ADDRESS.finditer(attributes))
    names = sorted({host.lower() for host in hosts})
    return PageContents(has_scripts, names, len(names), is_all_seen=True)


@settings(deadline=None, max_examples=400)
@given(st.lists(html_parts, max_size=80).map("".join))
def test_the_same_is_found_as_tag_by_tag(html: str) -> None:
    assert contents_of(html) == found_tag_by_tag(html)


PATTERNS = [
    *(value for value in vars(page_contents).values() if isinstance(value, re.Pattern)),
    pages._COLOURED,
]


@settings(deadline=None, max_examples=150)
@given(st.lists(html_parts, max_size=80).map("".join), st.integers(1, 30))
def test_html_is_looked_through_in_pieces_as_at_once(html: str, piece_chars: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        expected = contents_of(html)
        patch.setattr(page_contents, "PIECE_CHARS", piece_chars)
        assert contents_of(html) == expected
        for pattern in PATTERNS:
            at_once = [match.span() for match in pattern.finditer(html)]
            assert [match.span() for match in found_in(pattern, html)] == at_once


# ── hostile HTML ─────────────────────────────────────────────────────────────────────────────────────────


class Watched:
    """A pattern that knows how often it was asked, and the longest text that it was given."""

    calls = 0
    longest = 0

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern

    def __getattr__(self, name: str) -> Any:
        def search(text: str, start: int = 0, end: int | None = None) -> Any:
            end = len(text) if end is None else min(end, len(text))
            Watched.calls += 1
            Watched.longest = max(Watched.longest, end - start)
            return getattr(self._pattern, name)(text, start, end)

        return search


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> type[Watched]:
    for module in (page_contents, pages):
        for name, value in list(vars(module).items()):
            if isinstance(value, re.Pattern):
                monkeypatch.setattr(module, name, Watched(value))
    monkeypatch.setattr(Watched, "calls", 0)
    monkeypatch.setattr(Watched, "longest", 0)
    return Watched


HOSTILE = [
    *("<a ", "<a\t\n", "url(", "<img src=", " on", "@import ", "<!doctype", 'src = "', "<a x", "<p>text</p>"),
    *("<script-", "x", "<!-- -->", "=" + " " * 10, "url(" + " " * 10, "< onabcde=x", " onabcde=x"),
    *("javascript:", "src=//a ", "<a src=//a ", "=//", "url(//a "),
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_html_takes_few_and_short_searches(
    piece: str, watched: type[Watched], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All other threads wait for a long one, and a million short ones are as bad."""
    monkeypatch.setattr(page_contents, "MOST_PLACES", 100)
    html = piece * (1_000_000 // len(piece))
    found = contents_of(html)
    assert found.hosts in ([], ["a"])
    pieces = len(html) / page_contents.PIECE_CHARS + 1
    places = 2 * 3 * page_contents.MOST_PLACES  # of three patterns each is asked about twice at most
    assert watched.calls < len(PATTERNS) * pieces + places
    assert piece in shown_html(html, has_scripts=True, is_dark=True)
    assert 0 < watched.longest <= page_contents.PIECE_CHARS + page_contents._MOST_MATCH_CHARS


@pytest.mark.parametrize(
    ("piece", "end"),
    [
        (" onabcde=x", "<p onclick=x()>"),
        ("javascript:", "<a href=javascript:x()>"),
        ("src=//a ", "<img src=//b>"),
        ("url(//a)", "<p style='background:url(//b)'>"),
    ],
)
def test_html_with_more_places_than_are_looked_at_says_so(
    piece: str, end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_contents, "MOST_PLACES", 100)
    assert contents_of(piece * 99 + end) == contents_of(piece + end)
    assert contents_of(piece * 99 + end).is_all_seen
    found = contents_of(piece * 100 + end)
    assert not found.is_all_seen
    assert not found.has_scripts
    assert "b" not in found.hosts


def test_all_hosts_are_counted_and_the_first_are_named() -> None:
    found = contents_of("".join(f"<img src=//h{number}.example>" for number in range(120)))
    assert (found.host_count, found.is_all_seen) == (120, True)
    assert found.hosts == sorted(f"h{number}.example" for number in range(120))[: len(found.hosts)]
    assert 1 < len(found.hosts) < 120


def test_a_number_of_hosts_that_may_be_greater_is_not_said_to_be_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_contents, "_MOST_HOSTS", 10)
    found = contents_of("".join(f"<img src=//h{number}>" for number in range(20)))
    assert (found.host_count, found.is_all_seen) == (10, False)
