"""The writing benchmark: its loop logs what its check expects, the check notices faults, tables are made."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from benchmarks import write_process, write_report
from benchmarks.records import file_version_record, scalar_record
from benchmarks.write_bars import bars_table
from benchmarks.write_check import WrongPointsError, check
from benchmarks.write_loop import TAGS, VALUES_PER_UNIT, row_of
from benchmarks.write_process import FLOOR, MODULES, PEERS, SIGHTLINE, TORCH, TRACKIO
from benchmarks.write_results import Results
from benchmarks.writing import ALL_TASKS, QUICK, Sizes, measure_once, measure_round

TINY = Sizes(
    calls=60,
    paced_calls=3,
    logs=3,
    sustained=dict.fromkeys(MODULES, 100),
    longest=dict.fromkeys((SIGHTLINE, FLOOR), 100),
    elements=(1_000,),
    histograms=1,
)


def _records(points: range) -> list[bytes]:
    width = len(TAGS)
    return [
        scalar_record(TAGS[k % width], step=k // width, wall_time=1.0 + k, value=k / VALUES_PER_UNIT)
        for k in points
    ]


def _write(directory: Path, records: list[bytes]) -> None:
    content = file_version_record(wall_time=1.0) + b"".join(records)
    (directory / "events.out.tfevents.1750000000.bench.1.0").write_bytes(content)


def test_check_counts_points_and_their_bytes(tmp_path: Path) -> None:
    records = _records(range(50))
    _write(tmp_path, records)
    written = check(tmp_path, expected=50)
    assert written.points == 50
    assert written.point_bytes == len(b"".join(records))
    assert written.other_bytes == len(file_version_record(wall_time=1.0))


@pytest.mark.parametrize(
    "points",
    [[*range(50), 49], [*range(20), *range(21, 50)], [1, 0, *range(2, 50)], list(range(49))],
    ids=["doubled", "lost", "swapped", "unfinished"],
)
def test_check_notices_points_that_are(points: list[int], tmp_path: Path) -> None:
    records = _records(range(50))
    _write(tmp_path, [records[k] for k in points])
    with pytest.raises(WrongPointsError):
        check(tmp_path, expected=50)


def test_check_notices_a_flipped_bit_in_a_wall_time(tmp_path: Path) -> None:
    records = _records(range(3))
    changed = bytearray(records[1])
    changed[14] ^= 1
    _write(tmp_path, [records[0], bytes(changed), records[2]])
    with pytest.raises(WrongPointsError, match="checksum"):
        check(tmp_path, expected=3)


def test_record_cut_by_a_kill_ends_the_readable_points(tmp_path: Path) -> None:
    records = _records(range(10))
    _write(tmp_path, [*records[:7], records[7][:-3]])
    assert check(tmp_path, expected=10, may_be_cut=True).points == 7
    with pytest.raises(WrongPointsError, match="not finished"):
        check(tmp_path, expected=10)


def test_check_reads_a_database_of_dicts(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "bench.db")
    connection.execute("CREATE TABLE metrics (id INTEGER PRIMARY KEY, step INTEGER, metrics TEXT)")
    for step in range(2):
        text = str(row_of(step)).replace("'", '"')
        connection.execute("INSERT INTO metrics (step, metrics) VALUES (?, ?)", (step, text))
    connection.commit()
    connection.close()
    assert check(tmp_path, expected=40).points == 40


def test_a_round_of_real_processes_fills_every_table() -> None:
    results, tasks = Results(), [task for task in ALL_TASKS if task not in ("killed", "overhead")]
    writers = [SIGHTLINE, FLOOR]
    measure_round(results, sizes=TINY, tasks=tasks, writers=writers, number=0, rounds=1)
    measure_once(results, sizes=TINY, tasks=tasks, writers=writers)
    assert results.writers("calls none") == writers
    assert results.answers("logs working", SIGHTLINE)[0]["points"] == 3 * len(TAGS)
    text = write_report.full_report(results, rounds=1)
    titles = [line for line in text.splitlines() if line.startswith("## ")]
    assert len(titles) == 9
    assert all(f"| {writer}" in text for writer in writers)


@pytest.mark.parametrize("writer", PEERS)
def test_peer_is_measured_and_what_it_wrote_is_read_back(writer: str) -> None:
    if missing := write_process.missing_packages(writer):
        pytest.skip(f"not installed: {', '.join(missing)}")
    answer = write_process.measure_writer(writer, "calls", count=25, pace="none")
    assert answer["points"] == 25
    assert answer["point_bytes"] > 25 * len(TAGS[0])
    assert 0 < answer["median_s"] <= answer["p99_s"] <= answer["max_s"]


def test_killed_writer_leaves_points_that_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_process, "KILL_AFTER_S", 0.0)
    answer = write_process.measure_killed(SIGHTLINE, lead_s=0.0, burst=50)
    assert answer["points"] == 50
    assert answer["share"] == answer["found"] / 50 <= 1


def test_failing_process_is_an_error_with_its_last_words() -> None:
    with pytest.raises(write_process.FailedProcessError, match="invalid literal"):
        write_process.answer_of("write_counting", "many", "1")


def test_bars_say_which_are_met_and_name_the_best_peer() -> None:
    results = Results()
    for writer, median_s in ((SIGHTLINE, 1e-6), (TORCH, 80e-6), (TRACKIO, 9e-6)):
        answer = {"points": 100, "median_s": median_s, "point_bytes": 5_000, "other_bytes": 80}
        results.add("calls none", writer, answer)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in bars_table(results).splitlines()[4:]]
    assert rows == [
        [
            "one `add_scalar`, full speed",
            "1.00 µs",
            "trackio 9.00 µs",
            "9.00×",
            "≤ 1.50 µs met, ≥ 10× MISSED",
        ],
        ["bytes per point", "50.00", "torch 50.00", "1.00×", "not more met"],
    ]


def test_without_measurements_there_are_no_tables() -> None:
    assert write_report.full_report(Results(), rounds=1).count("|") == 0


def test_every_writer_has_a_size_for_every_task() -> None:
    for sizes in (Sizes(), QUICK, TINY):
        assert set(sizes.sustained) == set(MODULES)
        assert set(sizes.longest) <= set(MODULES)
