"""Compare what the core read with what the oracle reads from the same bytes: everything, bit for bit."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from sightline import _core
from tests import oracle

FORMS: dict[str, int] = {
    name.removeprefix("FORM_"): getattr(_core, name)
    for name in dir(_core)
    if name.startswith("FORM_") and name != "FORM_NAMES"
}
MAX_LISTED_DAMAGE = 64


def scanned(directory: Path, *, threads: int = 2) -> _core.Index:
    """An index that has read everything below ``directory``."""
    index = _core.Index(threads=threads)
    index.add_root(str(directory))
    index.scan()
    return index


def write_log(
    directory: Path, data: bytes, *, run: str = "run", name: str = "events.out.tfevents.1.host"
) -> Path:
    """One event file in one run."""
    path = directory / run / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def assert_log_is_read_right(directory: Path, index: _core.Index) -> None:
    """Every run and file below ``directory``, compared with the oracle."""
    by_run: dict[str, list[Path]] = {}
    for path in sorted(directory.rglob("*tfevents*")):
        if path.is_file():
            by_run.setdefault(path.parent.relative_to(directory).as_posix(), []).append(path)
    assert sorted(index.run_names()) == sorted(by_run)
    for run, paths in by_run.items():
        assert_run_is_read_right(index, run, {path.name: oracle.decode_file(path) for path in paths})


def assert_run_is_read_right(index: _core.Index, run: str, expected: dict[str, oracle.Decoded]) -> None:
    """``expected`` maps file names to what each file holds."""
    files = {file.name: file for file in index.files(run)}
    assert list(files) == sorted(expected)
    ids = {file.id: name for name, file in files.items()}
    for name, decoded in expected.items():
        assert_file_facts(files[name], decoded)

    totals: dict[tuple[str, str], int] = {}
    for name in sorted(expected):
        for key, rows in expected[name].rows.items():
            totals[key] = totals.get(key, 0) + len(rows)
    form_names = {number: name for name, number in FORMS.items()}
    found = {(series.tag, form_names[series.form]): series for series in index.series(run)}
    assert {key: series.count for key, series in found.items()} == totals

    for (tag, form), series in found.items():
        first = next((d for _, d in sorted(expected.items()) if tag in d.metadata), None)
        assert series.plugin == (first.plugins[tag] if first else "")
        if first is None or len(first.metadata[tag]) <= 64 << 10:
            assert series.metadata == (first.metadata[tag] if first else b"")
        parts = index.parts(run, tag, FORMS[form])
        assert [ids[part.file_id] for part in parts] == [
            n for n in sorted(expected) if (tag, form) in expected[n].rows
        ]
        for part in parts:
            decoded = expected[ids[part.file_id]]
            assert_part(index, part, decoded.rows[tag, form], is_scalar=form == "SCALAR")
            assert list(part.breaks) == [tuple(place) for place in decoded.breaks.get((tag, form), [])]


def assert_file_facts(file: _core.FileInfo, decoded: oracle.Decoded) -> None:
    """What the core says about a file: records, damage, torn tail, STARTs, times."""
    assert file.error == ""
    assert file.record_count == decoded.record_count
    assert list(file.damage) == [tuple(place) for place in decoded.damage[:MAX_LISTED_DAMAGE]]
    assert file.damage_count == len(decoded.damage)
    assert file.skipped_bytes == decoded.skipped_bytes
    assert file.torn_bytes == decoded.torn_bytes
    assert file.file_version == decoded.file_version
    assert file.source_writer == decoded.source_writer
    assert _bits(file.starts) == _bits(decoded.starts)
    times = list(decoded.wall_times)
    for time in decoded.version_wall_times:
        times.remove(time)  # whole seconds when TensorFlow wrote it: counts only if there is nothing else
    usable = [time for time in times if math.isfinite(time) and time > 0] or decoded.version_wall_times[:1]
    if usable:
        assert (file.first_wall_time, file.last_wall_time) == (min(usable), max(usable))
    else:
        assert math.isnan(file.first_wall_time)


def _bits(starts: list[tuple[int, float]]) -> list[tuple[int, str]]:
    return [(step, oracle.float_bits(wall_time)) for step, wall_time in starts]


def assert_part(index: _core.Index, part: _core.Part, rows: list[oracle.Row], *, is_scalar: bool) -> None:
    """Columns of one series in one file."""
    assert part.step.dtype == np.int64
    assert part.step.tolist() == [row.step for row in rows]
    assert_same_floats(part.wall_time, [row.wall_time for row in rows])
    if is_scalar:
        assert_same_floats(part.value, [row.value for row in rows if row.value is not None])
        return
    assert part.offset.tolist() == [row.offset for row in rows]
    assert part.length.tolist() == [len(row.data) for row in rows]
    for row in rows:
        assert row.offset is not None
        assert index.read(part.file_id, row.offset, len(row.data), part.generation) == row.data


def assert_same_floats(found: np.ndarray, expected: list[float]) -> None:
    """Equal bit for bit; a NaN equals any NaN, because conversions may change its hidden bits."""
    assert found.dtype == np.float64
    wanted = np.array(expected, np.float64)
    assert found.shape == wanted.shape
    same = (found.view(np.uint64) == wanted.view(np.uint64)) | (np.isnan(found) & np.isnan(wanted))
    assert same.all(), f"first difference in row {int(np.argmin(same))}"
