"""What a route of the API is: one entry from which the server, the OpenAPI document and the tests are made.

A handler is a plain function from a typed request to a typed answer. It knows no HTTP, and runs on a worker
thread, so that it may compute and read files; the server decodes the request, encodes the answer, compresses
it and turns errors into the one shape they have. Dashboards, ours and other people's, are lists of such
routes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from msgspec import Struct

from sightline.model.byte_source import ByteSource

API_PREFIX = "/api/v1"

FRAME_MEDIA_TYPE = "application/vnd.sightline.frame"
"""Of answers that frame.py and value_frames.py make."""

MAX_BODY_BYTES = 1 << 20
"""Of a request, unless its route says otherwise."""


class ApiError(Exception):
    """An answer that is an error: a status of 4xx and a sentence that says what to do."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(status, message)
        self.status = status
        self.message = message


class Context(Protocol):
    """What handlers see of the server."""

    @property
    def server_id(self) -> str: ...

    @property
    def store(self) -> Any:
        """The log's runs (a ``RunStore``), to be handed to the functions of ``sightline.query``."""

    @property
    def thumbnails(self) -> Any:
        """Small pictures of encoded ones, made once (``sightline.media``'s ``KeptThumbnails``)."""

    @property
    def sounds(self) -> Any:
        """What had to be looked up to play sounds (``sightline.media``'s ``KeptSounds``)."""

    @property
    def revision(self) -> int:
        """Ask before the data: an answer may be newer than the revision it names, never older."""

    def run_number(self, name: str) -> int:
        """The number that stands for a run on the wire."""

    def run_numbers(self, names: list[str]) -> list[int]: ...

    def run_name(self, number: int) -> str | None:
        """None for a number that was never given."""


def check_server_id(context: Context, given: str | None) -> None:
    """Raises ApiError 409 when the request names another start of the server: the numbers of runs in it mean
    other runs here, or none."""
    if given is not None and given != context.server_id:
        raise ApiError(409, "The server was started anew, and runs have other numbers now: reload the page")


def known_run(context: Context, number: int) -> str:
    """The name of a run. Raises ApiError 404 for a number that was never given."""
    name = context.run_name(number)
    if name is None:
        raise ApiError(404, f"No run has the number {number}: reload the page")
    return name


def known_runs(context: Context, numbers: Iterable[int]) -> dict[str, int]:
    """Names of runs and their numbers, each once; numbers that were never given are left out."""
    named = ((context.run_name(number), number) for number in numbers)
    return {name: number for name, number in named if name is not None}


def no_sample(asked: int, count: int) -> ApiError:
    """The error for a sample that a step does not have."""
    return ApiError(404, f"There is no sample {asked} at this step: it has {count:,}, from 0 on")


def etag_of(context: Context, *parts: object) -> str:
    """The ETag of an answer that these parts tell from all others. Numbers of runs and identities of values
    are those of one start of the server."""
    return f'"{"-".join(map(str, (context.server_id, *parts)))}"'


@dataclass(frozen=True)
class Binary:
    """An answer that is not JSON."""

    body: ByteSource
    """What is not in memory is sent piece by piece; with an ETag a part of it may be asked for."""
    media_type: str
    etag: str = ""
    """For what may be asked for again; the same rules as for ``Encoded``."""
    file_name: str = ""
    """Not empty: the browser saves it instead of showing it."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """The server shuts in what is opened as a document, unless a policy is among these."""


@dataclass(frozen=True)
class Encoded:
    """JSON that is ready, with an ETag when the same question may be asked again."""

    body: bytes
    etag: str = ""


@dataclass(frozen=True)
class Promised:
    """An answer that is known before it is made: whoever has the one with this ETag needs no other, and
    nothing is read or computed."""

    etag: str
    """That of what ``make`` returns."""
    make: Callable[[], Binary | Encoded]
    headers: Mapping[str, str] = field(default_factory=dict)
    """Those of the answer that say what it may do. A browser that has it takes the headers it is sent instead
    for the answer's own, so these are sent again."""


@dataclass(frozen=True)
class Download:
    """A file that is made while it is sent; the pieces are drawn on a worker thread, one at a time."""

    file_name: str
    media_type: str
    pieces: Iterator[bytes]


Answer = Struct | Binary | Encoded | Promised | Download | None
Handler = Callable[[Any, Any], Answer]
"""From a Context (the server's own routes see more of it) and a decoded request to an answer."""


@dataclass(frozen=True)
class ApiRoute:
    """One method of one path below ``api/v1``."""

    method: Literal["GET", "POST"]
    path: str
    """Without a slash in front; ``{name}`` is a parameter, and a field of ``request``."""
    summary: str
    handler: Handler | None
    """None: the server answers this one by itself (the event stream)."""
    request: type[Struct] | None = None
    """GET: path and query parameters. POST: the body."""
    answer: type[Struct] | None = None
    """None: no JSON, or JSON of no fixed shape."""
    status: int = 200
    """Of success; 204 for routes without any answer."""
    media_types: tuple[str, ...] = ("application/json",)
    max_body_bytes: int = MAX_BODY_BYTES
    is_heavy: bool = False
    """The answer is made from many points, or from values in the log's files. Such requests wait in a line of
    their own, so that small answers never wait behind large ones."""
    is_patient: bool = False
    """The handler may wait for long; it then takes no thread from any other."""
    errors: tuple[int, ...] = ()
    """Statuses besides those that every route may have."""


@dataclass(frozen=True)
class Dashboard:
    """The server half of a dashboard: its name, the kinds of data it shows, its routes."""

    name: str
    kinds: tuple[str, ...]
    routes: tuple[ApiRoute, ...] = field(default=())
    warm_up: Callable[[], None] = lambda: None
    """Called on a worker thread when the server listens: time to import what the routes need."""
