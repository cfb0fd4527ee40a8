"""Where an earlier session of the run stopped, for a resumed one that counts its steps from there.

Only asked when somebody logs without a step in a directory that has event files already. The core reads them;
ten million points take a third of a second, once.
"""

from __future__ import annotations

import os
from contextlib import suppress

from sightline._core import FORM_SCALAR, Index


def largest_step_in(directory: str, *, except_file: str) -> int | None:
    """The largest step of any scalar in the event files of a directory; None without any."""
    names: list[str] = []
    with suppress(OSError):
        names = [name for name in os.listdir(directory) if "tfevents" in name]
    own = os.path.basename(except_file)
    index = Index()
    for name in names:
        if name != own:
            index.add_root(os.path.join(directory, name))
    index.scan()
    steps = [
        int(part.step.max())
        for run in index.run_names()
        for series in index.series(run)
        if series.form == FORM_SCALAR
        for part in index.parts(run, series.tag, FORM_SCALAR)
        if len(part.step)
    ]
    return max(steps, default=None)
