"""Where a request goes, whatever stands in front of it: the path prefix, ``/experiment/<id>``, slashes at the
end.

The page asks for everything relative to its own address, so behind any prefix, tunnel or proxy it finds the
server; what is left to do here is to take off what we were told is in front. Redirects are relative too: only
the browser knows the address that a person typed.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

_EXPERIMENT = re.compile(r"/experiment/[^/]*(?P<rest>/.*)?", re.DOTALL)


class InnerPaths:
    """Takes the prefix off a path."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def inner(self, path: str) -> str | None:
        """The path as the routes know it; "" when only a slash is missing, None when it is not ours."""
        if self._prefix:
            if path != self._prefix and not path.startswith(self._prefix + "/"):
                return None
            path = path[len(self._prefix) :]
        found = _EXPERIMENT.fullmatch(path)
        if found is not None:
            path = found["rest"] or ""
        if path.startswith("/data/") and path.endswith("/"):
            path = path.rstrip("/")  # as TensorBoard does
        return path


class PathMiddleware:
    """Gives the application inner paths only."""

    def __init__(self, app: ASGIApp, *, paths: InnerPaths, prefix: str) -> None:
        self._app = app
        self._paths = paths
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = self._paths.inner(scope["path"])
        if path is None:
            text = f"There is nothing here: everything is below {self._prefix}/\n"
            await PlainTextResponse(text, status_code=404)(scope, receive, send)
        elif path == "":
            await redirect(last_part(scope["path"]) + "/", scope)(scope, receive, send)
        else:
            await self._app({**scope, "path": path, "root_path": ""}, receive, send)


def last_part(path: str) -> str:
    """The end of a path as a relative reference: what the browser has to ask for to get the same thing
    again."""
    return "./" + quote(path.rsplit("/", 1)[-1])


def redirect(target: str, scope: Scope) -> Response:
    """To a relative target, with the query that was asked with."""
    query = scope["query_string"].decode("latin-1")
    location = f"{target}?{query}" if query else target
    return Response(status_code=307, headers={"location": location})
