"""How TensorBoard asks and answers, for dashboards that answer its routes too: query or form fields in, JSON
or pieces of bytes out, errors as lines of plain text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from sightline.model.kinds import Kind
from sightline.wire.routes import ApiError, Late
from sightline.wire.text import wire_json

_ENTRIES_PER_PIECE = 1_024


@dataclass(frozen=True)
class Fields:
    """What was asked."""

    method: str
    query: list[tuple[str, str]]
    form: list[tuple[str, str]]

    def first(self, name: str) -> str | None:
        """From the query, as Werkzeug's ``args.get``."""
        return next((value for key, value in self.query if key == name), None)

    def of_query(self, name: str) -> list[str]:
        return [value for key, value in self.query if key == name]

    def of_form(self, name: str) -> list[str]:
        return [value for key, value in self.form if key == name]


class Pieces(NamedTuple):
    """An answer that may be large, made while it is sent."""

    pieces: Iterator[bytes]
    media_type: str = "application/json"
    is_logged: bool = False
    """The bytes are as somebody logged them: opened as a document they run nothing, and they are not
    compressed again."""


Question = Callable[[Any, Fields], Any]
"""Answers with what JSON can carry, or with Pieces. Runs on a worker thread."""


@dataclass(frozen=True)
class TensorBoardPlugin:
    """What a dashboard answers of TensorBoard's interface: routes below ``data/plugin/{name}``."""

    name: str
    kinds: tuple[Kind, ...]
    """It has something to show when any run has values of one of these."""
    module: str
    """Where its questions are; imported like the modules of handlers (``Late``)."""
    routes: Mapping[str, str]
    """The last part of a path → the function that answers (a ``Question``). One that is POST only says so
    itself, as in TensorBoard."""
    element: str = ""
    """TensorBoard's element for the tab; none for tabs that are part of its page."""
    tab_name: str = ""
    """Empty: the name."""

    def questions(self) -> dict[str, Late]:
        """By path."""
        return {
            f"/data/plugin/{self.name}/{route}": Late(f"{self.module}:{function}")
            for route, function in self.routes.items()
        }


def invalid_argument(details: str) -> ApiError:
    return ApiError(400, f"Invalid argument: {details}")


def not_found(details: str) -> ApiError:
    return ApiError(404, f"Not found: {details}")


def list_pieces(entries: Iterable[Any], *, per_piece: int = _ENTRIES_PER_PIECE) -> Iterator[bytes]:
    """The entries as one JSON list."""
    rest = iter(entries)
    mark = b"["
    while part := list(islice(rest, per_piece)):
        yield mark + wire_json(part)[1:-1]
        mark = b","
    yield b"[]" if mark == b"[" else b"]"
