"""Markdown as HTML, for answers that TensorBoard gives as HTML: descriptions of tags, and texts.

Markup in the text itself is escaped, so nothing that was logged reaches a page as markup of its own. Of what
Markdown makes, only what TensorBoard lets through remains: no classes, no styles, and links and pictures
without an address unless it is one of the web, of mail, or relative.
"""

from __future__ import annotations

import html
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_CHARS = 1 << 15
"""Longer texts are not rendered: it would hold up every other thread for seconds. So would a few ten thousand
brackets, which take the square of the time."""

_KEPT = 1_024
_MAX_KEPT_CHARS = 1 << 10
_SCHEME = re.compile(r"[^/?#:]*:")
_SAFE_SCHEMES = frozenset(("http:", "https:", "mailto:"))


def safe_html(markdown: str) -> str:
    """The Markdown as HTML; as escaped text where there is too much of it.

    >>> safe_html("a < **b**")
    '<p>a &lt; <strong>b</strong></p>'
    """
    if not markdown:
        return ""
    markdown = markdown.replace("\0", "")
    if len(markdown) > MAX_CHARS:
        return f"<pre>{plain_html(markdown)}</pre>"
    # The same tag has the same description in each of a thousand runs.
    return _kept(markdown) if len(markdown) <= _MAX_KEPT_CHARS else _rendered(markdown)


@lru_cache(_KEPT)
def _kept(markdown: str) -> str:
    return _rendered(markdown)


def _rendered(markdown: str) -> str:
    parser = _parser()
    tokens = parser.parse(markdown)
    for token in tokens:
        token.attrs.pop("style", None)  # the alignment of a table's cells
    return str(parser.renderer.render(tokens, parser.options, {})).rstrip("\n")


def plain_html(text: str) -> str:
    """The text itself, so that a page shows every character of it."""
    return html.escape(text, quote=False)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # a tenth of a second, for routes that few ask

    parser = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False}).enable("table")
    # Markdown would leave the brackets of what it does not like. Here it becomes a link that leads nowhere.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    parser.add_render_rule("link_open", _link)
    parser.add_render_rule("image", _image)
    parser.add_render_rule("text", _text)
    parser.add_render_rule("code_inline", _code)
    parser.add_render_rule("code_block", _code_block)
    parser.add_render_rule("fence", _code_block)
    return parser


def is_safe_address(address: str) -> bool:
    """
    >>> [is_safe_address(one) for one in ("https://a.b", "/a:b", "#a", "JavaScript:a", "\\tdata:a", "a:1")]
    [True, True, True, False, False, False]
    """
    scheme = _SCHEME.match(address)
    return scheme is None or scheme[0].lower() in _SAFE_SCHEMES


def _link(self: Any, tokens: Sequence[Token], position: int, _options: Any, _env: Any) -> str:
    token = tokens[position]
    if not is_safe_address(str(token.attrs.get("href", ""))):
        token.attrs.pop("href", None)
    return f"<a{self.renderAttrs(token)}>"


def _image(self: Any, tokens: Sequence[Token], position: int, options: Any, env: Any) -> str:
    token = tokens[position]
    attrs = {"alt": self.renderInlineAsText(token.children or [], options, env)}
    if is_safe_address(str(token.attrs.get("src", ""))):
        attrs["src"] = token.attrs["src"]
    if "title" in token.attrs:
        attrs["title"] = token.attrs["title"]
    token.attrs = attrs
    return f"<img{self.renderAttrs(token)}>"


def _text(_self: Any, tokens: Sequence[Token], position: int, _options: Any, _env: Any) -> str:
    return plain_html(tokens[position].content)


def _code(_self: Any, tokens: Sequence[Token], position: int, _options: Any, _env: Any) -> str:
    return f"<code>{plain_html(tokens[position].content)}</code>"


def _code_block(_self: Any, tokens: Sequence[Token], position: int, _options: Any, _env: Any) -> str:
    return f"<pre><code>{plain_html(tokens[position].content)}</code></pre>\n"
