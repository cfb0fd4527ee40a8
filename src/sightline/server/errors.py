"""Errors as answers: JSON of one shape for the API, a line of text for everything else, as TensorBoard's
clients expect.

Who asks wrongly is told what to do. What goes wrong inside is logged with its trace, and the answer says only
that it did.
"""

from __future__ import annotations

import logging

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from sightline.model.errors import DataError, UnknownNameError, UserError
from sightline.wire.routes import ApiError
from sightline.wire.schemas import ErrorBody
from sightline.wire.text import wire_json, wire_text

logger = logging.getLogger("sightline")

_WORDS = {
    404: "There is nothing at this path; docs/http-api.md lists what there is",
    405: "This path is there, but not for this method",
}
FAILED = "The server failed at this request; its log says why"


def is_api(path: str) -> bool:
    """Also a version that there is not: whoever asks for one expects JSON."""
    return path == "/api" or path.startswith("/api/")


def error_response(path: str, status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    """``path`` is the inner one."""
    headers = {**(headers or {}), "cache-control": "no-store"}
    if is_api(path):
        body = wire_json(ErrorBody(message))
        return Response(body, status_code=status, headers=headers, media_type="application/json")
    return PlainTextResponse(wire_text(message) + "\n", status_code=status, headers=headers)


def response_for(path: str, error: Exception) -> Response:
    """The answer for anything that a route raised."""
    if isinstance(error, ApiError):
        return error_response(path, error.status, error.message, dict(error.headers))
    if isinstance(error, HTTPException):
        message = _WORDS.get(error.status_code, str(error.detail))
        return error_response(path, error.status_code, message, dict(error.headers or {}))
    if isinstance(error, UnknownNameError):
        return error_response(path, 404, str(error))
    if isinstance(error, (UserError, DataError)):
        return error_response(path, 422, str(error))
    logger.error("A request failed: %s", path, exc_info=error)
    return error_response(path, 500, FAILED)


async def on_http_exception(request: Request, error: Exception) -> Response:
    return response_for(request.scope["path"], error)
