"""The demo directory is what the README says it is, and the README's example runs on it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sightline

ROOT = Path(__file__).resolve().parents[2]


def write_demo(directory: Path) -> None:
    script = ROOT / "examples" / "make_demo.py"
    subprocess.run([sys.executable, str(script), str(directory)], check=True, capture_output=True)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # The README's examples name this path, relative to the project.
    directory = tmp_path_factory.mktemp("project") / "build" / "demo-logs"
    write_demo(directory)
    return directory


def test_the_demo_has_eight_runs_with_every_kind_in_each(demo: Path) -> None:
    with sightline.open(demo, watch=False, cache=False) as log:
        log.wait()
        assert sorted(log.runs) == [
            *(f"cnn/{name}" for name in ("restarted", "seed0", "seed1", "seed2")),
            *(f"mlp/{name}" for name in ("damaged", "seed0", "seed1", "seed2")),
        ]
        for name in log.runs:
            assert {info.kind for info in log[name].tags.values()} == set(sightline.Kind), name


def test_the_damaged_run_loses_one_point_and_says_so(demo: Path) -> None:
    with sightline.open(demo, watch=False, cache=False) as log:
        log.wait()
        counts = {name: sum(map(len, log[name].scalars.values())) for name in ("mlp/seed0", "mlp/damaged")}
        assert counts["mlp/damaged"] == counts["mlp/seed0"] - 1
        assert any("mlp/damaged" in str(damage) for damage in log.damage)


def test_the_restarted_run_is_one_line_and_keeps_its_abandoned_branch(demo: Path) -> None:
    with sightline.open(demo, watch=False, cache=False) as log:
        log.wait()
        loss = log["cnn/restarted"].scalars["train/loss"]
        np.testing.assert_array_equal(loss.step, np.arange(2_000))
        assert np.isfinite(loss.value).all()
        np.testing.assert_array_equal(loss.superseded.step, np.arange(1_000, 1_300))
        assert np.isnan(loss.superseded.value).any()


def test_the_demo_is_the_same_every_time(demo: Path, tmp_path: Path) -> None:
    write_demo(tmp_path)
    files = sorted(path.relative_to(demo) for path in demo.rglob("*") if path.is_file())
    assert len(files) == 9
    assert sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()) == files
    assert all((tmp_path / file).read_bytes() == (demo / file).read_bytes() for file in files)


def test_the_example_of_the_readme_runs(demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo.parent.parent)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    frame = names["frame"]
    assert list(frame.columns) == ["run", "tag", "step", "wall_time", "value"]  # type: ignore[attr-defined]
    names["log"].close()  # type: ignore[attr-defined]
