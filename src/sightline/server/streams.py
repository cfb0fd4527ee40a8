"""Answers that are made while they are sent: memory stays small, whatever their size.

A piece is made on a worker thread when the one before has been sent, so a slow reader costs nothing. When a
piece cannot be made, the connection is cut: the status is long gone, and an answer that ends properly would
be taken for complete.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping

from starlette.responses import Response, StreamingResponse

from sightline.model.byte_source import ByteSource, pieces_of
from sightline.server.compression import FAST, GZIP_WINDOW, compressed_response
from sightline.server.workers import Workers

WHOLE_BYTES = 256 << 10
"""Up to here an answer is sent as a whole, with its length."""


def streamed_response(
    pieces: Iterable[bytes],
    workers: Workers,
    media_type: str,
    *,
    headers: Mapping[str, str],
    is_gzip_accepted: bool = False,
) -> Response:
    """Makes the first pieces, so it belongs on a worker thread. What they raise is raised here: it can still
    become an error with a status."""
    rest = iter(pieces)
    first: list[bytes] = []
    size = 0
    for piece in rest:
        first.append(piece)
        size += len(piece)
        if size > WHOLE_BYTES:
            break
    else:
        return compressed_response(
            b"".join(first), media_type, is_gzip_accepted=is_gzip_accepted, headers=dict(headers)
        )
    all_pieces: Iterator[bytes] = itertools.chain(first, rest)
    headers = {**headers, "vary": "Accept-Encoding"}
    if is_gzip_accepted:
        all_pieces = _gzipped(all_pieces)
        headers["content-encoding"] = "gzip"
    return StreamingResponse(send_pieces(all_pieces, workers), media_type=media_type, headers=headers)


def sized_response(
    source: ByteSource,
    part: range,
    workers: Workers,
    *,
    status: int,
    media_type: str,
    headers: Mapping[str, str],
    is_head: bool,
) -> Response:
    """A part of bytes whose number is known, the first piece of which is read here: this belongs on a worker
    thread, too."""
    length = len(part)
    headers = {**headers, "content-length": str(length)}
    if is_head:
        return Response(status_code=status, media_type=media_type, headers=headers)
    pieces = pieces_of(source, part.start, part.stop)
    first = next(pieces, b"")
    if len(first) == length:
        return Response(first, status_code=status, media_type=media_type, headers=headers)
    all_pieces = itertools.chain([first], pieces)
    return StreamingResponse(
        send_pieces(all_pieces, workers), status_code=status, media_type=media_type, headers=headers
    )


async def send_pieces(pieces: Iterator[bytes], workers: Workers) -> AsyncIterator[bytes]:
    """One at a time, each in its turn."""
    while (piece := await workers.run(lambda: next(pieces, None))) is not None:
        yield piece


def _gzipped(pieces: Iterator[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(FAST, zlib.DEFLATED, GZIP_WINDOW)
    for piece in pieces:
        packed = packer.compress(piece)
        if packed:
            yield packed
    yield packer.flush()
