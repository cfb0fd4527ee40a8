"""Real and unusual files with random damage: the core must agree with the oracle on every one of them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.compat.comparison import assert_log_is_read_right, scanned, write_log
from tests.compat.test_real_logs import EVENT_FILES, LOGS
from tests.fixtures import event_bytes as eb
from tests.fixtures import unusual

LENGTHS = (0, 1, 10, 50, 200, 1000, 10**5, 2**31 - 1, 2**31, 2**62)
FILES_PER_LOG = 50


def mutated(noise: random.Random, data: bytes) -> bytes:
    """One to five changes at random places; long files are cut down first."""
    start = noise.randrange(max(1, len(data) - 2000))
    changed = bytearray(data[start : start + noise.randrange(100, 3000)] if noise.random() < 0.7 else data)
    for _ in range(noise.choice((1, 1, 1, 2, 3, 5))):
        place = noise.randrange(len(changed) + 1)
        kind = noise.randrange(6)
        if kind == 0 and place < len(changed):
            changed[place] ^= 1 << noise.randrange(8)
        elif kind == 1:
            changed[place:place] = noise.randbytes(noise.choice((1, 2, 5, 12, 16, 50)))
        elif kind == 2:
            del changed[place : place + noise.choice((1, 2, 4, 12, 30, 200))]
        elif kind == 3:
            del changed[place:]
        elif kind == 4:
            changed[place:place] = eb.header(noise.choice(LENGTHS))
        else:
            other = noise.randrange(len(changed) + 1)
            changed[place:place] = changed[other : other + noise.randrange(1, 300)]
    if noise.random() < 0.2:
        return eb.record(bytes(changed[:1000])) + changed
    return bytes(changed)


@pytest.mark.parametrize("seed", range(20))
def test_randomly_damaged_files_are_read_as_the_oracle_reads_them(seed: int, tmp_path: Path) -> None:
    noise = random.Random(seed)
    sources = [(LOGS / name).read_bytes() for name in EVENT_FILES]
    sources += [
        unusual.unknown_fields(),
        unusual.fields_in_any_order(),
        unusual.numbers_in_more_bytes_than_needed(),
    ]
    for number in range(FILES_PER_LOG):
        write_log(tmp_path, mutated(noise, noise.choice(sources)), run=f"{number:02}")
    assert_log_is_read_right(tmp_path, scanned(tmp_path))
