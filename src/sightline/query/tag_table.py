"""One row per tag and kind over all runs: what there is to show, and in which runs.

The core answers for all runs in one go; here its forms and plugins become kinds, and metadata become text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightline.model.kinds import Kind, kind_of
from sightline.query.meshes import is_part
from sightline.store.runs import RunStore
from sightline.store.snapshot import decoded_metadata, is_offered
from sightline.store.story import SOURCE_WRITER


class TagRow(NamedTuple):
    """One tag of one kind."""

    tag: str
    kind: str
    """One of the words of ``model.kinds``."""
    display_name: str
    description: str
    """Markdown, as it was logged; this and the display name come from the first run that has one."""
    runs: list[str]
    """By the time they began, then by name."""


def tag_rows(store: RunStore) -> list[TagRow]:
    """All tags of all kinds, by natural order of names (``a2`` before ``a10``), then by kind.

    ``store`` is ``log.store``. The log messages of a run's story are no tags, and a mesh is one: that of its
    vertices.
    """
    names, groups = store.index.tag_table(SOURCE_WRITER)
    by_kind: dict[tuple[str, str], _Gathered] = {}
    for tag, form, plugin, metadata, runs in groups:
        if is_offered(form, plugin):
            gathered = by_kind.setdefault((tag, kind_of(form, plugin).value), _Gathered([], []))
            gathered.metadata.extend(metadata)
            gathered.runs.append(runs)
    rows = [
        TagRow(tag, kind, *_names_in(gathered.metadata), [names[run] for run in _union(gathered.runs)])
        for (tag, kind), gathered in by_kind.items()
        if kind != Kind.mesh or not is_part(gathered.metadata)
    ]
    rows.sort(key=lambda row: (natural_order(row.tag), row.kind))
    return rows


class _Gathered(NamedTuple):
    metadata: list[bytes]
    runs: list[NDArray[np.uint32]]


def _names_in(metadata: list[bytes]) -> tuple[str, str]:
    display_name = description = ""
    for message in metadata:
        decoded = decoded_metadata(message)
        if decoded is not None:
            display_name = display_name or decoded.display_name
            description = description or decoded.summary_description
    return display_name, description


def _union(runs: list[NDArray[np.uint32]]) -> list[int]:
    joined = runs[0] if len(runs) == 1 else np.unique(np.concatenate(runs))
    positions: list[int] = joined.tolist()
    return positions


_NUMBER = re.compile(r"([0-9]+)")


def natural_order(name: str) -> tuple[list[tuple[str, int, str, int]], str]:
    """A key that sorts numbers in names by size, letters without regard to case, and never ties two names.

    >>> sorted(["a10", "a2", "B", "a"], key=natural_order)
    ['a', 'a2', 'a10', 'B']
    >>> sorted(["0.1/b", "0.01/b", "0.1/a", "0.01/a"], key=natural_order)
    ['0.01/a', '0.01/b', '0.1/a', '0.1/b']
    """
    pieces = _NUMBER.split(name.casefold())
    pieces.append("")  # texts and numbers take turns, texts first: now there are as many of both
    key = []
    for text, number in zip(pieces[::2], pieces[1::2], strict=True):
        # By length, then by digits, is by size, however long a number is; the end of a name comes first. What
        # is in "01" stays together, before what is in "1".
        digits = number.lstrip("0")
        key.append((text, len(digits) if number else -1, digits, -len(number)))
    return key, name
