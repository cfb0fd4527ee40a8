"""The scalar tags of a whole log, for formulas that name them without quotes.

All runs are asked, not only those of a chart: what ``a/b`` means must not change when a run is hidden. That
takes the core some 0.4 µs for each tag of each run, 0.2 s for 10,000 runs with 50, and every chart with a
formula asks with every update. So the answer is kept for a moment. A formula that names a tag which is not
there looks again, but never so often that looking takes more than a small part of the time.
"""

from __future__ import annotations

import time
from weakref import WeakKeyDictionary

from sightline.model.errors import FormulaError
from sightline.model.forms import Form
from sightline.query.formulas.parser import KnownTags, parse_formula
from sightline.query.formulas.program import Formula
from sightline.store.access import FileAccess
from sightline.store.run import Run, access_of
from sightline.store.story import SOURCE_WRITER

_KEPT_S = 5.0
_KEPT_PER_COST = 20.0
_MOST_FORMULAS = 1000


class LogTags:
    """What was known at one moment, and how formulas read then."""

    def __init__(self, access: FileAccess) -> None:
        begin_s = time.monotonic()
        _, groups = access.index.tag_table(SOURCE_WRITER)
        self.names = frozenset(tag for tag, form, *_ in groups if form == Form.SCALAR)
        self.made_at_s = time.monotonic()
        self.cost_s = self.made_at_s - begin_s
        self._known = KnownTags(self.names)
        self._read: dict[str, Formula | FormulaError] = {}

    def read(self, text: str) -> Formula | FormulaError:
        found = self._read.get(text)
        if found is None:
            try:
                found = parse_formula(text, self._known)
            except FormulaError as error:
                found = error
            if len(self._read) < _MOST_FORMULAS:
                self._read[text] = found
        return found


_latest: WeakKeyDictionary[FileAccess, LogTags] = WeakKeyDictionary()


def read_formula(text: str, run: Run) -> tuple[Formula | FormulaError, LogTags]:
    """The formula as it reads in the log that the run belongs to."""
    access = access_of(run)
    tags = _latest.get(access)
    if tags is not None:
        age_s = time.monotonic() - tags.made_at_s
        formula = tags.read(text)
        is_known = isinstance(formula, Formula) and tags.names.issuperset(formula.tags)
        if age_s < (_KEPT_S if is_known else _KEPT_PER_COST * tags.cost_s):
            return formula, tags
    tags = _latest[access] = LogTags(access)
    return tags.read(text), tags
