"""``sightline inspect --watch``: a line for every series that grows, until Ctrl+C.

Only runs that changed are looked at again, so following 10,000 runs costs no more than following one.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator

from sightline.cli.quantities import count_text, time_text
from sightline.log import Log
from sightline.model.errors import UnknownNameError
from sightline.model.reports import Change, quoted
from sightline.query.inspection import summarize_run

_SIGNAL_INTERVAL_S = 0.5
"""A signal that comes just before a wait without end begins is not noticed until it ends."""


def watch(log: Log, *, has_run: Callable[[str], bool], has_tag: Callable[[str], bool]) -> None:
    """Print changes until interrupted."""
    changes: queue.SimpleQueue[Change] = queue.SimpleQueue()
    unsubscribe = log.on_change(changes.put)
    try:
        print(f"Watching {count_text(sum(map(has_run, log.runs)), 'run')}; Ctrl+C ends", flush=True)
        while True:
            try:
                change = changes.get(timeout=_SIGNAL_INTERVAL_S)
            except queue.Empty:
                continue
            if has_run(change.run):
                for words in change_lines(log, change, has_tag):
                    print(f"{time_text(time.time())}  {quoted(change.run)}  {words}", flush=True)
    finally:
        unsubscribe()


def change_lines(log: Log, change: Change, has_tag: Callable[[str], bool]) -> Iterator[str]:
    """What happened to a run: each of its series that grew, and how far it is."""
    try:
        summary = summarize_run(log[change.run], has_tag=has_tag)
    except UnknownNameError:
        yield "removed"
        return
    if change.is_reset:
        yield "a file was replaced or removed"
    changed = set(change.tags)
    for series in summary.series:
        if series.tag in changed:
            yield f"{quoted(series.tag)}  {count_text(series.points, 'point')}, step {series.last_step:,}"
