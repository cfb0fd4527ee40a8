"""Markdown as HTML, for answers that TensorBoard gives as HTML: descriptions of tags, and texts.

Markup in the text itself is escaped, so nothing that was logged reaches a page as markup of its own. Of what
Markdown makes, only what TensorBoard lets through remains: no classes, no styles.
"""

from __future__ import annotations

import html
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
    parser.add_render_rule("text", _text)
    parser.add_render_rule("code_inline", _code)
    parser.add_render_rule("code_block", _code_block)
    parser.add_render_rule("fence", _code_block)
    return parser


def _text(_self: Any, tokens: Sequence[Token], position: int, _options: Any, _env: Any) -> str:
    return plain_html(tokens[position].content)


def _code(_self: Any, tokens: Sequence[Token], position: int, _options: Any, _env: Any) -> str:
    return f"<code>{plain_html(tokens[position].content)}</code>"


def _code_block(_self: Any, tokens: Sequence[Token], position: int, _options: Any, _env: Any) -> str:
    return f"<pre><code>{plain_html(tokens[position].content)}</code></pre>\n"
