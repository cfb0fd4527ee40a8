"""Whether a run goes on, has ended, and how.

Only our own writer says how a run ended (its story, docs/format.md). For all others, and for runs that were
killed before they could say anything, the status is concluded from the time of the last write, and said to
be a conclusion: ``is_known`` is False.
"""

from __future__ import annotations

import os
import platform
import socket
import sys
from functools import lru_cache
from typing import Literal

from sightline.query.run_table import RunRow
from sightline.store.runs import RunStore
from sightline.store.story import Story

RunStatus = Literal["running", "finished", "crashed", "interrupted", "stalled"]

LIVELY_S = 10.0
"""Who wrote so recently is alive, even if no process of that number is to be found: it may run in a container
that has numbers of its own."""

SHORTEST_SILENCE_S = 60.0
"""Nobody is called silent sooner: writers buffer, clocks of machines differ."""

LONGEST_SILENCE_S = 30 * 60.0
"""Who writes less often is called stalled all the same: better that than a dead job shown as running."""

GAPS_OF_SILENCE = 5.0
"""Of the run's usual gap between writes, until it counts as silent."""

STALLED_FOR_S = 24 * 3600.0
"""A run that has been silent for longer is taken as finished: nobody waits for it any more."""


def status_of(row: RunRow, story: Story | None, now_s: float) -> tuple[RunStatus, bool]:
    """(status, is_known). ``now_s`` is wall time; ``story`` is what ``story_of`` says."""
    if story is not None and story.status != "unfinished":
        return story.status, True
    last_seen_s = max(row.last_seen_s or 0.0, story.last_seen if story is not None else 0.0)
    silence_s = now_s - last_seen_s
    if story is not None and silence_s > LIVELY_S and _is_process_gone(story):
        return "crashed", True
    if silence_s <= silence_allowed_s(row.usual_gap_s):
        return "running", False
    return ("stalled" if silence_s <= STALLED_FOR_S else "finished"), False


def silence_allowed_s(usual_gap_s: float | None) -> float:
    """How long a run that goes on may write nothing."""
    wanted_s = GAPS_OF_SILENCE * (usual_gap_s or 0.0)
    return min(max(SHORTEST_SILENCE_S, wanted_s), LONGEST_SILENCE_S)


def story_of(store: RunStore, row: RunRow) -> Story | None:
    """The story of the run's last start, read from its files; None when its writer did not tell.

    Costs a few reads for runs of our own writer and nothing for all others. It changes only when
    ``row.revision`` does: who asks often keeps it by (name, revision).
    """
    if not row.is_ours:
        return None
    run = store.get(row.name)
    return None if run is None else run.story


def _is_process_gone(story: Story) -> bool:
    """True only if the process ran on this machine and is not there any more."""
    host = story.facts.get("host")
    name = host.get("name") if isinstance(host, dict) else None
    process_id = story.facts.get("pid")
    if not isinstance(process_id, int) or not isinstance(name, str) or name not in _own_names():
        return False
    return not _is_process_there(process_id)


@lru_cache(maxsize=1)
def _own_names() -> frozenset[str]:
    return frozenset({socket.gethostname(), platform.node()}) - {""}


def _is_process_there(process_id: int) -> bool:
    if process_id <= 0 or sys.platform == "win32":  # there, asking would end the process
        return True
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # it is there and not ours, or there is no telling
    return True
