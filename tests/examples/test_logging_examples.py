"""The examples that log: they run as a user runs them, and what they leave is complete."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import sightline
from sightline import Kind

ROOT = Path(__file__).resolve().parents[2]


def run(name: str, *arguments: str, cwd: Path) -> str:
    program = [sys.executable, str(ROOT / "examples" / name), *arguments]
    done = subprocess.run(program, capture_output=True, text=True, cwd=cwd, timeout=300, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_numpy_loop_leaves_a_run_with_all_it_logged(tmp_path: Path) -> None:
    shown = run("log_numpy_loop.py", "runs/numpy", "--steps", "120", cwd=tmp_path)
    assert float(shown.split()[1].rstrip(";")) > 0.9
    with sightline.open(tmp_path / "runs", watch=False, cache=False) as log:
        run_ = log.wait()["numpy"]
        assert len(run_.scalars["loss"]) == len(run_.scalars["gradient/w1"]) == 120
        assert run_.scalars["loss"].value[-1] < run_.scalars["loss"].value[0]
        kinds = {info.kind for info in run_.tags.values()}
        assert kinds >= {Kind.scalar, Kind.hparams, Kind.text, Kind.histogram, Kind.pr_curve, Kind.image}
        assert run_.story is not None
        assert run_.story.status == "finished"


def test_the_torch_script_leaves_a_run_with_all_it_logged(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    shown = run("train_torch.py", "--tag", "baseline", "--steps", "60", cwd=tmp_path)
    assert float(shown.split()[1].rstrip(";")) > 0.6
    with sightline.open(tmp_path / "runs", watch=False, cache=False) as log:
        (name,) = log.wait().runs
        assert name.endswith("_001-baseline/logs/tensorboard")
        kinds = {info.kind for info in log[name].tags.values()}
        assert kinds >= {Kind.scalar, Kind.hparams, Kind.image, Kind.histogram, Kind.graph}
        assert len(log[name].scalars["Loss/train"]) == 60
