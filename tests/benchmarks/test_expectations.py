"""The benchmark's own check notices lost, swapped and changed points."""

from __future__ import annotations

from pathlib import Path

import google_crc32c
import numpy as np

from benchmarks.expectations import Expectations, column_checksum, differences, expected_of
from benchmarks.logdirs import LogDirectory
from benchmarks.records import file_version_record, framed, points_of_file, scalar_record


def _directory_with(tmp_path: Path, records: bytes) -> LogDirectory:
    run = tmp_path / "data" / "run_00000"
    run.mkdir(parents=True)
    (run / "events.out.tfevents.1750000000.bench.1.0").write_bytes(
        file_version_record(wall_time=1.0) + records
    )
    return LogDirectory(
        name="T",
        path=tmp_path / "data",
        kind="scalar",
        runs=1,
        tags_per_run=1,
        points=3,
        events=4,
        size_bytes=0,
        last_step=2,
    )


def _three_records() -> bytes:
    return b"".join(scalar_record("a", step=s, wall_time=2.0 + s, value=s / 4) for s in range(3))


def test_written_records_are_decoded_again(tmp_path: Path) -> None:
    directory = _directory_with(tmp_path, _three_records())
    (file,) = directory.event_files()
    assert [(p.tag, p.step, p.wall_time, p.value) for p in points_of_file(file)] == [
        ("a", 0, 2.0, 0.0),
        ("a", 1, 3.0, 0.25),
        ("a", 2, 4.0, 0.5),
    ]


def test_record_checksums_are_masked_crc32c() -> None:
    crc = google_crc32c.value(b"payload")
    masked = ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
    assert framed(b"payload")[-4:] == masked.to_bytes(4, "little")


def test_expected_facts_are_kept_beside_the_data(tmp_path: Path) -> None:
    directory = _directory_with(tmp_path, _three_records())
    expected = expected_of(directory)
    assert expected["run_00000"]["a"]["count"] == 3
    assert expected["run_00000"]["a"]["value"] == column_checksum(np.array([0.0, 0.25, 0.5]))
    assert (tmp_path / "data.expected.json").is_file()
    assert expected_of(directory) == expected


def test_checksum_changes_with_order_and_with_one_bit() -> None:
    column = np.array([1.0, 2.0, 3.0])
    assert column_checksum(column) != column_checksum(column[[1, 0, 2]])
    assert column_checksum(column) != column_checksum(np.array([1.0, 2.0, np.nextafter(3.0, 4.0)]))


def test_differences_name_run_tag_and_fact() -> None:
    expected: Expectations = {"run": {"tag": {"count": 3, "value": 7}}}
    assert differences(expected, {"run": {"tag": {"count": 3, "value": 7}}}) == []
    assert differences(expected, {"run": {"tag": {"count": 2, "value": 7}}}) == [
        "run tag count: expected 3, found 2"
    ]
    assert len(differences(expected, {})) == 2
