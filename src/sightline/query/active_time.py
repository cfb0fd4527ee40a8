"""Time that a run was at work: wall time without the pauses between its restarts.

        written   ├── session 1 ──┤      pause      ├── session 2 ──┤
        active    ├── session 1 ──┼── session 2 ──┤

What a session computed and a restart threw away was work too, and counts. A run has one clock: its pauses
are those of all its tags together, so that its lines stay aligned with each other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sightline.store.sessions import Session

Floats = NDArray[np.float64]


def active_time_s(wall: Floats, first_wall_s: float, sessions: Sequence[Session]) -> Floats:
    """Seconds since ``first_wall_s`` without the pauses; inside a pause the clock stands still.

    ``sessions`` are those of ``store.run.sessions_of``; with fewer than two it is relative time.
    """
    if len(sessions) < 2:
        return wall - first_wall_s
    begins, ends = np.array(sessions, np.float64).T
    paused = np.concatenate([[0.0], np.cumsum(begins[1:] - ends[:-1])])
    return _without_pauses(wall, begins, ends, paused) - float(
        _without_pauses(np.array([first_wall_s]), begins, ends, paused)[0]
    )


def _without_pauses(wall: Floats, begins: Floats, ends: Floats, paused: Floats) -> Floats:
    """Wall times on a clock that is stopped between the sessions."""
    # Before the first session and behind the last the clock runs: there is no pause to be known of.
    session = np.maximum(np.searchsorted(begins, wall, side="right") - 1, 0)
    is_last = session == len(begins) - 1
    stopped: Floats = np.where(is_last, wall, np.minimum(wall, ends[session])) - paused[session]
    return stopped
