"""Write the demo logs that the guides show: eight runs of a made-up image classifier.

    python examples/make_demo.py build/demo-logs

They are part of what ``sightline demo`` shows. Here they get times of January 2026, so that the same bytes
come out every time and a second call rewrites the same files; nothing else in the target is touched.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sightline.demo.classifier import RUN_COUNT, write_classifier_runs


def main() -> int:
    parser = argparse.ArgumentParser(description="Write a demo log directory.")
    parser.add_argument("directory", type=Path, help="where to; made if missing, nothing in it is deleted")
    directory = parser.parse_args().directory
    try:
        write_classifier_runs(directory)
    except OSError as error:
        print(f"Cannot write the demo logs: {error.strerror}: {error.filename}", file=sys.stderr)
        return 1
    print(f"Wrote {RUN_COUNT} runs to {directory}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
