"""What travels between the page and this dashboard."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


class LayoutMargin(Struct, frozen=True):
    """One line and what is around it: three tags, '' for one that was not named."""

    value: str
    lower: str
    upper: str


class LayoutChart(Struct, frozen=True):
    """Of the two lists one is empty, or both."""

    title: str
    expressions: list[str]
    """Regular expressions as in Python, which tags match from their beginning on."""
    margins: list[LayoutMargin]


class LayoutCategory(Struct, frozen=True):
    title: str
    """Not unique: one layout may say it twice."""
    is_closed: bool
    charts: list[LayoutChart]


class LayoutAnswer(Struct, frozen=True):
    """The layouts of all runs, put together by the names of their categories."""

    server_id: str
    runs: list[int]
    """Those whose layouts are in it, in the order in which they were put together."""
    categories: list[LayoutCategory]
    problems: Annotated[list[str], Meta(max_length=20)]
    """Layouts that cannot be read, and what was left out: a sentence each."""
