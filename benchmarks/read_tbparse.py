"""Measured process: tbparse, from a directory to a data frame with run names in long format."""

from __future__ import annotations

import importlib
import sys

from benchmarks.fresh_process import MeasuredRead


def main() -> None:
    path, kind = sys.argv[1:3]
    tbparse = importlib.import_module("tbparse")
    frame_name = f"{kind}s"
    with MeasuredRead() as measured:
        reader = tbparse.SummaryReader(
            path, event_types={frame_name}, extra_columns={"dir_name", "wall_time"}
        )
        frame = getattr(reader, frame_name)
    measured.report(points=len(frame), runs=int(frame["dir_name"].nunique()))


if __name__ == "__main__":
    main()
