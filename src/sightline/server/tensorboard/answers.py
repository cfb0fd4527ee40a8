"""How TensorBoard asks and answers: query or form fields in, JSON or text out, errors as lines of plain
text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

from sightline.server.compression import accepts_gzip
from sightline.server.context import ServerContext
from sightline.server.dispatch import Endpoint, answering_errors, read_body, settled
from sightline.server.streams import streamed_response
from sightline.server.workers import Workers
from sightline.wire.routes import ApiError
from sightline.wire.text import wire_json

MAX_FORM_BYTES = 4 << 20
"""Runs are named in full here: ten thousand long names."""

_HEADERS = {"cache-control": "no-cache, must-revalidate", "expires": "0"}


class Pieces(NamedTuple):
    """An answer that may be large, made while it is sent."""

    pieces: Iterator[bytes]
    media_type: str = "application/json"
    headers: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Fields:
    """What was asked."""

    method: str
    query: list[tuple[str, str]]
    form: list[tuple[str, str]]

    def first(self, name: str) -> str | None:
        """From the query, as Werkzeug's ``args.get``."""
        return next((value for key, value in self.query if key == name), None)

    def of_form(self, name: str) -> list[str]:
        return [value for key, value in self.form if key == name]


Question = Callable[[ServerContext, Fields], Any]
"""Answers with what JSON can carry, or with Pieces. Runs on a worker thread."""


def invalid_argument(details: str) -> ApiError:
    return ApiError(400, f"Invalid argument: {details}")


def not_found(details: str) -> ApiError:
    return ApiError(404, f"Not found: {details}")


def endpoint_for(question: Question, context: ServerContext, workers: Workers) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        body = await read_body(request, MAX_FORM_BYTES) if request.method == "POST" else b""
        is_gzip_accepted = accepts_gzip(request)
        content_type = request.headers.get("content-type", "")

        def work() -> Response:
            query = list(request.query_params.multi_items())
            answer = question(context, Fields(request.method, query, _form(body, content_type)))
            found = answer if isinstance(answer, Pieces) else Pieces(iter([wire_json(answer)]))
            return streamed_response(
                found.pieces,
                workers,
                found.media_type,
                is_gzip_accepted=is_gzip_accepted and not found.headers,
                headers={**_HEADERS, **found.headers},
            )

        return await workers.run(settled(work, request), is_given_up=request.is_disconnected)

    return answering_errors(endpoint)


def _form(body: bytes, content_type: str) -> list[tuple[str, str]]:
    """Fields of a form in either of the two encodings; files in it are nobody's business here."""
    if content_type.lower().startswith("multipart/form-data"):
        message = message_from_bytes(b"Content-Type: " + content_type.encode("latin-1") + b"\r\n\r\n" + body)
        return [field for part in message.walk() if (field := _part_field(part)) is not None]
    try:
        return parse_qsl(body.decode(), keep_blank_values=True)
    except (UnicodeDecodeError, ValueError):
        raise invalid_argument("The body is not a form") from None


def _part_field(part: Message) -> tuple[str, str] | None:
    name = part.get_param("name", header="content-disposition")
    content = part.get_payload(decode=True)
    if not isinstance(name, str) or not isinstance(content, bytes):
        return None
    return name, content.decode(errors="replace")
