"""Profiles of torch through ``trace_on``."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest

from sightline import summary

torch = pytest.importorskip("torch")


@pytest.fixture(autouse=True)
def only_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tensorflow", raising=False)


def test_a_profile_of_torch_is_a_trace_file_in_the_run(tmp_path: Path) -> None:
    with summary.create_file_writer(tmp_path, story=False) as writer, writer.as_default(step=1):
        summary.trace_on(profiler=True)
        torch.ones(3, 3) @ torch.ones(3, 3)
        summary.trace_export("profile")
    (path,) = tmp_path.glob("*.pt.trace.json.gz")
    events = json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]
    assert any(event.get("name") == "aten::mm" for event in events)


def test_a_profile_of_torch_may_lie_elsewhere_or_be_dropped(tmp_path: Path) -> None:
    summary.trace_on(graph=False, profiler=True, profiler_outdir=tmp_path / "there")
    torch.ones(3)
    summary.trace_export("profile")
    (path,) = (tmp_path / "there").iterdir()
    assert path.name.endswith(".pt.trace.json.gz")
    summary.trace_on(profiler=True, profiler_outdir=tmp_path / "nowhere")
    summary.trace_off()
    assert not (tmp_path / "nowhere").exists()
