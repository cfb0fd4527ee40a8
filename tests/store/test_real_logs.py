"""Logs of real programs through the read API: every item of every kind can be read and decoded."""

from __future__ import annotations

from pathlib import Path

from sightline.model.kinds import Kind
from tests.event_logs import read

LOGS = Path(__file__).resolve().parents[1] / "fixtures" / "logs"
# tests/writer/test_tables.py reads these.
WRITTEN_BY_US_ONLY = {Kind.table, Kind.html, Kind.plotly, Kind.confusion_matrix}


def test_every_item_of_every_real_log_can_be_read() -> None:
    seen: set[Kind] = set()
    for run in read(LOGS).runs():
        for tag, info in run.tags.items():
            for kind in info.kinds:
                seen.add(kind)
                if kind is Kind.scalar:
                    series = run.scalars[tag]
                    assert len(series) + series.superseded_count == len(series.all) == info.count
                    continue
                for item in run.media(kind)[tag].all:
                    assert item.kind is kind
                    assert item.tag == tag
    assert seen == set(Kind) - WRITTEN_BY_US_ONLY
