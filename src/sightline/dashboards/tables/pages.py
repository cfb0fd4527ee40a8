"""Logged HTML as a document of its own, and what a person should know before letting it do anything.

Nothing in it is believed or cleaned: it is shut in. The headers of the answer say that the document has an
origin of its own (``sandbox``), so that it reaches neither the page around it nor the API nor cookies, and
that it loads nothing from anywhere. They hold also where the document is opened in a tab of its own. The page
around it, by its own policy, keeps the frame from going elsewhere. docs/security.md has the whole picture.
"""

from __future__ import annotations

import re
import secrets

from sightline.dashboards.context import Context
from sightline.dashboards.tables.page_contents import contents_of, found_in
from sightline.dashboards.tables.recent import Recent
from sightline.dashboards.tables.schemas import PageFacts, PageParameters
from sightline.dashboards.tables.values import TableValue, table_value
from sightline.model.errors import MediaError
from sightline.model.kinds import Kind
from sightline.wire.file_names import value_file_name
from sightline.wire.routes import ApiError, Binary, Promised, etag_of
from sightline.wire.text import wire_bytes
from sightline.wire.value_schemas import ItemParameters

MAX_PAGE_BYTES = 32 << 20
# Who asks for one tile asks for all that are in sight, and again when the page is opened again.
_RECENT_FACTS: Recent[PageFacts] = Recent(max_cost=1_000, max_count=1_000, keep_s=600)

# A document that is alone in its tab could otherwise not be opened: a browser refuses to sandbox what wants
# its group of tabs for itself. And names of hosts are not looked up before anybody follows a link.
SHUT_IN_HEADERS = {
    "cross-origin-opener-policy": "unsafe-none",
    "referrer-policy": "no-referrer",
    "x-dns-prefetch-control": "off",
    "permissions-policy": (
        "camera=(), geolocation=(), microphone=(), display-capture=(), fullscreen=(), payment=(), usb=(), "
        "serial=(), hid=(), midi=(), clipboard-read=(), clipboard-write=(), gamepad=(), screen-wake-lock=()"
    ),
}


def page_policy(*, has_scripts: bool, nonce: str = "") -> str:
    """The Content-Security-Policy of logged HTML. With a nonce, which nobody can know who wrote the HTML, the
    one script that has it may run; nothing else may, and the document keeps its own origin."""
    scripts = "'unsafe-inline'" if has_scripts else f"'nonce-{nonce}'" if nonce else ""
    return "; ".join(
        [
            "sandbox allow-scripts" if scripts else "sandbox",
            "default-src 'none'",
            *([f"script-src {scripts}"] if scripts else []),
            "style-src 'unsafe-inline'",
            "img-src data: blob:",
            "font-src data:",
            "media-src data:",
            "connect-src 'none'",
            "form-action 'none'",
            "base-uri 'none'",
        ]
    )


def page_of(context: Context, request: PageParameters) -> Binary | Promised:
    value = table_value(context, request, Kind.html)
    if request.download:
        return _saved_page(context, request, value)
    if request.scripts and request.server_id is None:
        raise ApiError(422, "Scripts of logged HTML run only for who names the server's id")
    # Of this answer alone: one that was read in an earlier answer and logged since then is of no use.
    nonce = secrets.token_urlsafe(16) if request.is_fitted and not request.scripts else ""
    policy = page_policy(has_scripts=request.scripts, nonce=nonce)
    headers = {**SHUT_IN_HEADERS, "content-security-policy": policy}
    looks = (int(request.scripts), int(request.is_dark))
    etag = "" if nonce else etag_of(context, "page", value.identity, *looks)

    def make() -> Binary:
        html = value.item.html
        _checked_size_bytes(html)
        shown = shown_html(html, has_scripts=request.scripts, is_dark=request.is_dark, nonce=nonce)
        return Binary(wire_bytes(shown), "text/html; charset=utf-8", headers=headers)

    return make() if nonce else Promised(etag, make, headers)


def _saved_page(context: Context, request: PageParameters, value: TableValue) -> Promised:
    etag = etag_of(context, "page", value.identity, "d")

    def make() -> Binary:
        name = value_file_name(value.run, request.tag, step=request.step, ending="html")
        return Binary(wire_bytes(value.item.html), "application/octet-stream", file_name=name)

    return Promised(etag, make)


