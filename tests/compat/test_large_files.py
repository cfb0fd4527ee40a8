"""Files larger than every buffer: records and damage across block edges, one file read by several threads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import oracle
from tests.compat.comparison import assert_log_is_read_right, assert_run_is_read_right, scanned, write_log
from tests.fixtures import large


@pytest.mark.parametrize("block_bytes", large.BLOCKS_BYTES)
def test_records_across_block_edges_are_read(block_bytes: int, tmp_path: Path) -> None:
    data, _ = large.file_with_records_at_block_edges(block_bytes)
    write_log(tmp_path, data)
    assert_log_is_read_right(tmp_path, scanned(tmp_path))


@pytest.mark.parametrize("block_bytes", large.BLOCKS_BYTES)
@pytest.mark.parametrize("shift", [0, 3, 9, 20])
def test_damage_across_block_edges_costs_only_the_damaged_records(
    block_bytes: int, shift: int, tmp_path: Path
) -> None:
    """A flipped byte in length, length checksum and payload of every other record at an edge."""
    data, offsets = large.file_with_records_at_block_edges(block_bytes)
    write_log(tmp_path, large.with_bytes_flipped(data, [offset + shift for offset in offsets[::2]]))
    index = scanned(tmp_path)
    assert_log_is_read_right(tmp_path, index)
    assert index.files("run")[0].damage_count == len(offsets[::2])


@pytest.mark.parametrize("block_bytes", large.BLOCKS_BYTES)
def test_bytes_changed_at_block_edges_cost_only_the_records_there(block_bytes: int, tmp_path: Path) -> None:
    data, _ = large.file_with_records_at_block_edges(64 << 10)
    edges = range(block_bytes, len(data), block_bytes)
    write_log(
        tmp_path, large.with_bytes_flipped(data, [edge + number % 3 - 1 for number, edge in enumerate(edges)])
    )
    assert_log_is_read_right(tmp_path, scanned(tmp_path))


@pytest.mark.parametrize("count", [1, 11, 5000])
def test_bytes_missing_at_block_edges_cost_only_the_records_there(count: int, tmp_path: Path) -> None:
    data, offsets = large.file_with_records_at_block_edges(256 << 10)
    write_log(
        tmp_path, large.with_bytes_removed(data, [offset + 5 for offset in offsets[7::16]], count=count)
    )
    assert_log_is_read_right(tmp_path, scanned(tmp_path))


@pytest.mark.parametrize("count", [1, 13, 70_000])
def test_noise_at_block_edges_costs_no_record(count: int, tmp_path: Path) -> None:
    data, offsets = large.file_with_records_at_block_edges(4 << 20)
    write_log(tmp_path, large.with_noise_inserted(data, offsets, count=count))
    index = scanned(tmp_path)
    assert_log_is_read_right(tmp_path, index)
    assert index.files("run")[0].record_count == 2 * len(offsets) + 2


@pytest.mark.parametrize("damaged", [False, True])
def test_a_large_file_is_read_the_same_by_one_and_by_several_threads(damaged: bool, tmp_path: Path) -> None:
    data = large.many_small_records(5000)
    assert len(data) > 8 << 20
    if damaged:
        third = len(data) // 3
        data = large.with_bytes_flipped(data, [third, third + 1000, 2 * third, len(data) - 100])
    path = write_log(tmp_path, data)
    expected = {path.name: oracle.decode(data)}
    for threads in (1, 2, 4):
        assert_run_is_read_right(scanned(tmp_path, threads=threads), "run", expected)


def test_an_event_file_inside_a_long_text_is_text(tmp_path: Path) -> None:
    write_log(tmp_path, large.event_file_inside_a_text())
    index = scanned(tmp_path)
    assert_log_is_read_right(tmp_path, index)
    assert [series.tag for series in index.series("run")] == ["loss", "note"]
