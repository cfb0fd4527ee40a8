"""Scalar series chosen by regular expressions: what ``log.scalars(tag=…, run=…)`` returns.

A selection is a question, not an answer: it holds no points. Each time it is iterated or turned into a table
it looks at what the log knows then, series by series, so that memory follows what the caller keeps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from sightline.model.errors import BadArgumentError
from sightline.query import frames
from sightline.store.run import Run
from sightline.store.series import ScalarSeries

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Selection:
    """Scalar series whose run and tag match; iterate over it, or ask for one long table.

    The tables have the columns ``run``, ``tag``, ``step``, ``wall_time`` and ``value``, one row per point.
    """

    def __init__(
        self,
        runs: Callable[[], Iterable[Run]],
        *,
        tag: str | None = None,
        run: str | None = None,
        superseded: bool = False,
    ) -> None:
        self._runs = runs
        self._tag = tag
        self._run = run
        self._superseded = superseded
        self._has_tag = matcher(tag, argument="tag")
        self._has_run = matcher(run, argument="run")

    def __iter__(self) -> Iterator[ScalarSeries]:
        for run in self._runs():
            if not self._has_run(run.name):
                continue
            for tag in run.scalars:
                if self._has_tag(tag):
                    # Not kept in the run's memory: a pass over everything must not hold everything.
                    series = run.read_scalars(tag)
                    if series is not None:
                        yield series.all if self._superseded else series

    def __repr__(self) -> str:
        return f"Selection(tag={self._tag!r}, run={self._run!r}, superseded={self._superseded})"

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas DataFrame; run and tag are categories. Needs the extra ``pandas``."""
        return frames.to_pandas(self)

    def to_polars(self) -> polars.DataFrame:
        """A polars DataFrame; run and tag are categories. Needs the extra ``polars``."""
        return frames.to_polars(self)

    def to_arrow(self) -> pyarrow.Table:
        """A pyarrow Table; run and tag are dictionary-encoded. Needs the extra ``parquet`` (pyarrow)."""
        return frames.to_arrow(self)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The Arrow PyCapsule interface: any Arrow-speaking library takes a selection without a copy."""
        # The protocol lets a producer ignore the requested schema; consumers cast.
        del requested_schema
        return frames.arrow_stream(self)


def matcher(pattern: str | None, *, argument: str) -> Callable[[str], bool]:
    """``re.search`` as a yes/no question that remembers its answers: tags repeat from run to run.

    Raises BadArgumentError, naming the argument, when the pattern is not a regular expression.
    """
    if pattern is None:
        return lambda _: True
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise BadArgumentError(
            f"{argument} is not a regular expression: {error.msg} at position {error.pos}: {pattern!r}"
        ) from None
    answers: dict[str, bool] = {}

    def is_match(text: str) -> bool:
        answer = answers.get(text)
        if answer is None:
            answer = answers[text] = compiled.search(text) is not None
        return answer

    return is_match
