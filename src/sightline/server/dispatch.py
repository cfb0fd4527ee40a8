"""From an entry of the route table to an endpoint: read, check, compute on a worker thread, encode, answer.

The event loop only moves bytes. Decoding, the handler, encoding and compression happen in one visit to a
worker thread, so that one large answer delays no other.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse

from sightline.server.compression import accepts_gzip, compressed_response
from sightline.server.errors import response_for
from sightline.server.ranges import NoSuchRangeError, asked_range
from sightline.server.security import SHUT_IN
from sightline.server.streams import send_pieces, sized_response
from sightline.server.workers import NobodyWaitsError, Workers
from sightline.wire.routes import ApiError, ApiRoute, Binary, Context, Download, Encoded, Promised
from sightline.wire.text import wire_json

_NO_STORE = {"cache-control": "no-store"}
Endpoint = Callable[[Request], Awaitable[Response]]


def endpoint_for(route: ApiRoute, context: Context, workers: Workers) -> Endpoint:
    """The Starlette endpoint of a route that has a handler."""
    handler = route.handler
    if handler is None:
        raise ValueError(f"{route.method} {route.path} has no handler")

    @cache
    def decoder() -> _Decode:
        return _body_decoder(route) if route.method == "POST" else _parameter_decoder(route)

    async def endpoint(request: Request) -> Response:
        body = await read_body(request, route.max_body_bytes) if route.method == "POST" else b""

        def work() -> Response:
            answer = handler(context, decoder()(request, body))
            if isinstance(answer, Promised):
                if answer.etag in _known_etags(request):  # not "*": it may yet turn out that there is none
                    headers = {**SHUT_IN, **_revalidated(answer.etag), "vary": "Accept-Encoding"}
                    return Response(status_code=304, headers={**headers, **answer.headers})
                answer = replace(answer.make(), etag=answer.etag)
            if isinstance(answer, Download):
                return _streaming(answer, workers)
            if isinstance(answer, Binary):
                return _binary_response(answer, request, workers)
            return _response(answer, request)

        return await workers.run(settled(work, request), is_given_up=request.is_disconnected)

    return answering_errors(endpoint)


def settled(work: Callable[[], Response], request: Request) -> Callable[[], Response]:
    """The work of a worker thread, with an answer there also for what it raises.

    An error that is handed on to the event loop gets into a circle (it knows the frames it went through, one
    of them the future, and the future the error), which stays until the garbage collector looks for circles.
    It counts objects, not bytes: pictures that cannot be shown would be kept, a hundred megabytes each.
    """

    def settle() -> Response:
        try:
            return work()
        except Exception as error:
            return response_for(request.scope["path"], error)

    return settle


def answering_errors(endpoint: Endpoint) -> Endpoint:
    """The endpoint, with an answer also for what it raises. That the sender has gone is no failure."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except (ClientDisconnect, NobodyWaitsError):
            return Response(status_code=400)  # nobody is there to read it
        except Exception as error:
            return response_for(request.scope["path"], error)

    return answer


async def read_body(request: Request, limit_bytes: int) -> bytes:
    """Raises ApiError 413 as soon as it is known to be too much."""
    too_large = ApiError(413, f"The request is larger than {limit_bytes:,} bytes: ask for less at once")
    with suppress(ValueError):
        if int(request.headers.get("content-length", "0")) > limit_bytes:
            raise too_large
    pieces, size = [], 0
    async for piece in request.stream():
        size += len(piece)
        if size > limit_bytes:
            raise too_large
        pieces.append(piece)
    return b"".join(pieces)


# ── requests ─────────────────────────────────────────────────────────────────────────────────────────────

_Decode = Callable[[Request, bytes], Any]


def _body_decoder(route: ApiRoute) -> _Decode:
    kind = route.request_type
    if kind is None:
        return lambda _request, _body: None
    decoder = msgspec.json.Decoder(kind)

    def decode(_request: Request, body: bytes) -> Any:
        try:
            return decoder.decode(body)
        except msgspec.ValidationError as error:
            raise ApiError(422, f"The request cannot be used: {error}") from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise ApiError(400, f"The body of the request is not JSON: {error}") from None

    return decode


def _parameter_decoder(route: ApiRoute) -> _Decode:
    kind = route.request_type
    if kind is None:
        return lambda _request, _body: None
    is_list = {name: _is_list(hint) for name, hint in get_type_hints(kind).items()}

    def decode(request: Request, _body: bytes) -> Any:
        found: dict[str, Any] = {}
        for name, value in request.query_params.multi_items():
            if name not in is_list:
                continue
            if is_list[name]:
                found.setdefault(name, []).append(value)
            else:
                found[name] = value
        found.update(request.path_params)
        try:
            return msgspec.convert(found, kind, strict=False)
        except msgspec.ValidationError as error:
            raise ApiError(422, f"The request cannot be used: {error}") from None

    return decode


def _is_list(hint: Any) -> bool:
    return get_origin(hint) is list


# ── answers ──────────────────────────────────────────────────────────────────────────────────────────────


def _response(answer: Struct | Encoded | None, request: Request) -> Response:
    if answer is None:
        return Response(status_code=204, headers=_NO_STORE)
    headers = dict(_NO_STORE)
    if isinstance(answer, Struct):
        body = wire_json(answer)
    else:
        body = answer.body
        if answer.etag:
            headers = {**_revalidated(answer.etag), "vary": "Accept-Encoding"}
            if _is_match(answer.etag, request):
                return Response(status_code=304, headers=headers)
    return compressed_response(
        body, "application/json", is_gzip_accepted=accepts_gzip(request), headers=headers
    )


def _binary_response(answer: Binary, request: Request, workers: Workers) -> Response:
    headers = {**SHUT_IN, **(_revalidated(answer.etag) if answer.etag else _NO_STORE), **answer.headers}
    if answer.etag and _is_match(answer.etag, request):
        return Response(status_code=304, headers=headers)
    if answer.file_name:
        headers["content-disposition"] = f'attachment; filename="{answer.file_name}"'
    size = len(answer.body)
    part: range | None = None
    if answer.etag:
        headers["accept-ranges"] = "bytes"
        try:
            part = asked_range(request, etag=answer.etag, size=size) if request.method == "GET" else None
        except NoSuchRangeError:
            return Response(status_code=416, headers={**headers, "content-range": f"bytes */{size}"})
    if part is not None:
        headers["content-range"] = f"bytes {part.start}-{part.stop - 1}/{size}"
    return sized_response(
        answer.body,
        part or range(size),
        workers,
        status=200 if part is None else 206,
        media_type=answer.media_type,
        headers=headers,
        is_head=request.method == "HEAD",
    )


def _revalidated(etag: str) -> dict[str, str]:
    return {"cache-control": "private, no-cache", "etag": etag}


def _is_match(etag: str, request: Request) -> bool:
    known = _known_etags(request)
    return etag in known or "*" in known


def _known_etags(request: Request) -> list[str]:
    """Those of answers that the sender has."""
    if_none_match = request.headers.get("if-none-match", "")
    return [one.strip().removeprefix("W/") for one in if_none_match.split(",")]


def _streaming(download: Download, workers: Workers) -> StreamingResponse:
    headers = {
        **SHUT_IN,
        **_NO_STORE,
        "content-disposition": f'attachment; filename="{download.file_name}"',
    }
    return StreamingResponse(
        send_pieces(download.pieces, workers), media_type=download.media_type, headers=headers
    )
