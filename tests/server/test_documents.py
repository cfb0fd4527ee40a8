"""docs/http-api.md and docs/security.md tell the truth."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from sightline.server import ServerOptions
from sightline.server.security import content_security_policy
from tests.dashboards.frame_decoder import decode_frame
from tests.server.clients import client_for, two_runs

DOCS = Path(__file__).parents[2] / "docs"


def test_the_decoder_in_the_guide_reads_frames(tmp_path: Path) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", (DOCS / "http-api.md").read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(block, "http-api.md", "exec"), names)
    client = client_for(two_runs(tmp_path))
    client.api("runs")
    query = {"tag": "loss", "runs": [0, 1], "smoothing": {"kind": "ema", "amount": 0.6}}
    data = client.post("/api/v1/scalars", json={"queries": [query]}).content
    _, wanted = decode_frame(data)
    for one, other in zip(names["decode_frame"](data)["series"], wanted, strict=True):
        for column in ("step", "wall", "value", "smoothed"):
            assert one[column].tolist() == pytest.approx(other[column], rel=1e-15)


def test_the_policy_in_the_guide_is_the_policy() -> None:
    (block,) = re.findall(r"```\n(default-src.*?)```", (DOCS / "security.md").read_text("utf-8"), re.DOTALL)
    shown = " ".join(block.split()).removesuffix(" …")
    assert content_security_policy(ServerOptions(host="0.0.0.0")) == shown
