"""The gate in front of all routes: Host, Origin and token are checked, and every answer gets its headers.

With a token the Host is not checked: a page that rebinds its name to us cannot know the token, and the cookie
belongs to another name. Without one only known names are answered. docs/security.md has the whole picture.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sightline.model.addresses import is_loopback
from sightline.server.errors import error_response, is_api
from sightline.server.hosts import AllowedHosts, is_foreign_fetch, is_own_origin
from sightline.server.options import ServerOptions
from sightline.server.paths import InnerPaths, last_part
from sightline.server.workers import Workers
from sightline.wire.routes import API_PREFIX

_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

SHUT_IN = {"content-security-policy": "sandbox; default-src 'none'"}
"""For answers that are no JSON, which may hold bytes that somebody logged: opened as a document, whatever a
browser takes them for, they run nothing and load nothing."""

_COOKIE_DAYS = 30


def content_security_policy(options: ServerOptions) -> str:
    """For the page. Nothing inline, nothing from elsewhere; framed by notebooks on this machine at most."""
    ancestors = ["'self'"]
    if is_loopback(options.host):
        # Notebooks run on another port, which is another origin. (There is no way to write [::1] here.)
        ancestors += ["http://localhost:*", "https://localhost:*", "http://127.0.0.1:*", "vscode-webview:"]
    for name in options.allowed_hosts:
        pattern = f"*{name}" if name.startswith(".") else name
        if pattern.replace("*", "").replace(".", "").replace("-", "").isalnum():
            ancestors += [f"http://{pattern}:*", f"https://{pattern}:*"]
    return "; ".join(
        [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data: blob:",
            "media-src 'self' blob:",
            "connect-src 'self'",
            "font-src 'self'",
            "worker-src 'self'",
            "manifest-src 'self'",
            # Logged HTML and figures are documents of this server, shut in by headers of their own. Nothing
            # in them can send its frame anywhere else.
            "frame-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            f"frame-ancestors {' '.join(ancestors)}",
        ]
    )


class Token:
    """The secret of this server: as a word, and as the cookie that stands for it."""

    def __init__(self, token: str, *, path: str) -> None:
        self._token = token.encode()
        # Cookies know no ports, and behind tunnels every server is localhost: those with different tokens
        # must not overwrite each other's.
        self._name = f"sightline-{hashlib.sha256(b'sightline cookie name ' + self._token).hexdigest()[:8]}"
        self._path = path or "/"
        # Not the token itself: a cookie file that is copied does not show it.
        self._value = hashlib.sha256(b"sightline cookie " + self._token).hexdigest()

    def is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token)

    def is_given_by(self, headers: Mapping[str, str]) -> bool:
        """By ``Authorization: Bearer …`` or by the cookie."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.is_token(given.strip()):
            return True
        # By hand: http.cookies gives up at the first cookie that it does not like, and other programs on the
        # same host set all kinds. The same name may come twice, from a path above ours.
        cookies = (pair.strip().partition("=") for pair in headers.get("cookie", "").split(";"))
        values = [value for name, _, value in cookies if name == self._name]
        return any(hmac.compare_digest(value.encode(), self._value.encode()) for value in values)

    def cookie(self) -> str:
        return (
            f"{self._name}={self._value}; Path={self._path}; Max-Age={_COOKIE_DAYS * 86400}; "
            "HttpOnly; SameSite=Lax"
        )


class SecurityMiddleware:
    """Refuses what must not come in, before anything else looks at it."""

    def __init__(self, app: ASGIApp, *, options: ServerOptions, paths: InnerPaths, workers: Workers) -> None:
        self._app = app
        self._paths = paths
        self._workers = workers
        self._hosts = AllowedHosts(options.host, options.allowed_hosts)
        self._token = None if options.token is None else Token(options.token, path=f"{options.prefix}/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = await self._refusal(scope)
        app = self._app if refusal is None else refusal
        await app(scope, receive, send_with_headers)

    async def _refusal(self, scope: Scope) -> Response | None:
        """The answer for a request that does not get through; None for one that does."""
        headers = Headers(scope=scope)
        path = self._paths.inner(scope["path"])
        if path is None:
            path = scope["path"]  # not ours: a 404, for those who get in
        if self._token is None and not await self._is_addressed_to_us(headers.get("host", "")):
            return error_response(
                path,
                403,
                "This server does not answer to the name in the address. If it is a name of this machine, "
                f"start the server with --allowed-hosts and that name: {headers.get('host', '')!r}",
            )
        if is_foreign_fetch(headers):
            return error_response(path, 403, "Pages of other sites may link here, but not fetch from here")
        is_guarded = scope["method"] not in ("GET", "HEAD") or path == f"{API_PREFIX}/events"
        if is_guarded and not is_own_origin(headers):
            return error_response(
                path,
                403,
                "The request comes from a page at another address. A proxy in between has to pass on the "
                "Host header, or the one it got as X-Forwarded-Host",
            )
        return self._token_refusal(scope, headers, path)

    async def _is_addressed_to_us(self, netloc: str) -> bool:
        if self._hosts.is_allowed(netloc):
            return True
        if not self._hosts.is_learning:
            return False
        await self._workers.run(self._hosts.learn_machine_names)
        return self._hosts.is_allowed(netloc)

    def _token_refusal(self, scope: Scope, headers: Headers, path: str) -> Response | None:
        token = self._token
        if token is None:
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for name, value in query if name == "token"]
        is_page = not is_api(path) and not path.startswith("/data/") and scope["method"] in ("GET", "HEAD")
        if given and any(map(token.is_token, given)):
            return _without_token(scope, query, token, has_slash=path != "") if is_page else None
        # The page's own files are the same for everybody and hold nothing of the log. It asks for the token.
        if is_page or token.is_given_by(headers):
            return None
        what = "another one was given" if given or "authorization" in headers else "none was given"
        return error_response(
            path,
            401,
            f"This server asks for a token, and {what}. Open the address that it printed when it started, "
            "which ends in ?token=…; scripts send the header Authorization: Bearer <token>",
            {"www-authenticate": 'Bearer realm="Sightline"'},
        )


def _without_token(scope: Scope, query: list[tuple[str, str]], token: Token, *, has_slash: bool) -> Response:
    """Keep the token in a cookie, and take it out of the address bar, the history and bookmarks."""
    rest = urlencode([(name, value) for name, value in query if name != "token"])
    # Straight to the slash, if it is missing: the cookie is for what is below it.
    location = last_part(scope["path"]) + ("" if has_slash else "/") + (f"?{rest}" if rest else "")
    headers = {"location": location, "set-cookie": token.cookie(), "cache-control": "no-store"}
    return Response(status_code=303, headers=headers)
