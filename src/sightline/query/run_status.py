"""Whether a run goes on, has ended, and how.

Only our own writer says how a run ended (its story, docs/format.md). For all others, and for runs that were
killed before they could say anything, the status is concluded from the time of the last write, and said to
be a conclusion: ``is_known`` is False.
"""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from sightline.model.choices import RunStatus
from sightline.query.run_table import RunRow
from sightline.store.runs import RunStore
from sightline.store.story import Story

LIVELY_S = 10.0
"""Who wrote so recently is not called crashed, even if the process is gone: it may have ended well, and what
it wrote last may not be read yet."""

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
    """True only if the process was counted where we are counted, and nobody has its number any more.

    A container may have the machine's name and yet numbers of its own, so the name alone proves nothing. What
    does is the same boot of the same kernel and the same PID namespace.
    """
    host = story.facts.get("host")
    process_id = story.facts.get("pid")
    if not isinstance(host, dict) or not isinstance(process_id, int):
        return False
    name, table = host.get("name"), (host.get("boot_id"), host.get("pid_namespace"))
    is_here = isinstance(name, str) and name in _own_names() and table == _own_process_table()
    return is_here and None not in table and not _is_process_there(process_id)


@lru_cache(maxsize=1)
def _own_process_table() -> tuple[str | None, int | None]:
    """(boot id, PID namespace) as our writer records them; None for what the system does not tell."""
    boot_id = namespace = None
    with suppress(OSError):
        boot_id = (
            Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii", errors="replace").strip()
        )
    with suppress(OSError):
        namespace = os.stat("/proc/self/ns/pid").st_ino
    return boot_id or None, namespace


@lru_cache(maxsize=1)
def _own_names() -> frozenset[str]:
    return frozenset({socket.gethostname(), os.uname().nodename if hasattr(os, "uname") else ""}) - {""}


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
