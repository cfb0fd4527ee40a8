"""What the reader tells about its work, as plain data: progress, damage, changes, tags and files.

These are facts for programs first; ``Damage`` is also a line for people. All are immutable, so they can be
handed between threads and kept.
"""

from __future__ import annotations

from dataclasses import dataclass

from sightline.model.kinds import Kind


@dataclass(frozen=True)
class Progress:
    """How much of the log has been read."""

    files_done: int
    files_total: int
    bytes_done: int
    bytes_total: int
    is_done: bool

    @property
    def fraction(self) -> float:
        """Between 0 and 1, by bytes. A log without any bytes is as done as it can be."""
        if self.is_done or self.bytes_total <= 0:
            return 1.0 if self.is_done else 0.0
        return min(1.0, self.bytes_done / self.bytes_total)


@dataclass(frozen=True)
class Damage:
    """One place in a file that could not be used. ``str()`` gives one line: what, where, what was done."""

    run: str
    path: str
    offset: int
    length: int
    reason: str

    def __str__(self) -> str:
        reason = one_line(self.reason) or "damaged data"
        done = f"skipped {self.length:,} bytes and went on" if self.length > 0 else "went on without it"
        return (
            f"{reason[:1].upper()}{reason[1:]} at byte {self.offset:,} of run {quoted(self.run)}: "
            f"{done}: {one_line(self.path)}"
        )


@dataclass(frozen=True)
class Change:
    """What is new in one run since the last report."""

    run: str
    tags: tuple[str, ...] = ()
    is_removed: bool = False
    is_reset: bool = False
    has_new_series: bool = False
    """The run got something that it did not have: a tag, or a tag in another form. Also true for a run that
    is new or was reset. While it is false, a list of tags made earlier is still right."""


@dataclass(frozen=True)
class TagInfo:
    """One tag of a run. A tag that was used for different things has several kinds; ``kind`` is the first."""

    kind: Kind
    kinds: tuple[Kind, ...]
    plugin: str
    count: int
    display_name: str = ""
    description: str = ""


@dataclass(frozen=True)
class FileFacts:
    """One event file of a run: how much was read, and what was wrong with it."""

    path: str
    name: str
    size_bytes: int
    read_bytes: int
    record_count: int
    first_wall_time: float
    last_wall_time: float
    file_version: str = ""
    source_writer: str = ""
    is_stream: bool = False
    starts: tuple[tuple[int, float], ...] = ()
    """(step, wall time) of every session start."""
    damage: tuple[Damage, ...] = ()
    """The first damaged places; ``damage_count`` counts all of them."""
    damage_count: int = 0
    skipped_bytes: int = 0
    torn_bytes: int = 0
    """Bytes of an unfinished record at the end: a writer may still be busy, so this is not damage."""
    error: str = ""
    """Why the file could not be opened or read; empty when it could."""


def one_line(text: str) -> str:
    """The text with everything that would break or corrupt a terminal line written as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def quoted(name: str) -> str:
    """The name as it is when it is plain, quoted when it is empty or could be misread."""
    is_plain = name != "" and all(c.isprintable() and not c.isspace() for c in name)
    return name if is_plain else repr(name)
