"""CSV, JSON Lines and Parquet: exact numbers, odd names, whole files or none."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from sightline.query import export
from sightline.query.export import Format, new_file, write_points
from sightline.query.selection import Selection
from sightline.store.series import ScalarSeries
from tests.event_logs import points, read, write_run
from tests.fixtures import event_bytes as eb

ODD_TAG = 'comma, "quote"\nline 損失'
ODD_VALUES = [0.1, -0.0, math.nan, math.inf, -math.inf, 1e-45, 3.4028234663852886e38]


@pytest.fixture
def selection(tmp_path: Path) -> Selection:
    values = (eb.scalar(step, value, tag=ODD_TAG.encode()) for step, value in enumerate(ODD_VALUES))
    write_run(tmp_path / "logs" / "a", points([-(2**63), 2**63 - 1]), *values)
    return Selection(read(tmp_path / "logs").runs)


def bits(values: object) -> list[int]:
    return np.asarray(values, dtype=np.float64).view(np.int64).tolist()


def assert_same_points(rows: list[tuple[str, str, int, float, float]], selection: Selection) -> None:
    wanted = [
        (series.run, series.tag, step, time, value)
        for series in selection
        for step, time, value in zip(
            series.step.tolist(), series.wall_time.tolist(), series.value.tolist(), strict=True
        )
    ]
    assert [row[:3] for row in rows] == [row[:3] for row in wanted]
    assert bits([row[3] for row in rows]) == bits([row[3] for row in wanted])
    assert bits([row[4] for row in rows]) == bits([row[4] for row in wanted])


def test_csv_reads_back_bit_for_bit(selection: Selection) -> None:
    out = io.StringIO()
    assert write_points(selection, out, format="csv") == 9
    rows = list(csv.reader(io.StringIO(out.getvalue(), newline="")))
    assert rows[0] == ["run", "tag", "step", "wall_time", "value"]
    assert_same_points([(r, t, int(s), float(w), float(v)) for r, t, s, w, v in rows[1:]], selection)


def test_csv_quotes_every_name_that_could_be_misread(tmp_path: Path) -> None:
    tags = ["n\nl", 'q"x', "a,b", "r\r", " space ", ""]
    write_run(tmp_path / "a", *(points([1], tag=tag) for tag in tags))
    out = io.StringIO()
    write_points(Selection(read(tmp_path).runs), out, format="csv")
    rows = list(csv.reader(io.StringIO(out.getvalue(), newline="")))
    assert [row[1] for row in rows[1:]] == tags
    assert {len(row) for row in rows} == {5}


def test_json_lines_read_back_bit_for_bit_and_are_strict_json(selection: Selection) -> None:
    out = io.StringIO()
    write_points(selection, out, format="jsonl")

    def refuse(word: str) -> float:
        raise AssertionError(f"not JSON: {word}")

    rows = [json.loads(line, parse_constant=refuse) for line in out.getvalue().splitlines()]
    assert [row["value"] for row in rows if isinstance(row["value"], str)] == ["NaN", "Infinity", "-Infinity"]
    assert_same_points(
        [(r["run"], r["tag"], r["step"], float(r["wall_time"]), float(r["value"])) for r in rows], selection
    )


def write_file(series: Iterable[ScalarSeries], path: Path, *, format: Format, **options: Any) -> int:
    with new_file(path, is_text=format != "parquet") as out:
        return write_points(series, out, format=format, **options)


def test_parquet_reads_back_bit_for_bit(selection: Selection, tmp_path: Path) -> None:
    path = tmp_path / "out.parquet"
    assert write_file(selection, path, format="parquet") == 9
    table = pq.read_table(path)
    assert table.column_names == ["run", "tag", "step", "wall_time", "value"]
    assert_same_points([tuple(row.values()) for row in table.to_pylist()], selection)


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet"])
def test_series_longer_than_a_piece_are_written_whole(
    format: Format, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "_ROWS_PER_PIECE", 7)
    monkeypatch.setattr(export, "_ROWS_PER_GROUP", 16)
    write_run(tmp_path / "a", points(range(50)), points(range(20), tag="acc"), points(range(3), tag="x"))
    selection = Selection(read(tmp_path).runs)
    told: list[int] = []
    path = tmp_path / "out"
    assert write_file(selection, path, format=format, on_progress=told.append) == sum(told) == 73
    if format == "parquet":
        file = pq.ParquetFile(path)
        assert [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)] == [
            16,
            16,
            16,
            16,
            9,
        ]
        assert file.read().column("step").to_pylist() == [*range(50), *range(20), *range(3)]
    else:
        assert len(path.read_text().splitlines()) == 73 + (format == "csv")


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet"])
def test_nothing_selected_gives_a_valid_empty_file(format: Format, tmp_path: Path) -> None:
    path = tmp_path / "out"
    assert write_file([], path, format=format) == 0
    if format == "parquet":
        assert pq.read_table(path).num_rows == 0
    else:
        assert path.read_text() == ("run,tag,step,wall_time,value\n" if format == "csv" else "")


def test_a_failure_leaves_the_old_file_and_nothing_half_written(selection: Selection, tmp_path: Path) -> None:
    target = tmp_path / "out" / "points.csv"
    target.parent.mkdir()
    target.write_text("old")

    def failing() -> Iterator[ScalarSeries]:
        yield from selection
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_file(failing(), target, format="csv")
    assert target.read_text() == "old"
    assert list(target.parent.iterdir()) == [target]


def test_a_new_file_has_ordinary_permissions(selection: Selection, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    old_mask = os.umask(0o022)
    try:
        write_file(selection, path, format="csv")
    finally:
        os.umask(old_mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_a_link_is_kept_and_its_target_written(selection: Selection, tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    write_file(selection, tmp_path / "link.csv", format="csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text().startswith("run,tag")


def test_a_pipe_or_device_is_written_to_and_not_replaced(selection: Selection, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_file(selection, pipe, format="csv")
        assert os.read(reader, 1 << 16).startswith(b"run,tag")
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_what_stands_behind_standard_output_is_appended_to_and_not_replaced(
    selection: Selection, tmp_path: Path
) -> None:
    with (tmp_path / "out.csv").open("wb", buffering=0) as out:
        out.write(b"before\n")
        write_file(selection, Path(f"/dev/fd/{out.fileno()}"), format="csv")
    assert (tmp_path / "out.csv").read_bytes().startswith(b"before\nrun,tag")
    assert [path.name for path in tmp_path.glob("*.csv*")] == ["out.csv"]