def _checked_size_bytes(html: str) -> int:
    """As UTF-8. Raises MediaError for more than is shown."""
    # A character is one byte at least: what is far too large is not encoded to find out by how much.
    is_plain = html.isascii() or len(html) > MAX_PAGE_BYTES
    size_bytes = len(html) if is_plain else len(wire_bytes(html))
    if size_bytes > MAX_PAGE_BYTES:
        raise MediaError(f"The HTML has more than {MAX_PAGE_BYTES:,} bytes; larger pages are not shown")
    return size_bytes


# ── how it is shown ──────────────────────────────────────────────────────────────────────────────────────

# In one search, for which all other threads wait.
_BEGINNING_CHARS = 1 << 16
# Spaces, comments and XML declarations may stand in front of it.
_DOCTYPE = re.compile(
    r"(?:[ \t\n\r\f]|<!--(?:(?!-->).){0,10000}-->|<\?[^<>]{0,1000}>){0,1000}(<!doctype[^<>]{0,1000}>)",
    re.IGNORECASE | re.DOTALL,
)
_LOOKED_AT_FOR_COLOURS = 1 << 20
_COLOURED = re.compile(r"color\b|background|bgcolor|stylesheet", re.IGNORECASE)
_IS_DOCUMENT = re.compile(r"<(html|head|body|frameset)\b", re.IGNORECASE)

_FRAGMENT_STYLE = (
    "body{margin:12px;font:14px/1.5 system-ui,sans-serif}"
    "table{border-collapse:collapse}th,td{padding:4px 8px;border:1px solid #8884}"
)
# Tells the page around it how tall it is, so that its frame can be; all that the page believes is a number.
_HEIGHT_SCRIPT = (
    "(()=>{const tell=()=>{const r=document.documentElement,b=document.body;"
    "parent.postMessage({kind:'height',height:Math.max(b?b.scrollHeight:0,b?b.offsetHeight:0,r.offsetHeight)},"
    "'*')};if(parent!==self){new ResizeObserver(tell).observe(document.documentElement);"
    "addEventListener('load',tell)}})()"
)


def shown_html(html: str, *, has_scripts: bool, is_dark: bool, nonce: str = "") -> str:
    """The HTML with what makes it look at home. A fragment (a data frame's table) gets a plain style; a whole
    document has its own. In a dark page only what names no colour goes dark: the rest was made for white."""
    styles = "" if _IS_DOCUMENT.search(html, 0, _BEGINNING_CHARS) else _FRAGMENT_STYLE
    if is_dark and not any(found_in(_COLOURED, html, end=_LOOKED_AT_FOR_COLOURS)):
        styles += ":root{color-scheme:dark;background:#181b20;color:#e4e7eb}"
    added = f"<style>{styles}</style>" if styles else ""
    if has_scripts or nonce:  # in front of all markup that was logged, so that none can take the nonce in
        added += f"<script{f' nonce={nonce}' if nonce else ''}>{_HEIGHT_SCRIPT}</script>"
    html = html.removeprefix("\ufeff")
    doctype = _DOCTYPE.match(html, 0, _BEGINNING_CHARS)
    if doctype is not None:  # first: browsers show a page by old rules when a script is before it
        return doctype[1] + added + html[: doctype.start(1)] + html[doctype.end(1) :]
    return f"<!doctype html>{added}{html}" if styles.startswith(_FRAGMENT_STYLE) else added + html


# ── what is in it ────────────────────────────────────────────────────────────────────────────────────────


def page_facts_of(context: Context, request: ItemParameters) -> PageFacts:
    """Also where to learn why a page cannot be shown: a frame does not tell."""
    value = table_value(context, request, Kind.html)

    def facts() -> PageFacts:
        html = value.item.html
        size_bytes = _checked_size_bytes(html)
        found = contents_of(html)
        return PageFacts(size_bytes, found.has_scripts, found.hosts, found.host_count, found.is_all_seen)

    return _RECENT_FACTS.get(value.key, facts, cost=lambda _: 1)
