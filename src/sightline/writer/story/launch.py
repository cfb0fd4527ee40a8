"""The moment a run starts: what a program may change later, and so must be asked at once. Cheap."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple


class Launch(NamedTuple):
    arguments: Sequence[str]
    """The command line, with the interpreter."""
    directory: str
    """The current one; empty when it was removed."""
    pid: int
    wall_time: float
    script: str = ""
    """Absolute; empty in a notebook."""

    @classmethod
    def now(cls) -> Launch:
        directory = ""
        with suppress(OSError):
            directory = os.getcwd()
        return cls(list(sys.orig_argv), directory, os.getpid(), time.time(), _script())

    def code_directories(self) -> list[str]:
        """Where the code of the run may lie, the likelier place first."""
        places = [os.path.dirname(self.script) if self.script else "", self.directory]
        return [place for place in dict.fromkeys(places) if place]


def _script() -> str:
    main_file = getattr(sys.modules.get("__main__"), "__file__", None)
    if not isinstance(main_file, str) or not os.path.isfile(main_file):  # a notebook, or `python -`
        return ""
    return os.path.abspath(main_file)
