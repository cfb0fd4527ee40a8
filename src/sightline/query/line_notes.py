"""What is to be said about lines: counted while runs are read, put into few sentences in the end.

Ten thousand runs that lack a tag are one note with a number, not ten thousand notes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

_LONGEST_NAME = 120


@dataclass(frozen=True, slots=True)
class LineNote:
    """What went differently than asked."""

    run: str | None
    """None: about all runs."""
    is_error: bool
    """There is no line because of it."""
    text: str


def quoted(name: str) -> str:
    """A name in a sentence. Tags of a megabyte do exist."""
    return f"`{name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME] + '…'}`"


class NoteBook:
    """What happened to which runs."""

    def __init__(self) -> None:
        self.asked = 0
        self.made = 0
        """Runs that have a line."""
        self._failure = ""
        self._runs: defaultdict[str, list[str]] = defaultdict(list)
        """Runs without a line, by what is to be said of them."""
        self._points: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        """Points of each run to which something happened, by (what, why)."""

    def fail(self, text: str) -> None:
        """No run can have a line."""
        self._failure = text

    def miss(self, run: str, tag: str) -> None:
        """The run does not have the tag."""
        self._runs[f"no {quoted(tag)}"].append(run)

    def share_nothing(self, run: str, names: Sequence[str]) -> None:
        """These have no step in common in the run."""
        listed = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
        self._runs[f"{listed} share no stretch of steps"].append(run)

    def too_short(self, run: str) -> None:
        self._runs["too few points for the formula"].append(run)

    def trouble(self, counts: Mapping[str, int]) -> None:
        """Points of one run that are not finite, by reason."""
        for reason, count in counts.items():
            if count:
                self._points["not finite", reason].append(count)

    def leave_out(self, count: int, reason: str) -> None:
        """Points of one run that have no x."""
        if count:
            self._points["left out", reason].append(count)

    def notes(self) -> list[LineNote]:
        if self._failure:
            return [LineNote(None, True, self._failure)]
        found = []
        for text, runs in self._runs.items():
            # An error when it leaves nothing to draw; about one run when there are others.
            run = runs[0] if len(runs) == 1 < self.asked else None
            found.append(LineNote(run, not self.made, f"{text}: {self._share(len(runs))}"))
        for (what, reason), counts in self._points.items():
            where = f" in {_number(len(counts), 'run')}" if self.asked > 1 else ""
            text = f"{_number(sum(counts), 'point')}{where} {what}: {reason}"
            found.append(LineNote(None, False, text))
        return [replace(note, text=note.text[:1].upper() + note.text[1:]) for note in found]

    def _share(self, count: int) -> str:
        if self.asked == 1:
            return "no line for this run"
        if count == self.asked:
            return "no line for any of these runs"
        return f"no line for {count:,} of {_number(self.asked, 'run')}"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
