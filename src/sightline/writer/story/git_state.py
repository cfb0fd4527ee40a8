"""What git knows about the code that runs: commit, branch, uncommitted changes. Asks the ``git`` program.

Training must not notice. So no question is asked of the network or the terminal, and of no program that the
configuration of a repository names, but for clean filters of changed files, without which git cannot compare
(``git status`` runs them, too); no lock is taken; the answer is read up to a bound and a moment, then git is
ended. A machine without git, a directory without a repository, an answer that does not come: nothing is
known.
"""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import time
from contextlib import suppress
from typing import NamedTuple

# Together, for everything the story asks. A repository answers in milliseconds; a large one on a network disk
# may take longer than anyone wants to wait at the end of a short program.
STORY_TIMEOUT_S = 4.0

_MOST_TEXT_BYTES = 8 << 20
_PIECE_BYTES = 1 << 16

_OPTIONS = (
    *("-c", "core.fsmonitor=false"),  # would start a program
    *("-c", "core.quotePath=false"),  # names as they are
    *("-c", "core.pager=cat"),
    *("-c", "diff.ignoreSubmodules=dirty"),  # looking into them may take minutes
    "--no-replace-objects",
)
_DIFF = ("diff", "HEAD", "--no-ext-diff", "--no-textconv", "--no-color")


class CodeChanges(NamedTuple):
    """What is not committed, as text."""

    commit: str
    diff: str
    untracked: str
    """Names of files that git does not know, one a line."""
    is_cut: bool
    """More was there than was asked for."""


def git_state(directory: str, *, timeout_s: float = STORY_TIMEOUT_S) -> dict[str, object] | None:
    """Facts about the repository around a directory; what is not known is left out. None outside of one."""
    git = _Git(directory, timeout_s).at_root()
    if git is None:
        return None
    state: dict[str, object] = {"root": git.directory}
    status = git.text("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal")
    if status is not None:
        state |= _facts_of_status(status)
    if "commit" in state and state.get("is_dirty"):
        counts = git.text(*_DIFF, "--shortstat")
        if counts is not None:
            found = {word: int(number) for number, word in re.findall(r"(\d+) (file|ins|del)", counts)}
            named = {"files": "file", "insertions": "ins", "deletions": "del"}
            state["diff"] = {name: found.get(word, 0) for name, word in named.items()}
    remote = git.text("config", "--get", "remote.origin.url")
    if remote:
        state["remote"] = without_credentials(remote.strip())
    return state


def code_changes(directory: str, *, max_bytes: int, timeout_s: float = 60.0) -> CodeChanges | None:
    """The difference to the last commit; None without a repository, a commit, or an answer in time."""
    git = _Git(directory, timeout_s).at_root()
    commit = git.text("rev-parse", "--verify", "HEAD") if git is not None else None
    if git is None or commit is None:
        return None
    diff = git.output(*_DIFF, max_bytes=max_bytes + 1)
    names = git.output("ls-files", "--others", "--exclude-standard", "--directory", max_bytes=max_bytes + 1)
    if diff is None or names is None:
        return None
    room = max(0, max_bytes - len(diff))
    return CodeChanges(
        commit=commit.strip(),
        diff=_whole_lines(diff, max_bytes),
        untracked=_whole_lines(names, room),
        is_cut=len(diff) > max_bytes or len(names) > room,
    )


def without_credentials(url: str) -> str:
    """The address of a repository without user and password; ``git@host:path`` is an address and stays."""
    return re.sub(r"^([a-z][a-z0-9+.-]*://)[^/@]*@", r"\1", url, flags=re.IGNORECASE)


def _facts_of_status(status: str) -> dict[str, object]:
    facts: dict[str, object] = {}
    changed = untracked = 0
    entries = iter(status.split("\0"))
    for entry in entries:
        kind, _, rest = entry.partition(" ")
        if kind == "#":
            name, _, value = rest.partition(" ")
            if name == "branch.oid" and value != "(initial)":
                facts["commit"] = value
            elif name == "branch.head" and value != "(detached)":
                facts["branch"] = value
        elif kind == "?":
            untracked += 1
        elif kind in ("1", "2", "u"):
            changed += 1
            if kind == "2":
                next(entries, None)  # the name before it was renamed
    return {**facts, "is_dirty": changed > 0, "untracked": untracked}


def _whole_lines(data: bytes, max_bytes: int) -> str:
    if len(data) > max_bytes:
        data = data[: data.rfind(b"\n", 0, max_bytes) + 1]
    return data.decode("utf-8", "replace")


class _Git:
    """Asks git about one directory, with one deadline for all questions."""

    def __init__(self, directory: str, timeout_s: float) -> None:
        self.directory = directory
        self._deadline_s = time.monotonic() + timeout_s

    def at_root(self) -> _Git | None:
        """The same for the whole repository, wherever in it the program was started; None outside of one."""
        root = self.text("rev-parse", "--show-toplevel")
        return None if not root else _Git(root.rstrip("\n"), self.time_left_s())

    def time_left_s(self) -> float:
        return self._deadline_s - time.monotonic()

    def text(self, *arguments: str) -> str | None:
        data = self.output(*arguments, max_bytes=_MOST_TEXT_BYTES)
        return None if data is None else data.decode("utf-8", "replace")

    def output(self, *arguments: str, max_bytes: int) -> bytes | None:
        """What git prints, cut at the bound; None when it fails or does not finish in time."""
        try:
            process = subprocess.Popen(
                ["git", *_OPTIONS, *arguments],
                cwd=self.directory,
                env=_quiet_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # no terminal to ask at, and Ctrl+C is not for it
            )
        except OSError:
            return None
        assert process.stdout is not None
        try:
            output, is_cut = self._read(process.stdout.fileno(), max_bytes)
            is_good = is_cut or process.wait(max(0.0, self.time_left_s())) == 0
            return output if is_good else None
        except (TimeoutError, subprocess.TimeoutExpired):
            return None
        finally:
            process.stdout.close()
            _end(process)

    def _read(self, descriptor: int, max_bytes: int) -> tuple[bytes, bool]:
        """The output, and whether it was cut. Raises TimeoutError."""
        poll = select.poll()
        poll.register(descriptor, select.POLLIN | select.POLLHUP)
        output = bytearray()
        while len(output) < max_bytes:
            left_ms = self.time_left_s() * 1000
            if left_ms <= 0 or not poll.poll(left_ms):
                raise TimeoutError
            piece = os.read(descriptor, _PIECE_BYTES)
            if not piece:
                return bytes(output), False
            output += piece
        return bytes(output[:max_bytes]), True


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        with suppress(OSError):  # gone this moment
            os.killpg(process.pid, signal.SIGKILL)
        # Not for ever: a process that waits for a dead network disk cannot be ended.
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.5)


def _quiet_environment() -> dict[str, str]:
    # Inside a hook GIT_DIR and the like are set: git would answer for another repository.
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(("GIT_CONFIG", "GIT_EXEC_PATH", "GIT_CEILING"))
    }
    return {
        **inherited,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "LC_ALL": "C",
    }
