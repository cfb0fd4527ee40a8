"""What ``inspect`` says at the end: damage, line by line, and the whole log in one line."""

from __future__ import annotations

from collections.abc import Iterator

from sightline.cli.quantities import count_text, duration_text, size_text
from sightline.model.reports import Damage, FileFacts, one_line, quoted
from sightline.query.inspection import RunSummary

_MOST_LINES = 50
"""Damage that is told line by line; a disk full of garbage must not scroll everything else away."""


class Totals:
    """Sums over the runs that were shown."""

    def __init__(self, *, load_s: float) -> None:
        self.load_s = load_s
        self.runs = 0
        self.series = 0
        self.points = 0
        self.superseded = 0
        self.files = 0
        self.size_bytes = 0
        self.damage_count = 0
        self.skipped_bytes = 0
        self.damaged_files = 0
        self.damage: list[Damage] = []
        """The places the core kept details of; ``damage_count`` counts all."""
        self.torn: list[tuple[str, FileFacts]] = []
        """(run, file) where the file ends in an unfinished record."""

    def add(self, run: RunSummary) -> None:
        self.runs += 1
        self.series += len(run.series)
        self.points += run.points
        self.superseded += run.superseded
        self.files += len(run.files)
        self.size_bytes += run.size_bytes
        self.damage_count += run.damage_count
        for file in run.files:
            self.damage.extend(file.damage)
            self.skipped_bytes += file.skipped_bytes
            self.damaged_files += bool(file.damage_count or file.error)
            # The rest of a file that holds no record at all is part of its damage.
            if file.torn_bytes and file.record_count:
                self.torn.append((run.name, file))

    def counted(self, run: RunSummary) -> RunSummary:
        """The run, after it was added."""
        self.add(run)
        return run

    def summary_line(self) -> str:
        damage = "no damage"
        if self.damage_count:
            places = count_text(self.damage_count, "damaged place")
            damage = (
                f"{places} in {count_text(self.damaged_files, 'file')} ({size_text(self.skipped_bytes)} lost)"
            )
        hidden = f" (+{self.superseded:,} superseded)" if self.superseded else ""
        return (
            f"{count_text(self.runs, 'run')}, {count_text(self.series, 'series', 'series')}, "
            f"{count_text(self.points, 'point')}{hidden}, {count_text(self.files, 'file')}, "
            f"{size_text(self.size_bytes)}, read in {duration_text(self.load_s)}, {damage}"
        )

    def superseded_line(self) -> str:
        """What the numbers in brackets mean; empty when there are none."""
        if not self.superseded:
            return ""
        return "(+n): superseded, a restarted job wrote those steps again; hidden, unless asked for"

    def damage_lines(self) -> Iterator[str]:
        """A heading and one line for each damaged place; then files whose last record is unfinished."""
        if self.damage_count:
            yield f"Damage: {count_text(self.damage_count, 'place')}; every other record was read"
            yield from (f"  {damage}" for damage in self.damage[:_MOST_LINES])
            rest = self.damage_count - min(len(self.damage), _MOST_LINES)
            if rest:
                yield f"  … and {count_text(rest, 'more place', 'more places')} (--json has the details)"
            yield ""
        if self.torn:
            yield "Unfinished last record: a writer is at it, or was stopped; it is read when it is complete"
            for run, file in self.torn[:_MOST_LINES]:
                size, begin = count_text(file.torn_bytes, "byte"), file.size_bytes - file.torn_bytes
                yield f"  {size} at byte {begin:,} of run {quoted(run)}: {one_line(file.path)}"
            if len(self.torn) > _MOST_LINES:
                yield f"  … and {count_text(len(self.torn) - _MOST_LINES, 'more file')}"
            yield ""
