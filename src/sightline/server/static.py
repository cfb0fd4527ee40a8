"""The built page: read from the package once, compressed once, kept in memory (it is small).

Names are looked up in the list of files that exist, never put together into a path, so there is no way out of
the folder. What Vite puts into assets/ has a hash in its name and may be kept for ever; index.html never,
because it says which of them are current.
"""

from __future__ import annotations

import mimetypes
import stat
import threading
from dataclasses import dataclass, field
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from sightline.server.compression import BEST, MIN_SIZE_BYTES, accepts_gzip, gzip_bytes
from sightline.server.workers import Workers

STATIC_DIRECTORY = Path(__file__).resolve().parent.parent / "_static"

NOT_BUILT = """\
The page was not built, so there is nothing to show here.

In a checkout of the sources: run `make page`, then reload this page.
In an installed package: this should not happen; please install it again.

The data is served nevertheless: api/v1/runs, data/runs.
"""

_PACKED_ALREADY = {".png", ".jpg", ".webp", ".avif", ".woff", ".woff2", ".gz", ".br", ".ico"}
# The system's own table may be missing, or have been edited.
_MEDIA_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


@dataclass
class _File:
    """One file in memory, and the state of the one on disk that it was read from."""

    path: Path
    state: tuple[int, int]
    body: bytes
    media_type: str
    gzipped: bytes | None = field(default=None, repr=False)


class StaticFiles:
    """Serves the folder; ``page_headers`` go on HTML only."""

    def __init__(
        self, workers: Workers, *, page_headers: dict[str, str], directory: Path = STATIC_DIRECTORY
    ) -> None:
        self._workers = workers
        self._page_headers = page_headers
        self._directory = directory
        self._files: dict[str, _File] = {}
        self._lock = threading.Lock()

    async def page(self, request: Request) -> Response:
        found = await self._workers.run(lambda: self._read("index.html"))
        if found is None:
            return PlainTextResponse(NOT_BUILT, status_code=503, headers={"cache-control": "no-store"})
        return _response(found, request, {**self._page_headers, "cache-control": "no-store"})

    async def file(self, request: Request) -> Response:
        """Any other file of the folder; 404 for what is not there."""
        name = str(request.path_params["name"])
        found = await self._workers.run(lambda: self._read(name)) if name != "index.html" else None
        if found is None:
            raise HTTPException(404)
        is_hashed = name.startswith("assets/")
        caching = "private, max-age=31536000, immutable" if is_hashed else "private, max-age=3600"
        return _response(found, request, {"cache-control": caching})

    def _read(self, name: str) -> _File | None:
        """From memory, unless the file was built anew."""
        with self._lock:
            known = self._files.get(name)
        # To look through the folder takes longer than to answer: only for names that are new here.
        path = self._known_paths().get(name) if known is None else known.path
        if path is None:
            return None
        try:
            facts = path.lstat()
            if not stat.S_ISREG(facts.st_mode) or self._is_behind_link(path):
                return None
            state = (facts.st_mtime_ns, facts.st_size)
            with self._lock:
                known = self._files.get(name)
                if known is None or known.state != state:
                    known = self._files[name] = _load(path, state)
                return known
        except OSError:
            return None

    def _is_behind_link(self, path: Path) -> bool:
        """Whether a folder on the way to it has become one since the file was found."""
        folder = path.parent
        while folder != self._directory:
            if folder.is_symlink():
                return True
            folder = folder.parent
        return False

    def _known_paths(self) -> dict[str, Path]:
        return {
            path.relative_to(self._directory).as_posix(): path
            for path in self._directory.rglob("*")
            if path.is_file() and not path.is_symlink()
        }


def _load(path: Path, state: tuple[int, int]) -> _File:
    body = path.read_bytes()
    media_type = _MEDIA_TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    is_worth_packing = len(body) >= MIN_SIZE_BYTES and path.suffix not in _PACKED_ALREADY
    gzipped = gzip_bytes(body, BEST) if is_worth_packing else None
    return _File(path, state, body, media_type or "application/octet-stream", gzipped)


def _response(found: _File, request: Request, headers: dict[str, str]) -> Response:
    headers = {**headers, "vary": "Accept-Encoding"}
    if found.gzipped is not None and accepts_gzip(request):
        headers["content-encoding"] = "gzip"
        return Response(found.gzipped, media_type=found.media_type, headers=headers)
    return Response(found.body, media_type=found.media_type, headers=headers)
