"""Read the scalars of a log directory into one pandas table and show how the runs ended.

    python examples/read_to_dataframe.py build/demo-logs --tag 'val/.*'

Needs pandas: pip install "sightline[pandas]"
"""

from __future__ import annotations

import argparse

import sightline


def main() -> None:
    parser = argparse.ArgumentParser(description="Show the last value of each scalar, a row per run.")
    parser.add_argument("logdir")
    parser.add_argument("--tag", default="", help="regular expression; default: all tags")
    arguments = parser.parse_args()

    # Nothing is going to be watched here, so the log is read once and closed.
    with sightline.open(arguments.logdir, watch=False) as log:
        points = log.wait().scalars(tag=arguments.tag).to_pandas()

    last = points.groupby(["run", "tag"], observed=True)["value"].last().unstack("tag")
    print(f"{len(points):,} points")
    print(last.to_string())


if __name__ == "__main__":
    main()
