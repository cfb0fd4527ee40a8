"""Names of summaries: the enclosing scopes and the name, joined by ``/``.

A program that has TensorFlow loaded may open scopes there (``tf.name_scope``); they count too.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from sightline.model.errors import BadArgumentError
from sightline.summary._recording import state

# What TensorFlow allows in the name of a scope. A summary's own name may hold anything.
_ODD_CHARACTERS = re.compile(r"[^-_/.A-Za-z0-9]")


@contextmanager
def name_scope(name: str) -> Iterator[str]:
    """Inside the block, names of summaries begin with `name` and ``/``. Gives the whole prefix."""
    before = state.scope
    state.scope = _joined(before, _checked(name).strip("/"))
    try:
        yield f"{current_scope()}/"
    finally:
        state.scope = before


@contextmanager
def summary_scope(
    name: str | None, default_name: str = "summary", values: object = None
) -> Iterator[tuple[str, str]]:
    """For summary functions of your own: gives (tag, scope), and is the scope of what is written inside.

    `values` is accepted and not used.
    """
    tag = tag_of(name, default_name)
    with name_scope(_ODD_CHARACTERS.sub("", name or default_name) or default_name) as scope:
        yield tag, scope


def tag_of(name: str | None, default_name: str) -> str:
    """The tag of a summary with this name in the current scope."""
    return _joined(current_scope(), _checked(name or default_name))


def current_scope() -> str:
    # Not there without TensorFlow, and while it is being imported.
    get_outer = getattr(sys.modules.get("tensorflow"), "get_current_name_scope", None)
    return _joined(get_outer(), state.scope) if get_outer is not None else state.scope


def _joined(scope: str, name: str) -> str:
    return f"{scope}/{name}" if scope and name else scope or name


def _checked(name: str) -> str:
    if not isinstance(name, str):
        raise BadArgumentError(f"The name of a summary is text, not {type(name).__name__}: {name!r}")
    return name
