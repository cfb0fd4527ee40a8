"""Texts in CSV files, which people open in spreadsheets.

Spreadsheets take a text that begins with = + - @ (or a tab or line break before them) for a formula, and some
formulas fetch addresses or start programs: what a log says would act on the machine of whoever opens the
file. So such texts get an apostrophe in front, which spreadsheets know as "text follows", unless they are
plain numbers.
"""

from __future__ import annotations

import re

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER = re.compile(r"[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,9})?\Z", re.ASCII)


def safe_text(text: str) -> str:
    """The text, so that no spreadsheet takes it for a formula.

    >>> [safe_text(text) for text in ("=1+1", "-5", "- a", "a")]
    ["'=1+1", '-5', "'- a", 'a']
    """
    return f"'{text}" if text.startswith(_FORMULA_STARTS) and not _NUMBER.match(text) else text
