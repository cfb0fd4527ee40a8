"""``sightline demo`` for real: it serves what it wrote, one run grows, and nothing is left behind."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from sightline.cli import main
from tests.cli.servers import ServerProcess, eventually

LIVE_LOSS = "data/plugin/scalars/scalars?run=gpt%2Flive&tag=train%2Floss"


def directory_of(server: ServerProcess) -> Path:
    found = re.search(r"Wrote 24 demo runs to (.*)\n", server.errors())
    assert found is not None
    return Path(found[1])


def test_the_demo_is_served_grows_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with ServerProcess("demo", "--port=0", cwd=tmp_path, environ={"TMPDIR": str(tmp_path)}) as server:
        directory = directory_of(server)
        assert directory.parent == tmp_path
        assert eventually(lambda: "gpt/live" in server.runs())
        assert len(server.runs()) == 25
        steps = len(server.get(LIVE_LOSS))
        assert eventually(lambda: server.runs() != [] and len(server.get(LIVE_LOSS)) > steps)
        assert server.end(signal.SIGINT) == 0
        assert "Traceback" not in server.errors()
    assert not directory.exists()


def test_a_directory_that_was_named_is_kept(tmp_path: Path) -> None:
    with ServerProcess("demo", "mine", "--port=0", "--no-live", cwd=tmp_path) as server:
        assert directory_of(server) == Path("mine")
        assert len(server.runs()) == 24
        assert server.end(signal.SIGTERM) == 0
    assert (tmp_path / "mine" / "gpt").is_dir()


def test_it_may_only_write(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", str(tmp_path / "logs"), "--write-only"]) == 0
    assert main(["inspect", str(tmp_path / "logs"), "--no-cache"]) == 0
    assert "24 runs" in capsys.readouterr().out
