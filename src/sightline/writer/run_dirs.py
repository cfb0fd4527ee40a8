"""Directories for runs, numbered by day: ``runs/2026-02-10_012-baseline-lr002/logs/tensorboard``.

    runs/                         base
      2026-02-10_012              id: the date, and the next number of that day, counted over all tags
      2026-02-10_013-baseline     id and tag; names written as 2026-02-10_013_baseline count as well
        logs/tensorboard/         what a writer gets; its neighbours (meta/, artifacts/ …) are the program's

Jobs that start at the same moment get different numbers. The names of two runs with the same number need not
collide, so a hidden directory ``.2026-02-10_013`` reserves it: of all who try to make that, one succeeds,
looks once more whether somebody was quicker, makes the run's directory, and removes the hidden one.
"""

from __future__ import annotations

import datetime
import os
import re
from contextlib import suppress
from typing import NamedTuple

from sightline.model.errors import BadArgumentError, UnknownNameError
from sightline.settings import Settings, load_settings

LOGS = os.path.join("logs", "tensorboard")
LATEST = "latest"

# File systems take names of 255 bytes; the rest is for the id, and for what others hang on to a name.
MAX_TAG_BYTES = 200

_RUN_NAME = re.compile(r"\.?(\d{4}-\d{2}-\d{2})_(\d{3,})(?:[-_](.*))?", re.DOTALL)


class _RunName(NamedTuple):
    """A directory's name, taken apart. Ordered by date, then number."""

    date: str
    number: int
    tag: str
    name: str

    @property
    def id(self) -> str:
        return f"{self.date}_{self.number:03d}"


def run_dir(
    base: str | os.PathLike[str] | None = None,
    *,
    tag: str = "",
    date: datetime.date | str | None = None,
    resume: str | int | None = None,
    settings: Settings | None = None,
) -> str:
    """Makes the directory of a new run and returns where its logs go; or returns that of an earlier run.

        writer = SummaryWriter(sightline.run_dir("runs", tag="baseline-lr002"))
        writer = SummaryWriter(sightline.run_dir("runs", resume="latest"))

    `base`      where runs are; by default ``runs_dir`` of ``configs/tensorboard.json``, or ``runs``
    `tag`       what the run is about; characters that a name should not have become ``-``
    `date`      today's by default; a date, or text like ``"2026-02-10"``
    `resume`    an earlier run to go on with: its name, its id (``"2026-02-10_012"``), its number (of today,
                or of `date`), or ``"latest"``. With a `tag`, only runs with that tag are looked at. Writing
                there goes on with the run's timeline. Raises UnknownNameError when there is no such run

    The path is text, because that is what all writers take. Of a job with several processes only one should
    call this, and tell the others.
    """
    chosen = os.fspath(base if base is not None else (settings or load_settings()).runs_dir)
    day = _checked_date(date)
    wanted_tag = sanitized_tag(tag)
    if resume is not None:
        name = _found(chosen, resume, day=day, tag=wanted_tag)
    else:
        name = _reserved(chosen, day, wanted_tag)
    logs = os.path.join(chosen, name, LOGS)
    os.makedirs(logs, exist_ok=True)
    return logs


def sanitized_tag(tag: str) -> str:
    """The tag as part of a directory's name: letters, digits and ``. _ = + -``. Raises BadArgumentError.

    >>> sanitized_tag("../my run: lr=0.1")
    'my-run-lr=0.1'
    """
    if not isinstance(tag, str):
        raise BadArgumentError(f"A tag is text, not {tag!r}")
    clean = re.sub(r"-{2,}", "-", re.sub(r"[^\w.=+-]+", "-", tag)).lstrip(".-").rstrip("-")
    if tag and not clean:
        raise BadArgumentError(f"Nothing of the tag can be part of a directory's name: {tag!r}")
    size_bytes = len(clean.encode("utf-8", "replace"))
    if size_bytes > MAX_TAG_BYTES:
        raise BadArgumentError(
            f"A tag has at most {MAX_TAG_BYTES} bytes; this one has {size_bytes}: {clean[:40]!r}…"
        )
    return clean


# ── new runs ────────────────────────────────────────────────────────────────────────────────────────────


def _reserved(base: str, day: str, tag: str) -> str:
    """Makes the run's directory under the next free number; returns its name."""
    os.makedirs(base, exist_ok=True)
    number = 0
    while True:
        number = max(number, *(run.number for run in _runs(base) if run.date == day), 0) + 1
        run_id = f"{day}_{number:03d}"
        name = f"{run_id}-{tag}" if tag else run_id
        marker = os.path.join(base, f".{run_id}")
        try:
            os.mkdir(marker)
        except FileExistsError:
            continue  # somebody else is at it: the number after it
        try:
            is_free = all(run.id != run_id for run in _runs(base) if not run.name.startswith("."))
            if is_free:
                os.mkdir(os.path.join(base, name))
                return name
        except FileExistsError:
            pass  # a plain file of this name
        finally:
            with suppress(OSError):
                os.rmdir(marker)


def _runs(base: str) -> list[_RunName]:
    """What has a number: runs, and numbers that are being reserved."""
    matches = ((name, _RUN_NAME.fullmatch(name)) for name in os.listdir(base))
    return [_RunName(m[1], int(m[2]), m[3] or "", name) for name, m in matches if m is not None]


def _checked_date(date: datetime.date | str | None) -> str:
    if date is None:
        return datetime.date.today().isoformat()
    if isinstance(date, datetime.datetime):
        date = date.date()
    if isinstance(date, datetime.date):
        return date.isoformat()
    try:
        return datetime.datetime.strptime(date, "%Y-%m-%d").date().isoformat()
    except (ValueError, TypeError):
        raise BadArgumentError(f'A date is written like "2026-02-10", not {date!r}') from None


# ── earlier runs ────────────────────────────────────────────────────────────────────────────────────────


def _found(base: str, resume: str | int, *, day: str, tag: str) -> str:
    """The name of the one run that is meant."""
    try:
        every = [run for run in _runs(base) if not run.name.startswith(".")]
    except FileNotFoundError:
        every = []
    runs = sorted(
        run for run in every if os.path.isdir(os.path.join(base, run.name)) and tag in ("", run.tag)
    )
    text = str(resume)
    if text == LATEST:
        meant = runs[-1:]
    else:
        meant = [run for run in runs if run.name == text] or [run for run in runs if run.id == text]
    if not meant and re.fullmatch(r"\d{1,9}", text):
        meant = [run for run in runs if (run.date, run.number) == (day, int(text))]
    if len(meant) > 1:
        names = ", ".join(run.name for run in meant)
        raise BadArgumentError(f"Several runs could be {text!r}; give the whole name of one: {names}")
    if not meant:
        tagged = f" with tag {tag!r}" if tag else ""
        spellings = dict.fromkeys(spelling for run in reversed(runs) for spelling in (run.name, run.id))
        raise UnknownNameError(f"run{tagged} in {base}", text, list(spellings))
    return meant[0].name
