#!/usr/bin/env python3
"""Write the damage corpus of the tests as files, one run per case: to look at, or to seed a fuzzer.

python scripts/make_damage_corpus.py build/damage        # a log directory with one run per case
python scripts/make_damage_corpus.py --flat build/seeds  # one file per case, named by the case
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.fixtures import damage, tensors, unusual
from tests.fixtures.event_bytes import FILE_NAME


def corpus() -> dict[str, bytes]:
    """Every damaged and unusual file by name."""
    files = {case.name: case.data for case in damage.all_cases()}
    files |= {make.__name__: make() for make in (*unusual.FAMILIES, *tensors.FAMILIES)}
    return files


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--flat", action="store_true", help="files directly in OUT, named by their case")
    parser.add_argument(
        "--max-bytes", type=int, default=None, help="leave out larger files (fuzzers like small ones)"
    )
    options = parser.parse_args()
    count = 0
    for name, data in corpus().items():
        if options.max_bytes is not None and len(data) > options.max_bytes:
            continue
        path = options.out / name if options.flat else options.out / name / FILE_NAME
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        count += 1
    print(f"{count} files in {options.out}")


if __name__ == "__main__":
    main()
