"""From a question of TensorBoard's interface to an endpoint: fields in, JSON or pieces out."""

from __future__ import annotations

from email import message_from_bytes
from email.message import Message
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response

from sightline.server.compression import accepts_gzip
from sightline.server.context import ServerContext
from sightline.server.dispatch import Endpoint, answering_errors, read_body, settled
from sightline.server.security import SHUT_IN
from sightline.server.streams import streamed_response
from sightline.server.workers import Workers
from sightline.wire.tensorboard import Fields, Pieces, Question, invalid_argument
from sightline.wire.text import wire_json

MAX_FORM_BYTES = 4 << 20
"""Runs are named in full here: ten thousand long names."""

_HEADERS = {"cache-control": "no-cache, must-revalidate", "expires": "0"}


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
                is_gzip_accepted=is_gzip_accepted and not found.is_logged,
                headers={**_HEADERS, **SHUT_IN} if found.is_logged else _HEADERS,
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
