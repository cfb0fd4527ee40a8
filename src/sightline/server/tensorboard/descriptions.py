"""Descriptions of tags as HTML. TensorBoard renders them from Markdown, with libraries that nothing else here
needs.

Here they become paragraphs of escaped text with what people use in a sentence: **strong**, *emphasis* and
`code`. Any other Markdown stays as it was written. Nothing that was logged reaches the page as markup of its
own.
"""

from __future__ import annotations

import html
import re

_BLANK_LINES = re.compile(r"\n\s*\n")
# No repetition can be divided in two ways, so the time is linear in the text, whatever it is.
_INLINE = re.compile(r"`(?P<code>[^`\n]+)`|\*\*(?P<strong>[^*\n]+)\*\*|\*(?P<em>[^*\n]+)\*")


def safe_html(markdown: str) -> str:
    """Paragraphs of escaped text.

    >>> safe_html("a < **b**")
    '<p>a &lt; <strong>b</strong></p>'
    """
    paragraphs = [part.strip() for part in _BLANK_LINES.split(markdown.replace("\0", ""))]
    return "\n".join(f"<p>{_inline(part)}</p>" for part in paragraphs if part)


def _inline(text: str) -> str:
    return _INLINE.sub(_marked, html.escape(text, quote=False))


def _marked(found: re.Match[str]) -> str:
    return f"<{found.lastgroup}>{found[found.lastgroup or 0]}</{found.lastgroup}>"
