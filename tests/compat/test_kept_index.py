"""The persisted index: what comes out of it equals what the files say, whatever happened meanwhile."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from sightline import _core
from tests.compat.comparison import assert_log_is_read_right, scanned, write_log
from tests.compat.test_changing_files import set_later
from tests.compat.test_real_logs import LOGS, NAMES
from tests.fixtures import damage, tensors, unusual
from tests.fixtures import event_bytes as eb


def kept(log: Path, cache: Path) -> None:
    """Read a log and keep what was read."""
    cache.mkdir(exist_ok=True)
    scanned(log).save_cache(str(cache))


def warm(log: Path, cache: Path) -> _core.Index:
    index = _core.Index(threads=2)
    index.add_root(str(log))
    index.load_cache(str(cache))
    index.scan()
    return index


@pytest.mark.parametrize("name", NAMES)
def test_a_kept_real_log_equals_the_oracle(name: str, tmp_path: Path) -> None:
    kept(LOGS / name, tmp_path)
    assert_log_is_read_right(LOGS / name, warm(LOGS / name, tmp_path))


def test_every_damaged_or_unusual_file_comes_out_of_the_cache_as_it_went_in(tmp_path: Path) -> None:
    log, cache = tmp_path / "log", tmp_path / "cache"
    for case in damage.all_cases():
        write_log(log, case.data, run=case.name)
    for make in unusual.FAMILIES + tensors.FAMILIES:
        write_log(log, make(), run=make.__name__)
    kept(log, cache)
    assert_log_is_read_right(log, warm(log, cache))


BASE = b"".join([eb.file_version(), *eb.scalars(range(40)), eb.text_record(b"note", b"words")])


def _append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"".join(eb.scalars(range(40, 60))))


CHANGES: dict[str, Callable[[Path], object]] = {
    "appended": _append,
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-7]),
    "emptied": lambda path: path.write_bytes(b""),
    "replaced_by_shorter": lambda path: path.write_bytes(b"".join(eb.scalars(range(100, 110)))),
    "replaced_by_longer": lambda path: path.write_bytes(b"".join(eb.scalars(range(100, 190)))),
    "other_beginning_same_length": lambda path: path.write_bytes(
        path.read_bytes().replace(eb.scalar(0), eb.scalar(0, 99.0))
    ),
    "other_end_same_length": lambda path: path.write_bytes(
        path.read_bytes().replace(eb.text_record(b"note", b"words"), eb.text_record(b"note", b"other"))
    ),
    "deleted": lambda path: path.unlink(),
    "renamed": lambda path: path.rename(path.with_name("events.out.tfevents.0.host")),
    "second_file": lambda path: write_log(path.parents[1], BASE, name="events.out.tfevents.2.host"),
    "second_run": lambda path: write_log(path.parents[1], BASE, run="another"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_log_that_changed_since_it_was_kept_is_read_as_it_is_now(change: str, tmp_path: Path) -> None:
    log, cache = tmp_path / "log", tmp_path / "cache"
    path = write_log(log, BASE)
    write_log(log, BASE, run="unchanged")
    kept(log, cache)
    CHANGES[change](path)
    if path.exists():
        set_later(path)
    assert_log_is_read_right(log, warm(log, cache))


def test_a_damaged_cache_costs_time_and_never_a_value(tmp_path: Path) -> None:
    log, cache = tmp_path / "log", tmp_path / "cache"
    write_log(log, BASE)
    write_log(log, unusual.starts_between_rows() + unusual.metadata_rules(), run="other")
    kept(log, cache)
    noise = random.Random(4)
    packs = sorted(path.relative_to(cache) for path in cache.rglob("*") if path.is_file())
    assert packs
    for round_number in range(150):
        broken = tmp_path / f"broken-{round_number}"
        shutil.copytree(cache, broken)
        path = broken / noise.choice(packs)
        data = bytearray(path.read_bytes())
        place = noise.randrange(len(data))
        if round_number % 5 == 0:
            del data[place:]
        else:
            data[place] ^= 1 << noise.randrange(8)
        path.write_bytes(data)
        assert_log_is_read_right(log, warm(log, broken))
        shutil.rmtree(broken)
